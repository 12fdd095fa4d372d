import type { BaseMessage } from "@langchain/core/messages";
import type { LangChainMessage } from "../types";
import { type GuardSettings, guardContext, idsOf } from "./context";
import { guardHistory } from "./guard";
import { toInstance } from "./instances";
import { forModel } from "./model-view";
import { mapRoles, readAll } from "./roles";

/**
 * The messages of a graph as its model can be shown them, at the moment of the call: nothing is open any more, so calls
 * at the end are closed too. Nothing is stored. Messages that nothing is wrong with are the same instances.
 */
export function guardForModel(messages: readonly BaseMessage[], settings: GuardSettings = {}): BaseMessage[] {
  const instances = new Map<LangChainMessage, BaseMessage>();
  const read = messages.flatMap((message) => {
    const [plain] = readAll([message], settings.onRepair);
    if (plain && isInstance(message)) instances.set(plain, message);
    return plain ?? [];
  });
  const context = guardContext(settings, { keepLiveEnd: false, storedIds: idsOf(read) });
  const guarded = guardHistory(mapRoles(read, context), context);
  return forModel(guarded, context).map((message) => instances.get(message) ?? toInstance(message));
}

/** A checkpoint that was read from a server holds plain dicts, which no chat model takes. */
function isInstance(message: unknown): boolean {
  return typeof (message as { _getType?: unknown })._getType === "function";
}
