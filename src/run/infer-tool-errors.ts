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
  if (rule === false) return [...messages];
  const errorOf = rule === true ? errorReportedBy(frontendCalls(messages, toolNames)) : rule;
  return messages.map((message) => {
    if (message?.role !== "tool" || message.error) return message;
    const error = errorOf(message);
    return error === undefined ? message : { ...message, error };
  });
}

function frontendCalls(messages: readonly AguiMessage[], toolNames: ReadonlySet<string>): Set<string> {
  const calls = messages.flatMap((message) =>
    message?.role === "assistant" ? (message.toolCalls ?? []) : [],
  );
  return new Set(calls.filter((call) => toolNames.has(call?.function?.name)).map(({ id }) => id));
}

function errorReportedBy(calls: ReadonlySet<string>): ToolErrorRule {
  return ({ toolCallId, content }) => {
    const text = calls.has(toolCallId) ? REPORTED_ERROR.exec(textOf(content))?.[1] : undefined;
    return text === undefined ? undefined : text || UNKNOWN_ERROR;
  };
}
