import type { BaseMessage } from "@langchain/core/messages";
import { createMiddleware } from "langchain";
import { presentToolFailures } from "../failures/model-view";
import { guardForModel } from "../history/guard-for-model";
import type { HistoryRepair } from "../types";
import { resultsInBlocks } from "./results-in-blocks";

/** Options of {@link historyGuardMiddleware}. */
export interface HistoryGuardOptions {
  /** What becomes of a tool call without a result: a failed result (`"answer"`, default), or it is taken out (`"demote"`). */
  danglingCalls?: "answer" | "demote";
  /** Whether a failure is written into the content that the model reads (`"legible"`, default) or left `"as-is"`. */
  toolErrorContent?: "legible" | "as-is";
  /** The tools whose calls are recognised where a small model wrote them as text and a result follows at once. Default: none. */
  allowedToolNames?: Iterable<string>;
  /** Told every repair, at every model call: what is wrong with the stored messages stays so. Repairs name ids, never contents. */
  onRepair?: (repair: HistoryRepair) => void;
}

/**
 * Shows the model a history that its provider accepts, whatever the graph's messages are: each tool call has one
 * result right after it, under an id that providers take and with the tool's name, nothing is empty, failures can be
 * read. These are the repairs that `LangGraphAgent` makes in the checkpoint, for graphs that cannot be repaired there (a
 * `messages` reducer of one's own) and for graphs that are not reached through it.
 *
 * Works at model-call time only: the messages of the graph's state stay as they are, and messages that nothing is
 * wrong with are the same objects. At the end of the history no call is waited for any more, since the model is asked
 * now. Linear in the number of messages; never throws.
 *
 * Goes with `frontendToolsMiddleware` and `toolFailureMiddleware`, before or after them.
 *
 * @example
 * const agent = createAgent({ model, tools, middleware: [historyGuardMiddleware(), toolFailureMiddleware()] });
 */
export function historyGuardMiddleware(options: HistoryGuardOptions = {}) {
  const { allowedToolNames, ...rest } = options;
  // An iterator can be walked only once, and each call of the model asks.
  const settings = { ...rest, ...(allowedToolNames && { allowedToolNames: asNames(allowedToolNames) }) };
  return createMiddleware({
    name: "HistoryGuardMiddleware",
    wrapModelCall: (request, handler) => {
      const { messages, found } = resultsInBlocks(request.messages as BaseMessage[]);
      const guarded = guardForModel(messages, settings);
      const shown = found ? presentToolFailures(guarded, { provider: "anthropic" }) : guarded;
      return handler({ ...request, messages: shown as typeof request.messages });
    },
  });
}

const asNames = (names: Iterable<string>): ReadonlySet<string> =>
  new Set(typeof names === "string" ? [names] : names);
