import type { GraphClient } from "../../src/graphs/client";
import { createLocalClient, type RunnableGraph } from "../../src/graphs/local";
import type { LocalRunPayload } from "../../src/graphs/local-run-payload";
import type { StreamRow } from "../../src/types";
import { rowsOf } from "../support/home-rows";
import * as graphs from "./graphs";

const scenes = new Map(Object.entries(graphs));

/** What one run of a graph streamed, and what its thread held before and holds after. */
export interface RecordedRun {
  rows: StreamRow[];
  before: Values;
  after: Values;
}

export type Values = Record<string, unknown> & { messages?: unknown[] };

/** A run of a real graph in this process. */
export interface Recording {
  name: string;
  /** As a server writes them. */
  rows: StreamRow[];
  /** As they are in this process. */
  live: StreamRow[];
  before: unknown[];
  after: unknown[];
}

const modes = ["events", "values", "updates", "messages-tuple", "tasks", "custom"];

/** Runs a graph in this process and writes down what comes. */
export async function record(name: string, streamMode = modes): Promise<Recording[]> {
  const scene = scenes.get(name);
  if (!scene) throw new Error(`no graph is named ${name}`);
  const { graph, runs } = scene();
  const client = createLocalClient(graph as RunnableGraph, { graphId: name });
  const recorded = await recordThread(client, name, runs, streamMode);
  return recorded.map(({ rows, before, after }) => ({
    name,
    live: rows,
    rows: overTheWire(rows),
    before: before.messages ?? [],
    after: after.messages ?? [],
  }));
}

/** Runs a graph with these payloads, one after the other on one new thread. */
export async function recordThread(
  client: GraphClient,
  graphId: string,
  payloads: readonly Record<string, unknown>[],
  streamMode = modes,
): Promise<RecordedRun[]> {
  const { thread_id } = await client.threads.create({ graphId });
  const valuesNow = async () => ((await client.threads.getState(thread_id))?.values ?? {}) as Values;
  const recorded: RecordedRun[] = [];
  for (const payload of payloads) {
    const before = await valuesNow();
    const asked = { streamMode, streamSubgraphs: true, ...payload } as LocalRunPayload;
    const rows = await rowsOf(client, thread_id, graphId, asked);
    recorded.push({ rows, before, after: await valuesNow() });
  }
  return recorded;
}

/** Messages become plain objects, as servers write them. */
export function overTheWire<T>(value: T): T {
  const text = JSON.stringify(value, function (this: Record<string, unknown>, key, plain) {
    if (key === "cause") return undefined;
    const raw = this[key] as { toDict?(): { type: string; data: object } } | null | undefined;
    if (typeof raw !== "object" || raw === null || typeof raw.toDict !== "function") return plain;
    const { type, data } = raw.toDict();
    return { ...data, type };
  });
  return JSON.parse(text);
}
