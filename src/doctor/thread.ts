import type { Client, Thread, ThreadState } from "@langchain/langgraph-sdk";
import { describeRemoteError } from "../graphs/remote-error";
import { readMessages } from "../messages/read-message";
import type { LangChainMessage } from "../types";
import type { DoctorThread } from "./command-line";
import { type Diagnosis, type DoctorSettings, diagnose, openCalls } from "./diagnosis";
import type { FoundHistory } from "./read-history";

/** What the doctor needs of an SDK client. */
export type ThreadClient = Pick<Client, "threads">;

/** A thread on a server, as it was found. */
export interface FoundThread {
  history: FoundHistory;
  graph?: string;
  /** The calls that the graph still answers when it is resumed. */
  openCallIds: string[];
  checkpointId?: string;
  /** Why the thread must not be written to now. */
  blocked?: string;
}

/** A problem that a person is told, and nothing but it. */
export interface ThreadProblem {
  problem: string;
}

/** Reads a thread's history from its server. */
export async function readThread(
  client: ThreadClient,
  { thread: threadId, graph: expected }: Pick<DoctorThread, "thread" | "graph">,
): Promise<FoundThread | ThreadProblem> {
  let thread: Thread;
  let state: ThreadState;
  try {
    [thread, state] = await Promise.all([client.threads.get(threadId), client.threads.getState(threadId)]);
  } catch (error) {
    return { problem: describeRemoteError(error).message };
  }
  const graph = graphOf(thread);
  if (expected && graph && expected !== graph && expected !== thread.metadata?.assistant_id)
    return { problem: `The thread belongs to graph ${graph}, not to ${expected}.` };
  const { messages } = (state.values ?? {}) as { messages?: unknown };
  if (!Array.isArray(messages)) return { problem: "The thread's state has no list of messages." };
  const asks = (state.tasks ?? []).some(({ interrupts }) => (interrupts ?? []).length > 0);
  const blocked = thread.status === "busy" ? BUSY : asks ? INTERRUPTED : undefined;
  return {
    history: { format: "LangChain", messages },
    openCallIds: asks ? openCalls(readMessages(messages)) : [],
    ...(graph && { graph }),
    ...(state.checkpoint?.checkpoint_id && { checkpointId: state.checkpoint.checkpoint_id }),
    ...(blocked && { blocked }),
  };
}

const BUSY = "A run is going on in the thread: let it end first.";
const INTERRUPTED =
  "The thread waits for the answer to an interrupt, which a change would discard. It is mended by the answer, when that comes through ag-ui-langgraph.";
const OTHER_REDUCER =
  "The graph does not use LangGraph's message reducer: it would only append the repair. Put historyGuardMiddleware() before its model.";

/**
 * Mends a thread, so that its graph's reducer ends with the repaired history. It is tried on a copy of the thread
 * first: a reducer that only appends would double the history, and what it did could not be taken back.
 *
 * @returns Nothing when the thread is mended; else why it is as it was.
 */
export async function mendThread(
  client: ThreadClient,
  { thread, asNode }: Pick<DoctorThread, "thread" | "asNode">,
  found: FoundThread,
  { mended }: Diagnosis,
  settings: DoctorSettings,
): Promise<ThreadProblem | undefined> {
  if (found.blocked) return { problem: found.blocked };
  const write = async (threadId: string, node: string | undefined): Promise<boolean> => {
    await client.threads.updateState(threadId, { values: { messages: mended.update }, asNode: node });
    const after = await client.threads.getState<{ messages?: unknown[] }>(threadId);
    return isMended(after.values?.messages ?? [], mended.messages, settings);
  };
  try {
    const nodes = asNode ? [asNode] : [undefined, await lastNode(client, thread)];
    const rehearsed = await onCopy(client, thread, (copy) =>
      firstThatWorks(nodes, (node) => write(copy, node)),
    );
    if (!rehearsed.result) return { problem: OTHER_REDUCER };
    const now = await client.threads.getState(thread);
    if ((now.checkpoint?.checkpoint_id ?? undefined) !== found.checkpointId)
      return { problem: "The thread has changed in the meantime: look at it again." };
    const isAsExpected = await write(thread, rehearsed.choice);
    return isAsExpected ? undefined : { problem: "The thread was written to, but is not as it should be." };
  } catch (error) {
    return { problem: describeRemoteError(error).message };
  }
}

/** LangGraph has to know which node a change is made for, and cannot tell by itself where several ran last. */
async function lastNode(client: ThreadClient, threadId: string): Promise<string | undefined> {
  const [, before] = await client.threads.getHistory(threadId, { limit: 2 });
  return before?.next?.[0];
}

/** The first choice with which the work does not throw; with the last one it may. */
async function firstThatWorks<T, R>(choices: readonly T[], work: (choice: T) => Promise<R>) {
  for (const [at, choice] of choices.entries()) {
    try {
      return { choice, result: await work(choice) };
    } catch (error) {
      if (at === choices.length - 1) throw error;
    }
  }
  throw new Error("There was nothing to choose from.");
}

async function onCopy<T>(
  client: ThreadClient,
  threadId: string,
  work: (copyId: string) => Promise<T>,
): Promise<T> {
  const copy = await client.threads.copy(threadId);
  try {
    return await work(copy.thread_id);
  } finally {
    await client.threads.delete(copy.thread_id);
  }
}

function isMended(
  stored: readonly unknown[],
  expected: readonly LangChainMessage[],
  settings: DoctorSettings,
): boolean {
  const messages = readMessages(stored);
  const isSame =
    messages.length === expected.length &&
    messages.every(({ type, id }, at) => {
      const other = expected[at];
      return type === other?.type && (id === other.id || !other.id);
    });
  if (!isSame) return false;
  return diagnose({ format: "LangChain", messages: stored }, settings).mended.update.length === 0;
}

function graphOf({ metadata }: Thread): string | undefined {
  const id: unknown = metadata?.graph_id;
  return typeof id === "string" ? id : undefined;
}
