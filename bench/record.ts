import type { Assistant } from "@langchain/langgraph-sdk";
import { overTheWire } from "../__tests__/stream/recordings";
import { rowsOf } from "../__tests__/support/home-rows";
import { createLocalClient, type RunnableGraph } from "../src/graphs/local";
import type { LocalRunPayload } from "../src/graphs/local-run-payload";

/** One run of a graph as a server would tell it. Rows and states are JSON texts: each run parses its own. */
export interface Recording {
  rows: string[];
  before: string;
  after: string;
  assistant: Assistant;
  schemas: unknown;
  graph: unknown;
}

/** The stream modes that both adapters ask for. */
const MODES = ["events", "values", "updates", "messages-tuple"];

export const EMPTY_STATE = { values: {}, next: [], tasks: [], checkpoint: {}, metadata: {} };

/**
 * Runs a real graph in this process and writes down what comes.
 *
 * @param before What the thread holds before the run.
 */
export async function record(graph: unknown, input: object, before?: object): Promise<Recording> {
  const client = createLocalClient(graph as RunnableGraph, { graphId: "graph" });
  const { thread_id } = await client.threads.create();
  if (before) await client.threads.updateState(thread_id, { values: before });
  const state = async () =>
    JSON.stringify(overTheWire((await client.threads.getState(thread_id)) ?? EMPTY_STATE));
  const stateBefore = await state();
  const payload = { streamMode: MODES, streamSubgraphs: true, input } as LocalRunPayload;
  const rows = await rowsOf(client, thread_id, "graph", payload);
  return {
    rows: rows.map((row) => JSON.stringify(overTheWire(row))),
    before: stateBefore,
    after: await state(),
    assistant: await client.assistants.get("graph"),
    schemas: await client.assistants.getSchemas("graph"),
    graph: await client.assistants.getGraph("graph"),
  };
}
