import type { BaseMessage } from "@langchain/core/messages";
import type { AguiMessage } from "../types";
import { type GuardSettings, guardContext } from "./context";
import { convertInput } from "./convert-input";
import { guardHistory } from "./guard";
import { toInstance } from "./instances";
import { forModel } from "./model-view";

/** What `convertMessages` may be told. */
export type ConvertMessagesOptions = Omit<GuardSettings, "allowedToolNames">;

/**
 * A whole AG-UI history as LangChain messages that every provider accepts, whatever the client sent: unanswered calls
 * are answered by a failed result or taken out, results without a call are dropped, each call has one result right
 * after it under its own id and with the tool's name, arguments are objects, nothing is empty, failures can be read.
 * A valid history comes out as `aguiMessagesToLangChain` converts it, with the tool's name on each result.
 *
 * A call of the last assistant message that nothing but results follows is left alone, since it may still be answered.
 *
 * @param messages The client's messages. Never thrown at: what cannot be converted is left out and reported.
 * @param allowedToolNames The tools whose calls are recognised where a model wrote them as text (`[name(args)]`,
 *   `<function=…>`, `<tool_call>…`, Harmony channels) and a result follows at once. None by default.
 * @param options.danglingCalls `"answer"` (default) or `"demote"`.
 * @param options.toolErrorContent `"legible"` (default) or `"as-is"`.
 * @param options.openCallIds Calls that are still going to be answered.
 * @param options.onRepair Told every repair.
 */
export function convertMessages(
  messages: readonly AguiMessage[],
  allowedToolNames?: Iterable<string>,
  options: ConvertMessagesOptions = {},
): BaseMessage[] {
  const context = guardContext({ ...options, allowedToolNames }, { keepLiveEnd: true });
  return forModel(guardHistory(convertInput(messages, context), context), context).map(toInstance);
}
