import type { LangChainMessage } from "../types";
import { hasSoundCalls } from "./arguments";
import type { GuardContext } from "./context";
import { hasToSay, withoutBlanks } from "./empty-content";
import { isForEveryProvider } from "./results";
import { hasKnownType } from "./roles";
import { type AiMessage, callsOf, isAi, isToolResult, type NativeCall, type ToolResult } from "./shapes";

/**
 * Most histories are in order. They are told by one walk, which costs a small part of what the guards do.
 *
 * @returns The history with the tool's name on each result, or nothing where some guard has work to do.
 */
export function asHealthy(
  history: readonly LangChainMessage[],
  context: GuardContext,
): LangChainMessage[] | undefined {
  const walk = createWalk(context);
  let healthy: LangChainMessage[] | undefined;
  const last = history.length - 1;
  let at = -1;
  for (const message of history) {
    at += 1;
    const passed = isToolResult(message) ? walk.result(message) : walk.message(message, at === last);
    if (!passed) return undefined;
    if (passed !== message) {
      healthy ??= history.slice();
      healthy[at] = passed;
    }
  }
  return walk.mayEnd() ? (healthy ?? history.slice()) : undefined;
}

/** No class: what the engine learned of its instances would be forgotten with the last one, and be learned in each run. */
function createWalk(context: GuardContext) {
  const callIds = new Set<string>();
  let turn: AiMessage | undefined;
  let calls: readonly NativeCall[] = [];
  let answered = 0;

  const areNew = (): boolean => {
    for (const { id, name } of calls) {
      if (typeof id !== "string" || id === "" || !name || callIds.has(id)) return false;
      callIds.add(id);
    }
    return true;
  };

  return {
    result(result: ToolResult): ToolResult | undefined {
      const call = calls[answered];
      answered += 1;
      if (!call || call.id !== result.tool_call_id || !isForEveryProvider(result, context)) return undefined;
      if (result.name === call.name) return result;
      // What lacks a name in the checkpoint is reported, and what has another one too.
      if (result.name || context.storedIds.has(result.id ?? "")) return undefined;
      return { ...result, name: call.name };
    },
    message(message: LangChainMessage, isEnd: boolean): LangChainMessage | undefined {
      if (answered < calls.length || !hasKnownType(message)) return undefined;
      if (withoutBlanks(message) !== message || !hasToSay(message, isEnd, context)) return undefined;
      answered = 0;
      turn = isAi(message) ? message : undefined;
      calls = turn ? callsOf(turn) : NO_CALLS;
      return !turn || (hasSoundCalls(turn) && areNew()) ? message : undefined;
    },
    /** Whether the calls that are open now may be left to whoever still answers them. */
    mayEnd(): boolean {
      if (answered === calls.length) return true;
      if (context.keepLiveEnd && !context.settledIds.has(turn?.id ?? "")) return true;
      return calls.slice(answered).every(({ id }) => context.openCallIds.has(id ?? ""));
    },
  };
}

const NO_CALLS: readonly NativeCall[] = [];
