import type { AguiMessage, HistoryRepair, LangChainMessage } from "../types";
import { mendArguments } from "./arguments";
import { type GuardContext, type GuardSettings, guardContext, idsOf } from "./context";
import { convertInput } from "./convert-input";
import { dropEmptyMessages } from "./empty-content";
import { guardHistory } from "./guard";
import { asHealthy } from "./healthy";
import { joinHistories } from "./join";
import { withUniqueIds } from "./message-ids";
import { isPlaceholder } from "./placeholders";
import { newMessages } from "./resend";
import { mapRoles, readAll } from "./roles";
import { isToolResult } from "./shapes";

import { promoteTextCalls } from "./text-calls";
import { planUpdate } from "./update-plan";

/** What a run's history is made of. */
export interface PrepareHistoryOptions extends GuardSettings {
  /** The messages that the thread's checkpoint holds, in any of LangChain's forms. */
  checkpoint: readonly unknown[];
  /** The messages that the client sent. */
  input: readonly AguiMessage[];
  /**
   * Whether the unanswered calls of the last assistant message may still be answered when no other message comes
   * after it: by the client, or by the graph that is resumed. Default `true`.
   */
  inputIsLive?: boolean;
}

/** A run's history, and how to get it into the checkpoint. */
export interface PreparedHistory {
  /** The whole repaired history. */
  messages: LangChainMessage[];
  /** What the run's input carries so that LangGraph's message reducer ends with it: new messages, where nothing is wrong. */
  update: LangChainMessage[];
  /** Whether the update starts with the removal of all messages. */
  rewrites: boolean;
  repairs: HistoryRepair[];
}

/** Joins what the checkpoint holds with what the client sent, and mends what a provider would refuse. */
export function prepareHistory(options: PrepareHistoryOptions): PreparedHistory {
  const repairs: HistoryRepair[] = [];
  const onRepair = (repair: HistoryRepair): void => {
    repairs.push(repair);
    options.onRepair?.(repair);
  };
  const read = readAll(options.checkpoint, onRepair);
  const context = guardContext(
    { ...options, onRepair },
    { keepLiveEnd: options.inputIsLive ?? true, storedIds: idsOf(read) },
  );
  const messages = ordinaryTurn(read, options, context) ?? joinAndGuard(read, options, context);
  return { messages, ...planUpdate(options.checkpoint, read, messages), repairs };
}

/** The history of a run with which everything is in order; nothing for all others. */
function ordinaryTurn(
  read: readonly LangChainMessage[],
  { input }: PrepareHistoryOptions,
  context: GuardContext,
): LangChainMessage[] | undefined {
  const fresh = newMessages(read, input);
  if (!fresh) return undefined;
  let isInOrder = true;
  const report = (): void => {
    isInOrder = false;
  };
  const converted = convertInput(fresh, { ...context, report });
  if (!isInOrder || converted.some((message) => isToolResult(message) && isPlaceholder(message)))
    return undefined;
  return asHealthy(read.concat(converted), context);
}

function joinAndGuard(
  read: readonly LangChainMessage[],
  { input }: PrepareHistoryOptions,
  context: GuardContext,
): LangChainMessage[] {
  const news = aboutNew(context);
  const sent = promoteTextCalls(convertInput(input, news), news);
  const stored = dropEmptyMessages(mendArguments(mapRoles(read, context), context), context);
  return withUniqueIds(guardHistory(joinHistories(stored, sent, context), context), context);
}

/** What the checkpoint has was reported when it came. */
function aboutNew(context: GuardContext): GuardContext {
  return {
    ...context,
    report(kind, message, ...rest) {
      if (!context.storedIds.has(message.id ?? "")) context.report(kind, message, ...rest);
    },
  };
}
