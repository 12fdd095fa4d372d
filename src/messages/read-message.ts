import type { LangChainMessage } from "../types";
import { isRecord } from "./json";

const PLAIN_TYPES = new Set(["human", "ai", "system", "tool", "function", "developer", "remove", "generic"]);

const TYPE_OF_ROLE = new Map([
  ["user", "human"],
  ["assistant", "ai"],
  ["chat", "generic"],
]);

/** What a message instance may carry beside its content: all that some room of the adapter reads. */
const FIELDS = [
  "id",
  "name",
  "role",
  "content",
  "additional_kwargs",
  "response_metadata",
  "tool_calls",
  "invalid_tool_calls",
  "tool_call_chunks",
  "usage_metadata",
  "tool_call_id",
  "status",
  "artifact",
  "metadata",
] as const;

/**
 * Reads a message in any of the forms in which graphs and servers hand it over: a plain dict, a message instance,
 * a serialised constructor, a stored `{ type, data }`, and the type names of Python (`AIMessageChunk`).
 *
 * @returns A plain dict with a plain `type`: the value itself where it is one already. `undefined` for all that is
 *   no message. Never throws.
 */
export function readMessage(value: unknown): LangChainMessage | undefined {
  try {
    return isRecord(value) ? readRecord(value) : undefined;
  } catch {
    return undefined;
  }
}

function readRecord(value: Record<string, unknown>): LangChainMessage | undefined {
  if (value.lc === 1 && value.type === "constructor") return readConstructor(value);
  if (isInstance(value)) return readInstance(value);
  const type = plainType(value.type ?? value.role);
  if (type === undefined) return undefined;
  if (isRecord(value.data) && value.content === undefined) return asMessage({ ...value.data, type });
  return asMessage(value.type === type ? value : { ...value, type });
}

function readConstructor({ id, kwargs }: Record<string, unknown>): LangChainMessage | undefined {
  const type = Array.isArray(id) ? plainType(id.at(-1)) : undefined;
  return type !== undefined && isRecord(kwargs) ? asMessage({ ...kwargs, type }) : undefined;
}

function readInstance(value: Record<string, unknown>): LangChainMessage | undefined {
  const type = plainType(typeof value._getType === "function" ? value._getType() : value.type);
  if (type === undefined) return undefined;
  const dict: Record<string, unknown> = { type };
  for (const field of FIELDS) if (value[field] !== undefined) dict[field] = value[field];
  return asMessage(dict);
}

/** Messages of another copy of `@langchain/core` are no instances of ours, but all have this field. */
function isInstance(value: Record<string, unknown>): boolean {
  return Array.isArray(value.lc_namespace) || typeof value._getType === "function";
}

function plainType(name: unknown): string | undefined {
  if (typeof name !== "string") return undefined;
  if (PLAIN_TYPES.has(name)) return name;
  const short = name.replace(/Message(Chunk)?$/, "").toLowerCase();
  const type = TYPE_OF_ROLE.get(short) ?? short;
  return PLAIN_TYPES.has(type) ? type : undefined;
}

function asMessage(dict: Record<string, unknown>): LangChainMessage {
  return dict as unknown as LangChainMessage;
}

/** The messages among values of any kind, in order. */
export const readMessages = (values: readonly unknown[]): LangChainMessage[] =>
  values.flatMap((value) => readMessage(value) ?? []);
