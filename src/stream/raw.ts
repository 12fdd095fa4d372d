import { isRecord } from "../messages/json";
import { readMessage } from "../messages/read-message";
import type { ProcessedEvents } from "../types";
import type { Origin, Place } from "./row";

/** The metadata that subclasses read; prompts, headers and the graph's configuration do not travel. */
const KEPT = /^(langgraph_|copilotkit:|emit-|ls_|predict_state$)/;
/** What of it decides about every single event, and may be repeated with each token. */
const KEPT_AFTERWARDS = /^(langgraph_node$|copilotkit:|emit-)/;

const CHUNK_FIELDS = [
  "type",
  "id",
  "name",
  "content",
  "tool_call_chunks",
  "additional_kwargs",
  "response_metadata",
  "usage_metadata",
] as const;

/** The LangGraph event that an event was translated from, and the subagent that it comes from. */
export interface Provenance {
  rawEvent?: unknown;
  subagentRunId?: string;
}

export interface Raw {
  /** For an event that opens something or stands alone. */
  of(origin: Origin | undefined): Provenance;
  /** For an event that continues or closes what was opened. */
  following(origin: Origin | undefined): Provenance;
  /** The RAW event of a LangGraph event. */
  event(origin: Origin, data: Record<string, unknown>): ProcessedEvents[];
}

/** How much of LangGraph's own events the client gets to see. */
export function createRaw(
  detail: "full" | "slim" | "off",
  subagentOf: (place: Place) => string | undefined,
): Raw {
  const attribution = (origin: Origin | undefined) => {
    const subagentRunId = origin && subagentOf(origin.place);
    return subagentRunId === undefined ? {} : { subagentRunId };
  };
  const slim = (origin: Origin, kept: RegExp) => ({
    event: origin.event,
    ...(origin.name ? { name: origin.name } : {}),
    metadata: pick(origin.metadata, kept),
  });
  const rawEvent = (origin: Origin | undefined, kept: RegExp) => {
    if (detail === "off" || !origin) return attribution(origin);
    return { rawEvent: detail === "full" ? origin.data : slim(origin, kept), ...attribution(origin) };
  };
  return {
    of: (origin) => rawEvent(origin, KEPT),
    following: (origin) => rawEvent(origin, KEPT_AFTERWARDS),
    event(origin, data) {
      // Rows of other modes travel as chunks of the graph; they are told by what they are.
      if (detail === "off" || origin.event === "on_chain_stream") return [];
      if (detail === "full") return [rawEventOf(origin.data, attribution(origin))];
      const chunk = chunkOf(data.chunk);
      return [
        rawEventOf(
          {
            ...slim(origin, KEPT),
            ...(origin.runId ? { run_id: origin.runId } : {}),
            ...(chunk ? { data: { chunk } } : {}),
          },
          attribution(origin),
        ),
      ];
    },
  };
}

function rawEventOf(event: unknown, provenance: Provenance): ProcessedEvents {
  return { type: "RAW", event, ...provenance } as ProcessedEvents;
}

function pick(metadata: Record<string, unknown>, kept: RegExp): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const key of Object.keys(metadata)) if (kept.test(key)) picked[key] = metadata[key];
  return picked;
}

function chunkOf(value: unknown): Record<string, unknown> | undefined {
  const message = readMessage(value) as Record<string, unknown> | undefined;
  if (!message) return undefined;
  const chunk: Record<string, unknown> = {};
  for (const field of CHUNK_FIELDS) if (says(message[field])) chunk[field] = message[field];
  return chunk;
}

function says(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return isRecord(value) ? Object.keys(value).length > 0 : value !== undefined && value !== null;
}
