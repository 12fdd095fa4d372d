import { isRecord } from "../messages/json";
import { readMessage } from "../messages/read-message";
import type { LangChainMessage } from "../types";

/**
 * The messages in what a tool or a node gave: a message, a list, a Command with messages in its update, a state
 * update. Whatever else it gave (nothing, a text, a state without messages) has none.
 */
export function messagesOf(output: unknown): LangChainMessage[] {
  if (Array.isArray(output)) return output.flatMap(messagesOf);
  if (!isRecord(output)) return [];
  const message = readMessage(output);
  if (message) return [message];
  if (isRecord(output.update) || Array.isArray(output.update)) return messagesOf(output.update);
  const { messages } = output;
  // A reducer that was told to overwrite gets its value wrapped.
  const list = isRecord(messages) && "$writes" in messages ? messages.$writes : messages;
  return list === undefined ? [] : messagesIn(list);
}

function messagesIn(value: unknown): LangChainMessage[] {
  if (Array.isArray(value)) return value.flatMap(messagesIn);
  const message = readMessage(value);
  return message ? [message] : [];
}
