import { readExtras } from "../messages/extras";
import { isRecord } from "../messages/json";
import { isSynthetic } from "../messages/tool-result";
import type { ToolResult } from "./shapes";

/**
 * What stands for a result that is still to come: CopilotKit's runtime, adapters that close the calls of an
 * interrupted run, and agents that patch dangling calls write these. The whole text must be it.
 */
const PLACEHOLDERS: readonly RegExp[] = [
  /^Forwarded to client\.?$/i,
  /^(?:The )?tool call\b[^\n]{0,400} was interrupted before completion\.?$/i,
  /^(?:The )?tool call\b[^\n]{0,400} was cancelled - another message came in before it could be completed\.?$/i,
];

/** How all of them start, our own too. */
const START = /^\s*(?:Forwarded to|(?:The )?tool call)\b/i;

const LONGEST = 600;

/**
 * Whether a result only stands for the real one, which may still come. One that tells of a failure in words of its
 * own is a real one.
 */
export function isPlaceholder(result: ToolResult): boolean {
  // Nearly all results are told by how they start.
  if (result.status === "success" && typeof result.content === "string" && !START.test(result.content))
    return false;
  if (isSynthetic(result)) return true;
  const stands = standsForResult(result.content);
  const kwargs: unknown = result.additional_kwargs;
  const error = isRecord(kwargs) ? kwargs.error : undefined;
  if (typeof error !== "string") return stands;
  const saysNothing = error.trim() === "" || error === "error" || standsForResult(error);
  // What a client said is put away where the content had to be made legible.
  return saysNothing && (stands || standsForResult(readExtras(result).content));
}

/** Whether a content is nothing but a placeholder's text. */
function standsForResult(content: unknown): boolean {
  if (typeof content === "string") {
    if (content.length > LONGEST || !START.test(content)) return false;
    const text = content.trim();
    return PLACEHOLDERS.some((pattern) => pattern.test(text));
  }
  if (!Array.isArray(content) || content.length !== 1) return false;
  const [block] = content;
  return isRecord(block) && typeof block.text === "string" && standsForResult(block.text);
}
