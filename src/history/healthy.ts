import type { LangChainMessage } from "../types";
import { hasSoundCalls } from "./arguments";
import type { GuardContext } from "./context";
import { hasToSay, isText, withoutBlanks } from "./empty-content";
import { isForEveryProvider } from "./results";
import { hasKnownType } from "./roles";
import { addId, noIdsYet, type SeenIds } from "./seen-ids";
import { type AiMessage, isAi, isToolResult, type NativeCall, type ToolResult } from "./shapes";

/** The history with the tool's name on each result, or nothing where some guard has work to do. */
export function asHealthy(
  history: readonly LangChainMessage[],
  context: GuardContext,
): LangChainMessage[] | undefined {
  return healthyWalk(history.length, (at) => history[at], context);
}

/**
 * Gives the message at a place: nothing for one that is left out, `null` where the history is none for this way.
 *
 * @param callName The tool whose result comes next.
 */
export type MessageAt = (at: number, callName: string | undefined) => LangChainMessage | undefined | null;

/**
 * Most histories are in order. They are told by one walk, which costs a small part of what the guards do, and in which
 * they may be made as well: a second walk over a long history finds nothing of it in the processor's cache any more. What
 * the walk knows is in local variables: the engine soon forgets what it has learned of an object that each run makes anew.
 */
export function healthyWalk(
  length: number,
  messageAt: MessageAt,
  context: GuardContext,
): LangChainMessage[] | undefined {
  const callIds = noIdsYet(length);
  const healthy: LangChainMessage[] = [];
  let turn: AiMessage | undefined;
  let calls: readonly NativeCall[] = NO_CALLS;
  let answered = 0;
  for (let at = 0; at < length; at += 1) {
    const message = messageAt(at, calls[answered]?.name);
    if (message === null) return undefined;
    if (!message) continue;
    if (isToolResult(message)) {
      const named = asAnswer(message, calls[answered], context);
      if (!named) return undefined;
      answered += 1;
      healthy.push(named);
    } else {
      if (answered < calls.length || !isSound(message, at === length - 1, context)) return undefined;
      healthy.push(message);
      turn = isAi(message) ? message : undefined;
      calls = turn?.tool_calls ?? NO_CALLS;
      answered = 0;
      if (calls.length > 0 && !areNew(calls, callIds)) return undefined;
    }
  }
  if (answered < calls.length && !mayStayOpen(turn, calls.slice(answered), context)) return undefined;
  return healthy;
}

const NO_CALLS: readonly NativeCall[] = [];

/** The result with the name of its call's tool; nothing where it is none, or has to be mended. */
function asAnswer(
  result: ToolResult,
  call: NativeCall | undefined,
  context: GuardContext,
): ToolResult | undefined {
  if (!call || call.id !== result.tool_call_id || !isForEveryProvider(result, context)) return undefined;
  if (result.name === call.name) return result;
  // What lacks a name in the checkpoint is reported, and what has another one too.
  if (result.name || context.storedIds.has(result.id ?? "")) return undefined;
  return { ...result, name: call.name };
}

function isSound(message: LangChainMessage, isEnd: boolean, context: GuardContext): boolean {
  if (!hasKnownType(message) || (isAi(message) && !hasSoundCalls(message))) return false;
  if (isText(message.content)) return true;
  return withoutBlanks(message) === message && hasToSay(message, isEnd, context);
}

function areNew(calls: readonly NativeCall[], callIds: SeenIds): boolean {
  for (const { id, name } of calls) {
    if (typeof id !== "string" || id === "" || !name || !addId(id, callIds)) return false;
  }
  return true;
}

/** Whether the calls that are open at the end may be left to whoever still answers them. */
function mayStayOpen(
  turn: AiMessage | undefined,
  calls: readonly NativeCall[],
  context: GuardContext,
): boolean {
  if (context.keepLiveEnd && !context.settledIds.has(turn?.id ?? "")) return true;
  return calls.every(({ id }) => context.openCallIds.has(id ?? ""));
}
