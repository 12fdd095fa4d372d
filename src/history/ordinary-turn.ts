import { newConversion, nextToLangChain } from "../messages/to-langchain";
import type { AguiMessage, LangChainMessage } from "../types";
import type { GuardContext } from "./context";
import { convertInput, inputConversion } from "./convert-input";
import { asHealthy, healthyWalk, type MessageAt } from "./healthy";
import { isPlaceholder } from "./placeholders";
import { newMessages } from "./resend";
import { addId, noIdsYet } from "./seen-ids";
import { isToolResult } from "./shapes";

/**
 * The history of a run with which everything is in order: what `joinAndGuard` would make of it, without its tables.
 *
 * @returns Nothing for all other runs.
 */
export function ordinaryTurn(
  read: readonly LangChainMessage[],
  input: readonly AguiMessage[],
  context: GuardContext,
): LangChainMessage[] | undefined {
  return read.length === 0 ? newThread(input, context) : nextTurn(read, input, context);
}

/** A thread that the client knows: a few messages are new. */
function nextTurn(
  read: readonly LangChainMessage[],
  input: readonly AguiMessage[],
  context: GuardContext,
): LangChainMessage[] | undefined {
  const fresh = newMessages(read, input);
  if (!fresh) return undefined;
  const reported: string[] = [];
  const converted = convertInput(fresh, reportingTo(reported, context));
  if (reported.length > 0 || converted.some((message) => isToolResult(message) && isPlaceholder(message)))
    return undefined;
  return asHealthy(read.concat(converted), context);
}

/** A thread without a checkpoint, which a graph without a checkpointer finds on every turn: the whole history is new. */
function newThread(input: readonly AguiMessage[], context: GuardContext): LangChainMessage[] | undefined {
  const reported: string[] = [];
  const conversion = newConversion(inputConversion(reportingTo(reported, context)));
  const ids = noIdsYet(input.length);
  // A graph has its own system message.
  const start = input[0]?.role === "system" ? 1 : 0;
  const messageAt: MessageAt = (at, callName) => {
    const message = nextToLangChain(input[start + at] as AguiMessage, conversion, callName);
    if (reported.length > 0) return null;
    if (!message) return undefined;
    const isFirst = ids.taken === 0;
    if (!message.id || !addId(message.id, ids) || (isFirst && message.type === "system")) return null;
    return message;
  };
  return healthyWalk(input.length - start, messageAt, context);
}

/** The same context with a list that takes the reports, for a history that is looked at only if there are none. */
function reportingTo(reported: string[], context: GuardContext): GuardContext {
  return { ...context, report: (kind) => reported.push(kind) };
}
