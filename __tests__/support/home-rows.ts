import { Client, type ThreadState } from "@langchain/langgraph-sdk";
import type { GraphClient } from "../../src/graphs/client";
import type { LocalRunPayload } from "../../src/graphs/local-run-payload";
import type { StreamRow } from "../../src/types";

/** All rows of a run. The payload is the one of the SDK, which types it by stream mode. */
export async function rowsOf(
  client: GraphClient,
  threadId: string,
  graphId: string,
  payload: LocalRunPayload,
): Promise<StreamRow[]> {
  const rows: StreamRow[] = [];
  for await (const row of runStream(client, threadId, graphId, payload)) rows.push(row);
  return rows;
}

export function runStream(client: GraphClient, threadId: string, graphId: string, payload: LocalRunPayload) {
  return client.runs.stream(threadId, graphId, payload as never) as AsyncGenerator<StreamRow>;
}

/** A client that tells failures at once, where the SDK would try again for seconds. */
export function serverClient(url: string): GraphClient {
  return new Client({ apiUrl: url, callerOptions: { maxRetries: 0 } });
}

/** What a server says and a graph in this process does not. */
const serverOnly = new Set([
  "created_by",
  "langgraph_api_url",
  "langgraph_host",
  "langgraph_plan",
  "langgraph_version",
  "run_attempt",
  "user-agent",
]);
/** What only this process knows: the thrown error. */
const processOnly = new Set(["cause", "code"]);
/** Different in every run. */
const perRun = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\b[0-9a-f]{32}\b/g;

/** A value as it crosses the wire, without what is different in every run or between the homes. */
export function comparable<T>(value: T): T {
  const wire = JSON.stringify(value, function (this: Record<string, unknown>, key, plain) {
    if (serverOnly.has(key) || processOnly.has(key)) return undefined;
    if (key === "created_at" || key === "assistant_id") return typeof plain;
    if (typeof plain === "string") return plain.replace(/\n +at .*/gs, "");
    const raw = this[key] as { toDict?(): { type: string; data: object } } | null | undefined;
    if (typeof raw !== "object" || raw === null || typeof raw.toDict !== "function") return plain;
    const { type, data } = raw.toDict();
    return { ...data, type };
  });
  return JSON.parse(wire.replace(perRun, "<id>"));
}

/**
 * Rows to compare. Callback events and the other rows reach the stream by two ways and mix differently from run to
 * run, so each kind is compared in its own order.
 */
export function comparableRows(rows: StreamRow[]): { events: StreamRow[]; others: StreamRow[] } {
  const plain = rows.map(({ event, data }) => comparable({ event, data }));
  return {
    events: plain.filter(({ event }) => event === "events"),
    others: plain.filter(({ event }) => event !== "events"),
  };
}

/** States to compare: a server notes more about a checkpoint than where it comes from. */
export function comparableStates(states: (ThreadState | null)[]): unknown[] {
  return states.map((state) => {
    if (!state?.metadata) return comparable(state);
    const { source, step, parents } = state.metadata;
    return comparable({ ...state, metadata: { source, step, parents } });
  });
}
