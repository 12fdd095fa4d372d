import type { Assistant } from "@langchain/langgraph-sdk";
import type { StreamRow } from "../src/types";
import type { Recording } from "./record";

/**
 * The processor time of this process in milliseconds, of all its threads: what a span of a few milliseconds costs does
 * not depend on what else the machine does, as the time on the clock would.
 */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** A LangGraph client that plays a recording and notes the time. */
export interface ScriptedClient {
  client: unknown;
  /** The {@link processorTime} when the graph was asked for the run. */
  asked(): number;
  /** Milliseconds that the adapter spent on the rows of the model's tokens. */
  tokenTime(): number;
}

/** A row for one token, in either of the modes that tell them. */
function isToken({ event, data }: StreamRow): boolean {
  return event === "messages" || (data as { event?: unknown } | null)?.event === "on_chat_model_stream";
}

/**
 * Collects the young generation: once before the run, and once while the run is open, after the graph was asked. A run
 * waits for a model for seconds, in which a server collects many times while either adapter holds its history.
 *
 * The second one is there for a fair measure. The engine decides once for each place in the code, by what the first
 * collections find there, whether its objects are made in the old space from then on, which costs about half as much
 * again; and it decides by chance where a collection comes only after the run: in the first rounds its call sites still
 * point at closures of the last run, so that one adapter's dead history seems alive and the other's does not. It decides
 * nothing before the young generation has its full size, so `npm run bench` starts with it, as a server has it that has
 * been at work for a while.
 *
 * Not a full collection, whose sweeping would go on beside the next run: both sides then take two to five times as
 * long, and their ratio is nearer to one.
 */
const collectYoung = () => globalThis.gc?.({ type: "minor" });

/** Rows and states are parsed here, ahead of the run, as a server's answers are new to every run. */
export function scriptedClient(recording: Recording): ScriptedClient {
  const rows = recording.rows.map((row) => JSON.parse(row) as StreamRow);
  const before = JSON.parse(recording.before);
  const after = JSON.parse(recording.after);
  let asked = 0;
  let tokenTime = 0;
  let done = false;

  async function* stream() {
    collectYoung();
    for (const row of rows) {
      const given = performance.now();
      yield row;
      // the adapter asks for the next row when it is done with this one
      if (isToken(row)) tokenTime += performance.now() - given;
    }
    done = true;
  }

  const thread = { thread_id: "thread", metadata: {}, status: "idle", values: {} };
  const client = {
    assistants: {
      search: async () => [recording.assistant],
      get: async () => recording.assistant,
      getSchemas: async () => recording.schemas,
      getGraph: async () => recording.graph,
    },
    threads: {
      get: async () => thread,
      create: async () => thread,
      getState: async () => (done ? after : before),
      getHistory: async () => [],
      updateState: async () => ({ checkpoint: {} }),
    },
    runs: {
      stream() {
        asked = processorTime();
        return stream();
      },
      joinStream: stream,
      cancel: async () => {},
      list: async () => [],
      get: async () => ({}),
    },
  };
  // What the parsing left behind is not the adapter's to clear.
  collectYoung();
  return { client, asked: () => asked, tokenTime: () => tokenTime };
}

export const ASSISTANT = { assistant_id: "assistant", graph_id: "graph", config: {} } as Assistant;
