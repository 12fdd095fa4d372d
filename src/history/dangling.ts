import { readReasoningBlock } from "../messages/reasoning";
import type { LangChainMessage } from "../types";
import type { GuardContext } from "./context";
import { hasToSay } from "./empty-content";
import type { Call, Pairing, Turn } from "./pairing";
import { type AiMessage, isToolResult } from "./shapes";

/**
 * A call without a result that nothing will answer any more is answered by a failed result, or taken out of its
 * message. Left alone are the calls that the coming run answers, and those at the live end of the history.
 */
export function closeDanglingCalls(
  messages: readonly LangChainMessage[],
  pairing: Pairing,
  context: GuardContext,
): void {
  const closed: [Turn, Call][] = [];
  let isEnd = true;
  // From the end, since a message that is left with nothing to say is no end.
  for (let at = messages.length - 1; at >= 0; at -= 1) {
    const message = messages[at];
    if (!message || isToolResult(message)) continue;
    const turn = pairing.turns.get(at);
    if (turn) closed.push(...closeCalls(turn, isEnd, context));
    if (turn ? !isLeftEmpty(turn) : hasToSay(message, isEnd, context)) isEnd = false;
  }
  for (const [{ message }, call] of closed.reverse()) {
    const detail = call.removed ? "was taken out of its message" : "was given a failed result";
    context.report("dangling-call", message, `The unanswered call ${detail}.`, call.id);
  }
}

function closeCalls(turn: Turn, isEnd: boolean, context: GuardContext): [Turn, Call][] {
  if (isEnd && context.keepLiveEnd && !context.settledIds.has(turn.message.id ?? "")) return [];
  const dangling = turn.calls.filter((call) => !call.result && !context.openCallIds.has(call.id));
  for (const call of dangling) {
    if (context.danglingCalls === "demote") call.removed = true;
    else call.unanswered = true;
  }
  return dangling.map((call): [Turn, Call] => [turn, call]).reverse();
}

/** Whether nothing is left of a message whose calls were taken out: reasoning alone is refused by providers. */
export function isLeftEmpty({ message, calls }: Turn): boolean {
  return calls.every(({ removed }) => removed) && !saysSomething(message.content);
}

function saysSomething(content: AiMessage["content"]): boolean {
  if (!Array.isArray(content)) return typeof content === "string" && content.trim() !== "";
  return content.some((block: { type?: unknown; text?: unknown }) =>
    block.type === "text"
      ? typeof block.text === "string" && block.text.trim() !== ""
      : !CALLS.has(block.type) && readReasoningBlock(block) === undefined,
  );
}

/** The blocks that go with the calls. */
const CALLS: ReadonlySet<unknown> = new Set(["tool_use", "tool_call", "input_json_delta", "functionCall"]);
