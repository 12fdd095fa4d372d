import { isRecord } from "../messages/json";
import { readReasoningBlock } from "../messages/reasoning";
import type { LangChainMessage } from "../types";
import type { GuardContext } from "./context";
import { callsOf, isAi, isToolResult } from "./shapes";

/** No blank text block, and no content that is neither text nor blocks: providers refuse them. */
export function takeOutBlanks(
  messages: readonly LangChainMessage[],
  context: GuardContext,
): LangChainMessage[] {
  return messages.map((message) => {
    const full = isToolResult(message) ? message : withoutBlanks(message);
    if (full !== message) context.report("empty-content", message, "Blank content was taken out.");
    return full;
  });
}

/** No message without anything to say, but assistant messages with calls and an empty last answer. */
export function dropEmptyMessages(
  messages: readonly LangChainMessage[],
  context: GuardContext,
): LangChainMessage[] {
  const kept: LangChainMessage[] = [];
  let isEnd = true;
  // From the end, since what is the last answer depends on what is kept after it.
  for (const message of messages.toReversed()) {
    if (isToolResult(message)) kept.push(message);
    else if (hasToSay(message, isEnd, context)) {
      kept.push(message);
      isEnd = false;
    } else context.report("empty-content", message, "The message was dropped: it says nothing.");
  }
  return kept.reverse();
}

/** Whether a message is worth keeping: the last answer of a model may be empty. */
export function hasToSay(message: LangChainMessage, isEnd: boolean, context: GuardContext): boolean {
  if (!isBlankText(message.content) && !isOnlyReasoning(message.content)) return true;
  if (!isAi(message)) return false;
  return callsOf(message).length > 0 || (isEnd && !context.settledIds.has(message.id ?? ""));
}

/** Whether a content is a text with something to read in it, as nearly all are. */
export const isText = (content: unknown): boolean => typeof content === "string" && !isBlankText(content);

/** Whether a content is nothing but reasoning, of which most providers' packages send nothing. */
export function isOnlyReasoning(content: unknown): boolean {
  return Array.isArray(content) && content.every((block) => readReasoningBlock(block) !== undefined);
}

/** The message without blank content: itself where it has none. */
export function withoutBlanks(message: LangChainMessage): LangChainMessage {
  const content: unknown = message.content;
  if (typeof content === "string") {
    return content !== "" && isAi(message) && isBlankText(content) ? { ...message, content: "" } : message;
  }
  if (!Array.isArray(content)) return { ...message, content: "" } as LangChainMessage;
  const blocks = content.filter((block) => !isBlankBlock(block));
  if (blocks.length === content.length && content.length > 0) return message;
  return { ...message, content: blocks.length > 0 ? blocks : "" } as LangChainMessage;
}

function isBlankBlock(block: unknown): boolean {
  return isRecord(block) ? block.type === "text" && isBlankText(block.text) : isBlankText(block);
}

/** Nearly all texts start with a letter; a search for one stops at the first, where trimming would copy the text. */
const isBlankText = (text: unknown): boolean =>
  typeof text === "string"
    ? text === "" || (!isVisibleAscii(text.charCodeAt(0)) && !/\S/.test(text))
    : text === undefined || text === null;

const isVisibleAscii = (code: number): boolean => code > 0x20 && code < 0x7f;
