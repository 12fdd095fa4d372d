import { textOf } from "../messages/content";
import { UNKNOWN_ERROR } from "../messages/legible";
import type { AgentToolMessage, AguiMessage } from "../types";

/** Finds the error text in a tool message that has no `error`; `undefined` where it did not fail. */
export type ToolErrorRule = (message: AgentToolMessage) => string | undefined;

/** What CopilotKit's client writes for a frontend tool that threw. */
const REPORTED_ERROR = /^Error:\s*([\s\S]*)$/;

/**
 * The messages, with `error` on the tool results that failed without saying so in the protocol's terms.
 *
 * @param toolNames The client's tools.
 * @param rule `true`: the result of a client's tool failed if its content is `Error: <text>`. A function replaces that
 *   rule and is asked about every result without an `error`. `false`: nothing is inferred.
 */
export function inferToolErrors(
  messages: readonly AguiMessage[],
  toolNames: ReadonlySet<string>,
  rule: boolean | ToolErrorRule,
): AguiMessage[] {
  const errorOf = rule === true ? errorReportedBy(messages, toolNames) : rule;
  if (!errorOf) return [...messages];
  return messages.map((message) => {
    if (message?.role !== "tool" || message.error) return message;
    const error = errorOf(message);
    return error === undefined ? message : { ...message, error };
  });
}

/** The calls are looked up when a result looks like a failure: in most histories none does. */
function errorReportedBy(
  messages: readonly AguiMessage[],
  toolNames: ReadonlySet<string>,
): ToolErrorRule | undefined {
  if (toolNames.size === 0) return undefined;
  let calls: Set<string> | undefined;
  return ({ toolCallId, content }) => {
    const text = REPORTED_ERROR.exec(textOf(content))?.[1];
    if (text === undefined) return undefined;
    calls ??= frontendCalls(messages, toolNames);
    return calls.has(toolCallId) ? text || UNKNOWN_ERROR : undefined;
  };
}

function frontendCalls(messages: readonly AguiMessage[], toolNames: ReadonlySet<string>): Set<string> {
  const calls = messages.flatMap((message) =>
    message?.role === "assistant" ? (message.toolCalls ?? []) : [],
  );
  return new Set(calls.filter((call) => toolNames.has(call?.function?.name)).map(({ id }) => id));
}
