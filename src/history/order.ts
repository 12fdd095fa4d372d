import { syntheticToolResult } from "../messages/tool-result";
import type { LangChainMessage } from "../types";
import type { GuardContext } from "./context";
import { isLeftEmpty } from "./dangling";
import { reportName } from "./names";
import type { Call, Pairing, Turn } from "./pairing";
import { rewriteCalls } from "./rewrite-calls";
import { type AiMessage, idText, isToolResult, type NativeCall, type ToolResult } from "./shapes";

/** Puts each chosen result right after the message that made its call, in the order of the calls; all others go. */
export function placeResults(
  messages: readonly LangChainMessage[],
  pairing: Pairing,
  context: GuardContext,
): LangChainMessage[] {
  const standsAfter = predecessors(messages, pairing);
  const placed: LangChainMessage[] = [];
  for (const [at, message] of messages.entries()) {
    if (isToolResult(message)) continue;
    const turn = pairing.turns.get(at);
    if (!turn) {
      placed.push(message);
      continue;
    }
    const decided = decide(turn);
    if (decided) placed.push(decided);
    let previous: LangChainMessage = message;
    for (const call of turn.calls) {
      if (call.unanswered) placed.push(syntheticToolResult({ toolCallId: call.id, name: call.name }));
      if (!call.result || !call.chosen) continue;
      if (call.chosen === call.candidates[0] && standsAfter.get(call) !== previous) {
        context.report("result-moved", call.chosen, "The result was moved to its call.", call.id);
      }
      placed.push(follow(call.result, call, context));
      previous = call.chosen;
    }
  }
  return placed;
}

/** What each chosen result stands behind, not counting the results that are dropped. */
function predecessors(messages: readonly LangChainMessage[], pairing: Pairing): Map<Call, LangChainMessage> {
  const standsAfter = new Map<Call, LangChainMessage>();
  let previous: LangChainMessage | undefined;
  for (const message of messages) {
    if (isToolResult(message)) {
      const call = pairing.callOfResult.get(message);
      if (call?.chosen !== message) continue;
      if (previous) standsAfter.set(call, previous);
    }
    previous = message;
  }
  return standsAfter;
}

/** The message with what was decided about its calls; itself where nothing changed, nothing where nothing is left. */
function decide(turn: Turn): AiMessage | undefined {
  const { message, calls } = turn;
  if (calls.every(isAsItWas)) return message;
  if (isLeftEmpty(turn)) return undefined;
  return rewriteCalls(
    message,
    calls.map((call) => (call.removed ? undefined : changedCall(call))),
  );
}

const isAsItWas = ({ original, id, name, removed }: Call): boolean =>
  !removed && original.id === id && original.name === name;

function changedCall(call: Call): NativeCall {
  return isAsItWas(call) ? call.original : { ...call.original, id: call.id, name: call.name };
}

function follow(result: ToolResult, call: Call, context: GuardContext): ToolResult {
  const sameId = idText(result.tool_call_id) === call.id && typeof result.tool_call_id === "string";
  const sameName = result.name === call.name;
  if (sameId && sameName) return result;
  if (!sameName) reportName(call, context);
  return { ...result, tool_call_id: call.id, name: call.name };
}
