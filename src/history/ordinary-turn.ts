import type { AguiMessage, LangChainMessage } from "../types";
import type { GuardContext } from "./context";
import { convertInput } from "./convert-input";
import { asHealthy } from "./healthy";
import { isPlaceholder } from "./placeholders";
import { newMessages } from "./resend";
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
  // A graph without a checkpointer finds an empty thread on every turn, and the whole history is new.
  if (read.length === 0) return newThread(input, context);
  const fresh = newMessages(read, input);
  const converted = fresh && convertInOrder(fresh, context);
  if (!converted || converted.some((message) => isToolResult(message) && isPlaceholder(message)))
    return undefined;
  return asHealthy(read.concat(converted), context);
}

function newThread(input: readonly AguiMessage[], context: GuardContext): LangChainMessage[] | undefined {
  const converted = convertInOrder(input, context);
  const messages = converted?.[0]?.type === "system" ? converted.slice(1) : converted;
  return messages && haveOwnIds(messages) ? asHealthy(messages, context) : undefined;
}

function convertInOrder(
  messages: readonly AguiMessage[],
  context: GuardContext,
): LangChainMessage[] | undefined {
  let isInOrder = true;
  const report = (): void => {
    isInOrder = false;
  };
  const converted = convertInput(messages, { ...context, report }, { nameResults: true });
  return isInOrder ? converted : undefined;
}

function haveOwnIds(messages: readonly LangChainMessage[]): boolean {
  const ids = new Set<string>();
  for (const { id } of messages) {
    if (!id) return false;
    ids.add(id);
  }
  return ids.size === messages.length;
}
