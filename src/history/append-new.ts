import { readMessages } from "../messages/read-message";
import { aguiMessagesToLangChain } from "../messages/to-langchain";
import type { PreparedHistory, PrepareHistoryOptions } from "./prepare";

/**
 * The history of a graph whose reducer only appends: the client's new messages after the checkpoint's, and nothing
 * that would ask the reducer to replace or remove. Nothing is repaired; `historyGuardMiddleware` does it for the model.
 */
export function appendNew({ checkpoint, input, toolErrorContent }: PrepareHistoryOptions): PreparedHistory {
  const stored = readMessages(checkpoint);
  const ids = new Set(stored.map(({ id }) => id));
  const answered = new Set(
    stored.flatMap((message) => (message.type === "tool" ? message.tool_call_id : [])),
  );
  // A graph has its own system message.
  const update = aguiMessagesToLangChain(input, { toolErrorContent }).filter(
    (message, at) =>
      !(at === 0 && message.type === "system") &&
      !ids.has(message.id) &&
      !(message.type === "tool" && answered.has(message.tool_call_id)),
  );
  return { messages: [...stored, ...update], update, rewrites: false, changesStored: false, repairs: [] };
}
