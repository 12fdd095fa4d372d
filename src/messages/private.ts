import type { AguiMessage } from "../types";

const KEY = "langgraph_private";

/**
 * A message that a nested agent has for itself: its client shows it, but the thread does not hold it, and it must not
 * get into it when the client sends its history. The mark travels with the message.
 */
export function markedPrivate(message: AguiMessage): AguiMessage {
  return { ...message, metadata: { ...message.metadata, [KEY]: true } };
}

/**
 * What a client sent, without the messages of nested agents that the thread does not hold. Where the client was not told
 * that a message is private, since its run was cut off, it is one if the thread holds others.
 *
 * @param stored The ids of the thread's messages.
 */
export function withoutPrivate(
  messages: readonly AguiMessage[],
  stored: ReadonlySet<unknown>,
): AguiMessage[] {
  const kept: AguiMessage[] = [];
  let followedByPrivate = false;
  for (const message of [...messages].reverse()) {
    // Reasoning belongs to the message behind it.
    if (message?.role === "reasoning") {
      if (!isMarked(message) && !(followedByPrivate && message.subagentRunId !== undefined))
        kept.push(message);
      continue;
    }
    followedByPrivate = isPrivate(message, stored);
    if (!followedByPrivate) kept.push(message);
  }
  return kept.reverse();
}

/** Whether a message may be one of a nested agent: most histories have none. */
export function isNested(message: AguiMessage): boolean {
  return message?.subagentRunId !== undefined || isMarked(message);
}

function isPrivate(message: AguiMessage, stored: ReadonlySet<unknown>): boolean {
  if (message?.subagentRunId === undefined || stored.has(message.id)) return false;
  return isMarked(message) || stored.size > 0;
}

function isMarked(message: AguiMessage): boolean {
  return message?.metadata?.[KEY] === true;
}
