import { createLocalClient, type RunnableGraph } from "../../src/graphs/local";
import type { LocalRunPayload } from "../../src/graphs/local-run-payload";
import type { StreamRow } from "../../src/types";
import { rowsOf } from "../support/home-rows";
import * as graphs from "./graphs";

const scenes = new Map(Object.entries(graphs));

/** The rows of one run of a real graph, and the messages that its thread had before and has after. */
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

/** Records a run of every graph, in this process. */
export async function recordings(): Promise<Recording[]> {
  const recorded: Recording[] = [];
  for (const name of scenes.keys()) recorded.push(...(await record(name)));
  return recorded;
}

export async function record(name: string, streamMode = modes): Promise<Recording[]> {
  const scene = scenes.get(name);
  if (!scene) throw new Error(`no graph is named ${name}`);
  const { graph, runs } = scene();
  const client = createLocalClient(graph as RunnableGraph, { graphId: name });
  const { thread_id } = await client.threads.create({ graphId: name });
  const recorded: Recording[] = [];
  for (const payload of runs) {
    const before = messagesOf(await client.threads.getState(thread_id));
    const live = await rowsOf(client, thread_id, name, {
      streamMode,
      streamSubgraphs: true,
      ...payload,
    } as LocalRunPayload);
    const after = messagesOf(await client.threads.getState(thread_id));
    recorded.push({ name, live, rows: overTheWire(live), before, after });
  }
  return recorded;
}

function messagesOf(state: unknown): unknown[] {
  const values = (state as { values?: { messages?: unknown[] } } | null)?.values;
  return values?.messages ?? [];
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
