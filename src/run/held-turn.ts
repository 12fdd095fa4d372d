import type { AguiMessage, RunAgentExtendedInput } from "../types";

/**
 * The run that a client would start if it did not have the results already: its graph has ended where calls of the
 * client's tools are open, and the client sent their results before the thread had the calls.
 *
 * @param messages What the client has at the end of the run, with what was held.
 * @returns Nothing where the graph does not wait for these results.
 */
export function heldTurn(
  input: RunAgentExtendedInput,
  messages: readonly AguiMessage[],
  held: readonly AguiMessage[],
): RunAgentExtendedInput | undefined {
  const results = held.flatMap((message) => (message.role === "tool" ? message.toolCallId : []));
  if (results.length === 0) return undefined;
  const last = messages.findLast((message) => message.role !== "tool" && !held.includes(message));
  const calls = last?.role === "assistant" ? (last.toolCalls ?? []).map(({ id }) => id) : [];
  const answered = new Set(messages.map((message) => message.role === "tool" && message.toolCallId));
  if (!calls.some((id) => results.includes(id)) || !calls.every((id) => answered.has(id))) return undefined;
  const { resume: _, ...rest } = input;
  const { command: __, ...forwardedProps } = input.forwardedProps ?? {};
  // What the client knew of the state is older than what the graph has made of it.
  return { ...rest, state: {}, messages: [...messages], forwardedProps };
}
