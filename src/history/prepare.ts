import type { AguiMessage, HistoryRepair, LangChainMessage } from "../types";
import { type GuardSettings, guardContext, idsOf } from "./context";
import { joinAndGuard } from "./join-and-guard";
import { ordinaryTurn } from "./ordinary-turn";
import { readAll } from "./roles";
import { planUpdate, type UpdatePlan } from "./update-plan";

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
export interface PreparedHistory extends UpdatePlan {
  /** The whole repaired history. */
  messages: LangChainMessage[];
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
  const messages = ordinaryTurn(read, options.input, context) ?? joinAndGuard(read, options.input, context);
  return { messages, ...planUpdate(options.checkpoint, read, messages), repairs };
}
