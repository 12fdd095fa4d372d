import type { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import { CallbackManager } from "@langchain/core/callbacks/manager";

/** LangGraph's handler that makes the rows of the messages mode. */
const MESSAGES_HANDLER = "StreamMessagesHandler";

/**
 * Callbacks for a run that have LangGraph's messages handler awaited. Otherwise LangChain calls it from one
 * background queue of the whole process; with many runs at once it comes late, and what arrives after the graph's
 * stream was closed is dropped.
 */
export class AwaitedMessages extends CallbackManager {
  override addHandler(handler: BaseCallbackHandler, inherit?: boolean): void {
    if (handler.name === MESSAGES_HANDLER) handler.awaitHandlers = true;
    super.addHandler(handler, inherit);
  }

  override copy(additional: BaseCallbackHandler[] = [], inherit = true): CallbackManager {
    const copied = super.copy(additional, inherit);
    const manager = new AwaitedMessages(this.getParentRunId());
    return Object.assign(manager, copied);
  }
}
