import { aguiMessagesToLangChain } from "../messages/to-langchain";
import type { AguiMessage, LangChainMessage } from "../types";
import { sameJson } from "./state";

/** How a run relates to what the thread's checkpoint holds. */
export type RunKind = { kind: "continue" } | { kind: "regenerate"; messageId: string };

/**
 * Whether the client goes on or starts again before one of its messages.
 *
 * More checkpoint messages than the client sent is a continuation where every non-tool id that was sent is
 * in the checkpoint (its stream broke before the snapshot), and a regeneration only where some id is unknown
 * and the last user message's id is known. New text under a known user id at the end is an edit, which
 * starts again before it as well.
 */
export function runKind(checkpoint: readonly LangChainMessage[], sent: readonly AguiMessage[]): RunKind {
  const lastUser = sent.findLast((message) => message?.role === "user");
  // Most often the last user message is new, and nothing else has to be looked at.
  const known = lastUser?.id ? checkpoint.findLast((message) => message?.id === lastUser.id) : undefined;
  if (!lastUser || !known) return { kind: "continue" };
  const startAgain: RunKind = { kind: "regenerate", messageId: lastUser.id };
  if (lastUser === sent.at(-1) && isEdited(lastUser, known)) return startAgain;
  const behind = countConversation(checkpoint, "type") > countConversation(sent, "role");
  if (!behind) return { kind: "continue" };
  const stored = new Set(checkpoint.map((message) => message?.id));
  return sent.some((message) => message?.id && message.role !== "tool" && !stored.has(message.id))
    ? startAgain
    : { kind: "continue" };
}

/** Whether a user's message says something else than the graph's message of the same id. */
export function isEdited(sent: AguiMessage, stored: LangChainMessage): boolean {
  const [converted] = aguiMessagesToLangChain([sent]);
  return converted !== undefined && !sameJson(converted.content, stored.content);
}

/** System messages do not count: graphs add some that the client never sees. */
function countConversation<K extends string>(
  messages: readonly Partial<Record<K, unknown>>[],
  key: K,
): number {
  return messages.filter((message) => message && message[key] !== "system").length;
}
