import type { ReasoningMessage } from "@ag-ui/client";
import { nextToLangChain } from "../messages/to-langchain";
import type { AguiMessage, LangChainMessage } from "../types";
import type { GuardContext } from "./context";
import { convertInput, inputConversion } from "./convert-input";
import { asHealthy } from "./healthy";
import { isPlaceholder } from "./placeholders";
import { newMessages } from "./resend";
import { addId, noIdsYet } from "./seen-ids";
import { isAi, isToolResult, type NativeCall } from "./shapes";

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
  const conversion = inputConversion(reportingTo(reported, context));
  const history: LangChainMessage[] = [];
  const ids = noIdsYet(input.length);
  const reasoning: ReasoningMessage[] = [];
  let calls: readonly NativeCall[] = NO_CALLS;
  let answered = 0;
  // A graph has its own system message.
  const start = input[0]?.role === "system" ? 1 : 0;
  for (let at = start; at < input.length; at += 1) {
    const message = nextToLangChain(input[at] as AguiMessage, reasoning, conversion, calls[answered]?.name);
    if (reported.length > 0) return undefined;
    if (!message) continue;
    if (!message.id || !addId(message.id, ids)) return undefined;
    if (history.length === 0 && message.type === "system") return undefined;
    history.push(message);
    if (isToolResult(message)) answered += 1;
    else {
      calls = (isAi(message) && message.tool_calls) || NO_CALLS;
      answered = 0;
    }
  }
  return asHealthy(history, context);
}

const NO_CALLS: readonly NativeCall[] = [];

/** The same context with a list that takes the reports, for a history that is looked at only if there are none. */
function reportingTo(reported: string[], context: GuardContext): GuardContext {
  return { ...context, report: (kind) => reported.push(kind) };
}
