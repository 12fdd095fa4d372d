import { idOf, isRecord } from "../messages/json";
import type { LangChainMessage } from "../types";

/** An assistant message as a plain dict. */
export type AiMessage = Extract<LangChainMessage, { type: "ai" }>;

/** A tool result as a plain dict. */
export type ToolResult = Extract<LangChainMessage, { type: "tool" }>;

/** A native tool call of an assistant message. */
export type NativeCall = NonNullable<AiMessage["tool_calls"]>[number];

export const isAi = (message: LangChainMessage): message is AiMessage => message.type === "ai";

export const isToolResult = (message: LangChainMessage): message is ToolResult => message.type === "tool";

/** The native calls of a message; a `null` among them is no call. */
export function callsOf(message: AiMessage): NativeCall[] {
  const calls: unknown = message.tool_calls;
  if (!Array.isArray(calls)) return [];
  return calls.every(isRecord) ? (calls as NativeCall[]) : (calls.filter(isRecord) as NativeCall[]);
}

/** A call id as it stands: the empty string where there is none. */
export const idText = (id: unknown): string => idOf(id) ?? "";
