import { isRecord } from "../messages/json";
import { readMessage } from "../messages/read-message";

/** Whose messages a history is made of. */
export type HistoryFormat = "AG-UI" | "LangChain";

/** The messages of a history, as they were found. */
export interface FoundHistory {
  format: HistoryFormat;
  messages: readonly unknown[];
}

/**
 * The history in a JSON value: a list of messages, an object with `messages` (a state, a run's input, a snapshot
 * event), or a thread's state with `values.messages`; of a list of states the first, which is the newest.
 *
 * @returns Nothing where the value holds no list of messages.
 */
export function readHistory(value: unknown): FoundHistory | undefined {
  const messages = messagesIn(value);
  return messages && { format: formatOf(messages), messages };
}

function messagesIn(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return (isRecord(value[0]) && messagesOfState(value[0])) || value;
  if (!isRecord(value)) return undefined;
  return Array.isArray(value.messages) ? value.messages : messagesOfState(value);
}

function messagesOfState({ values }: Record<string, unknown>): readonly unknown[] | undefined {
  return isRecord(values) && Array.isArray(values.messages) ? values.messages : undefined;
}

/** What most of the messages are that can be told: a role and a text could be either's. */
function formatOf(messages: readonly unknown[]): HistoryFormat {
  const records = messages.filter(isRecord);
  const agui = records.filter((message) => "toolCalls" in message || "toolCallId" in message).length;
  return records.filter(isLangChain).length > agui ? "LangChain" : "AG-UI";
}

function isLangChain(message: Record<string, unknown>): boolean {
  const hasItsKeys = "tool_calls" in message || "tool_call_id" in message || "additional_kwargs" in message;
  return hasItsKeys || (message.type !== undefined && readMessage(message) !== undefined);
}
