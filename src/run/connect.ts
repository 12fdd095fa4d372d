import type { Client, Run, StreamMode, ThreadState } from "@langchain/langgraph-sdk";
import { type PrepareHistoryOptions, prepareHistory } from "../history/prepare";
import type { AguiMessage, State, StreamRow } from "../types";
import { emptyState, readThreadState } from "./thread";
import { type MessageUnderWay, threadMessages } from "./under-way";

/** A thread as a client finds it when it comes back. */
export interface FoundThread {
  /** The thread's state, with the history as the next run will repair it; the client's own where there is no thread. */
  state: ThreadState<State>;
  /** What the thread does not hold yet. */
  underWay: readonly MessageUnderWay[];
  /** The rows of the run that is still going on, from now on. */
  live?: AsyncGenerator<StreamRow>;
}

/** Looks a thread up without making one: its history, and the run that is still going on. */
export async function findThread(args: {
  client: Client;
  threadId: string;
  messages: readonly AguiMessage[];
  streamMode: StreamMode | StreamMode[];
  history: Partial<PrepareHistoryOptions>;
  signal: AbortSignal;
  onServerRun(runId: string): void;
  /** Asks for rows in modes that the graph's home knows. */
  acceptedRows(
    modes: StreamMode[],
    rowsIn: (otherModes?: StreamMode[]) => AsyncGenerator<StreamRow>,
  ): AsyncGenerator<StreamRow>;
}): Promise<FoundThread> {
  const { client, threadId, signal } = args;
  const [found, run] = await Promise.all([readThreadState(client, threadId), runningRun(client, threadId)]);
  if (run) args.onServerRun(run.run_id);
  const isNew = Object.keys(found?.values ?? {}).length === 0;
  const state = found ?? emptyState(threadId);
  const { settled, underWay } = threadMessages(state);
  const values = { ...state.values };
  if (isNew || Array.isArray(values.messages)) {
    const input = isNew ? args.messages : [];
    values.messages = prepareHistory({ ...args.history, checkpoint: settled, input }).messages;
  }
  const { streamMode } = args;
  const join = (otherModes?: StreamMode[]) =>
    client.runs.joinStream(threadId, run?.run_id ?? "", {
      streamMode: otherModes ?? streamMode,
      signal,
    }) as AsyncGenerator<StreamRow>;
  return {
    state: { ...state, values },
    underWay,
    ...(run && { live: args.acceptedRows([streamMode].flat(), join) }),
  };
}

async function runningRun(client: Client, threadId: string): Promise<Run | undefined> {
  try {
    const [run] = await client.runs.list(threadId, { status: "running", limit: 1 });
    return run;
  } catch {
    // A thread that is not there has no run, and a server that does not list runs has none to join.
    return undefined;
  }
}
