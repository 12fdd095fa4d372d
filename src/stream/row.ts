import { isRecord, textOrNothing } from "../messages/json";
import { graphOf } from "../namespace";
import type { StreamRow } from "../types";

/** What a row says of where in the graph it comes from. */
export interface Place {
  /** The checkpoint namespace of the task, the node included; empty where the row names none. */
  task: string;
  /** The namespace of the graph that the node belongs to; empty for the root graph. */
  graph: string;
  /** The same as LangGraph writes it, with the counters that tell the runs of one task's graphs apart. */
  invocation: string;
  node?: string;
  step?: number;
}

/** Where an event comes from, and what a client may be told of it. */
export interface Origin {
  place: Place;
  /** The name of the LangGraph event, or of the stream mode. */
  event: string;
  name?: string;
  runId?: string;
  metadata: Record<string, unknown>;
  tags: readonly unknown[];
  /** The row as it came. */
  data: unknown;
}

export type Row =
  | { mode: "events"; origin: Origin; data: Record<string, unknown> }
  | { mode: "message"; origin: Origin; message: unknown }
  | { mode: "partial"; messages: unknown[]; metadata: Record<string, unknown> }
  | { mode: "values" | "updates" | "tasks"; origin: Origin; data: Record<string, unknown> }
  | { mode: "custom"; origin: Origin }
  | { mode: "error" | "metadata"; data: Record<string, unknown> }
  | { mode: "none" };

const NONE = { mode: "none" } as const;

/** Rows of these modes say nothing that other modes do not say better. */
const IGNORED = new Set(["debug", "checkpoints", "tools", "feedback", "end", "messages/complete"]);

/** Reads a row of a LangGraph stream. `undefined`: it is none that anyone could read. */
export function readRow(row: StreamRow): Row | undefined {
  if (!isRecord(row) || typeof row.event !== "string") return undefined;
  const [mode = "", ...path] = row.event.split("|");
  const { data } = row;
  if (IGNORED.has(mode)) return NONE;
  if (mode === "messages" || mode === "messages-tuple") return readMessageRow(data, path);
  if (mode === "messages/partial")
    return Array.isArray(data) ? { mode: "partial", messages: data, metadata: {} } : undefined;
  if (mode === "messages/metadata") return NONE;
  if (mode === "custom") return { mode, origin: originOf(mode, {}, path, data) };
  if (!isRecord(data)) return undefined;
  switch (mode) {
    case "events":
      return readEventRow(data, path);
    case "values":
    case "updates":
    case "tasks":
      return { mode, origin: originOf(mode, {}, path, {}), data };
    case "error":
    case "metadata":
      return { mode, data };
    default:
      return undefined;
  }
}

function readEventRow(data: Record<string, unknown>, path: readonly string[]): Row | undefined {
  if (typeof data.event !== "string") return undefined;
  const metadata = isRecord(data.metadata) ? data.metadata : {};
  const origin = {
    ...originOf(data.event, metadata, path, data),
    name: textOrNothing(data.name),
    runId: textOrNothing(data.run_id),
    tags: Array.isArray(data.tags) ? data.tags : [],
  };
  return { mode: "events", origin, data: isRecord(data.data) ? data.data : {} };
}

function readMessageRow(data: unknown, path: readonly string[]): Row | undefined {
  if (!Array.isArray(data) || !isRecord(data[0])) return undefined;
  const metadata = isRecord(data[1]) ? data[1] : {};
  return { mode: "message", origin: originOf("messages", metadata, path, data), message: data[0] };
}

function originOf(
  event: string,
  metadata: Record<string, unknown>,
  path: readonly string[],
  data: unknown,
): Origin {
  const tags = Array.isArray(metadata.tags) ? metadata.tags : [];
  return { place: placeOf(metadata, path), event, metadata, tags, data };
}

function placeOf(metadata: Record<string, unknown>, path: readonly string[]): Place {
  const namespace = textOrNothing(metadata.langgraph_checkpoint_ns);
  const { task, graph, invocation } = namespace === undefined ? namesOf(path, path) : namesIn(namespace);
  const step = metadata.langgraph_step;
  return {
    task,
    graph,
    invocation,
    node: textOrNothing(metadata.langgraph_node),
    step: typeof step === "number" ? step : undefined,
  };
}

type Names = Pick<Place, "task" | "graph" | "invocation">;

/** The namespace that was read last: the tokens of an answer all come from one task. */
let latest: { namespace: string; names: Names } | undefined;

function namesIn(namespace: string): Names {
  if (latest?.namespace !== namespace) {
    const segments = namespace.split("|");
    latest = { namespace, names: namesOf(segments, segments.slice(0, -1)) };
  }
  return latest.names;
}

const namesOf = (task: readonly string[], graph: readonly string[]): Names => ({
  task: task.join("|"),
  graph: graphOf(graph),
  invocation: graph.join("|"),
});

/** The origin of what rows that name no graph say. */
export const ROOT: Origin = originOf("messages", {}, [], {});
