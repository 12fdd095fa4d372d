import { isDirectToolOutput, type MessageContent, ToolMessage } from "@langchain/core/messages";
import { textOf } from "../messages/content";
import { isRecord, jsonText } from "../messages/json";
import type { ToolErrorAnswer } from "./tool-error-answer";

/**
 * The result of a call whose failure was handled. What is recorded for the client is what the model reads, where that
 * has a text: who chose the words for the model did not choose the exception's for the client. What is itself a whole
 * result (a message, a command) stays as it is.
 */
export function failedResult(
  { content, reason }: ToolErrorAnswer,
  callId: string,
  { name, metadata }: { name: string; metadata?: Record<string, unknown> },
): unknown {
  if (isDirectToolOutput(content)) return content;
  const written = isMessageContent(content) ? content : jsonText(content);
  const text = textOf(written);
  return new ToolMessage({
    status: "error",
    content: written,
    tool_call_id: callId,
    name,
    metadata,
    additional_kwargs: { error: text.trim() ? text : reason },
  });
}

const isMessageContent = (content: unknown): content is MessageContent =>
  typeof content === "string" ||
  (Array.isArray(content) && content.every((block) => isRecord(block) && "type" in block));
