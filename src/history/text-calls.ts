import { textOf } from "../messages/content";
import type { LangChainMessage } from "../types";
import type { GuardContext } from "./context";
import { type AiMessage, callsOf, idText, isAi, isToolResult, type ToolResult } from "./shapes";
import { readTextCall } from "./text-dialects";

/**
 * A call that a model wrote as text becomes a native call, under the call id of the result that follows at once.
 * Without such a result, or for a tool that is not allowed, it stays text.
 */
export function promoteTextCalls(
  messages: readonly LangChainMessage[],
  context: GuardContext,
): LangChainMessage[] {
  if (context.allowedToolNames.size === 0) return [...messages];
  const made = new Set<string>();
  return messages.map((message, at) => {
    if (!isAi(message)) return message;
    const calls = callsOf(message);
    for (const { id } of calls) made.add(idText(id));
    const result = calls.length === 0 ? resultBehind(messages, at, made) : undefined;
    if (!result) return message;
    const promoted = promote(message, result, context.allowedToolNames);
    if (!promoted) return message;
    made.add(result.tool_call_id);
    context.report(
      "text-call-promoted",
      message,
      "The call was written as text and became a native call.",
      result.tool_call_id,
    );
    return promoted;
  });
}

/** The result that follows at once, not counting the results of calls that are known. */
function resultBehind(
  messages: readonly LangChainMessage[],
  at: number,
  made: ReadonlySet<string>,
): ToolResult | undefined {
  for (let next = at + 1; next < messages.length; next += 1) {
    const result = messages[next];
    if (!result || !isToolResult(result)) return undefined;
    if (!made.has(idText(result.tool_call_id))) return result;
  }
  return undefined;
}

function promote(
  message: AiMessage,
  result: ToolResult,
  allowed: ReadonlySet<string>,
): AiMessage | undefined {
  const id = idText(result.tool_call_id);
  const call = id === "" || !isOnlyText(message.content) ? undefined : readTextCall(textOf(message.content));
  if (!call || !allowed.has(call.name)) return undefined;
  return {
    ...message,
    content: "",
    tool_calls: [{ id, name: call.name, args: call.args, type: "tool_call" }],
  };
}

const isOnlyText = (content: AiMessage["content"]): boolean =>
  !Array.isArray(content) || content.every((block: { type?: unknown } | null) => block?.type === "text");
