import { contentAsText } from "../messages/content";
import { isRecord } from "../messages/json";
import { makeLegible } from "../messages/tool-result";
import type { LangChainMessage } from "../types";
import type { GuardContext } from "./context";
import { isPlaceholder } from "./placeholders";
import { callsOf, idText, isAi, isToolResult, type ToolResult } from "./shapes";

/** Keys of a tool message's `additional_kwargs` that change what some provider is sent. */
const RESERVED = [
  "tool_calls",
  "function_call",
  "audio",
  "type",
  "customTool",
  "originalTextContentBlock",
] as const;

/**
 * What a tool gave, as every provider takes it: texts in one string, a failure that can be read in it, and no key that
 * some provider would act on. A result with an image stays as it is: the model that the graph uses could read it.
 */
export function mendResults(
  messages: readonly LangChainMessage[],
  context: GuardContext,
): LangChainMessage[] {
  const custom = customCallIds(messages);
  return messages.map((message) => (isToolResult(message) ? mend(message, custom, context) : message));
}

/** Whether nothing of a result has to be mended. */
export function isForEveryProvider(result: ToolResult, context: GuardContext): boolean {
  if (typeof result.content !== "string" || hasReservedKey(result, NONE)) return false;
  return result.status !== "error" || inWords(result, context.toolErrorContent) === result;
}

const NONE: ReadonlySet<string> = new Set();

/** The calls of OpenAI's custom tools, whose results are sent as theirs by one of the reserved keys. */
export function customCallIds(messages: readonly LangChainMessage[]): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const message of messages) {
    if (!isAi(message)) continue;
    for (const call of callsOf(message))
      if ("isCustomTool" in call && call.isCustomTool) ids.add(idText(call.id));
  }
  return ids;
}

function mend(result: ToolResult, custom: ReadonlySet<string>, context: GuardContext): ToolResult {
  const legible = inWords(withText(result), context.toolErrorContent);
  if (legible.status === "error" && legible.content !== result.content) {
    context.report(
      "failure-made-legible",
      result,
      "The failure was written into the content.",
      result.tool_call_id,
    );
  }
  return hasReservedKey(result, custom) ? withoutReserved(legible, context) : legible;
}

/** A failure, legible. A placeholder says what happened, and is known by its whole text. */
export function inWords(result: ToolResult, toolErrorContent: GuardContext["toolErrorContent"]): ToolResult {
  if (result.status !== "error" || isPlaceholder(result)) return result;
  return makeLegible(result, { toolErrorContent });
}

function withText(result: ToolResult): ToolResult {
  const content: unknown = result.content;
  if (typeof content === "string") return result;
  return hasMedia(content) ? result : { ...result, content: contentAsText(content) };
}

/** Whether a content has blocks that are no text. */
export function hasMedia(content: unknown): boolean {
  return (
    Array.isArray(content) &&
    content.some((block) => isRecord(block) && typeof block.type === "string" && block.type !== "text")
  );
}

/** Whether a tool message has a key that some provider would act on, and should not. */
export function hasReservedKey(result: ToolResult, custom: ReadonlySet<string>): boolean {
  const { additional_kwargs: kwargs, response_metadata: metadata } = result;
  if (isRecord(metadata) && metadata.output_version === "v1") return true;
  if (!isRecord(kwargs)) return false;
  return Object.keys(kwargs).some(isReserved) && !custom.has(result.tool_call_id);
}

function withoutReserved(result: ToolResult, context: GuardContext): ToolResult {
  const { additional_kwargs: kwargs, response_metadata: metadata } = result;
  context.report(
    "reserved-key",
    result,
    "A key that providers act on was taken off the result.",
    result.tool_call_id,
  );
  const { output_version: version, ...otherMetadata } = metadata ?? {};
  const otherKwargs = Object.entries(kwargs ?? {}).filter(([key]) => !isReserved(key));
  return {
    ...result,
    ...(kwargs && { additional_kwargs: Object.fromEntries(otherKwargs) }),
    ...(version === "v1" && { response_metadata: otherMetadata }),
  };
}

const isReserved = (key: string): boolean => RESERVED.some((reserved) => reserved === key);
