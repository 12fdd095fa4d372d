import type { StreamRow } from "../types";

/** An event of `streamEvents` (version 2). */
interface GraphEvent {
  event: string;
  run_id?: string;
  tags?: readonly string[];
  data?: { chunk?: unknown };
}

/** Which rows a run sends, as a LangGraph server decides it from the payload. */
export interface RowSelection {
  runId: string;
  modes: ReadonlySet<string>;
  subgraphs: boolean;
}

/** The modes to ask the graph for: the callbacks come anyway, and a server calls tuples of messages "messages". */
export function graphStreamModes(modes: ReadonlySet<string>): string[] {
  const asked = new Set<string>();
  for (const mode of modes) {
    if (mode !== "events") asked.add(mode === "messages-tuple" ? "messages" : mode);
  }
  return [...asked];
}

/** One event of the graph as the row that a LangGraph server makes of it; `undefined` where it sends none. */
export function streamRow(event: unknown, { runId, modes, subgraphs }: RowSelection): StreamRow | undefined {
  const { event: name, run_id, tags, data } = event as GraphEvent;
  if (tags?.includes("langsmith:hidden")) return undefined;

  // The root's chunks are `[namespace, mode, payload]`; a chain inside a node streams chunks of its own.
  if (name === "on_chain_stream" && run_id === runId && Array.isArray(data?.chunk)) {
    const [namespace, mode, payload] = subgraphs ? data.chunk : [undefined, ...data.chunk];
    const path = Array.isArray(namespace) && namespace.length > 0 ? `|${namespace.join("|")}` : "";
    return { event: `${mode}${path}`, data: payload };
  }
  return modes.has("events") ? { event: "events", data: event } : undefined;
}
