import type { AssistantGraph, GraphSchema, ThreadState } from "@langchain/langgraph-sdk";
import type { GraphClient } from "../../../src/graphs/client";
import { createLocalClient, type RunnableGraph } from "../../../src/graphs/local";
import type { LocalRunPayload } from "../../../src/graphs/local-run-payload";
import type { StreamRow } from "../../../src/types";
import { overTheWire } from "../../stream/recordings";
import { rowsOf } from "../../support/home-rows";

/** What a server answers in one run, and what it knows before and after. */
export interface RecordedRun {
  rows: StreamRow[];
  before: ThreadState;
  after: ThreadState;
  /** The thread's checkpoints before the run, newest first. */
  history: ThreadState[];
}

/** A thread of a real graph, as a server would tell of it. */
export interface Recording {
  schemas: GraphSchema;
  graph: AssistantGraph;
  runs: RecordedRun[];
}

const modes = ["events", "values", "updates", "messages-tuple", "custom"];

/** Runs the graph for real with the payloads, one after the other on one thread. */
export async function recordRuns(
  graph: unknown,
  payloads: (LocalRunPayload | ((history: ThreadState[]) => LocalRunPayload))[],
): Promise<Recording> {
  const client: GraphClient = createLocalClient(graph as RunnableGraph, { graphId: "graph" });
  const { thread_id: thread } = await client.threads.create();
  const runs: RecordedRun[] = [];
  for (const payload of payloads) {
    const [before, history] = [await client.threads.getState(thread), await historyOf(client, thread)];
    const asked = typeof payload === "function" ? payload(history) : payload;
    const rows = await rowsOf(client, thread, "graph", {
      streamMode: modes,
      streamSubgraphs: true,
      ...asked,
    });
    runs.push(overTheWire({ rows, before, after: await client.threads.getState(thread), history }));
  }
  return overTheWire({
    schemas: await client.assistants.getSchemas("graph"),
    graph: await client.assistants.getGraph("graph"),
    runs,
  });
}

const historyOf = (client: GraphClient, thread: string) => client.threads.getHistory(thread, { limit: 100 });
