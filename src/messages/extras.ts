import { isRecord, jsonText, parseRecord } from "./json";

/**
 * What an AG-UI message carries and a LangChain message has no place for lies in its `additional_kwargs` under
 * this key, as one JSON string: LangGraph's serialisers revive or lose nested objects that have an `lc` key, and
 * what a client sends must not reach a deserialiser.
 */
export const EXTRAS_KEY = "ag-ui";

const NOTHING: Readonly<Record<string, unknown>> = Object.freeze({});

/** What was put away with a message; an empty object where there is nothing, or nothing that can be read. */
export function readExtras(message: { additional_kwargs?: unknown }): Readonly<Record<string, unknown>> {
  const kwargs = message.additional_kwargs;
  return (isRecord(kwargs) && parseRecord(kwargs[EXTRAS_KEY])) || NOTHING;
}

/** The key and the JSON string to put into `additional_kwargs`; nothing when there is nothing to put away. */
export function writeExtras(extras: Record<string, unknown>): { [EXTRAS_KEY]?: string } {
  for (const key in extras) {
    // `undefined` is nothing to JSON too.
    if (extras[key] !== undefined) return { [EXTRAS_KEY]: jsonText(extras) };
  }
  return NOTHING;
}
