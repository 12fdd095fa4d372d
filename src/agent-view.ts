import { EventType, type RunAgentInput } from "@ag-ui/client";
import type { ThreadState } from "@langchain/langgraph-sdk";
import { LangGraphAgentMembers } from "./agent-members";
import { isNested } from "./messages/private";
import { readMessage, readMessages } from "./messages/read-message";
import { aguiMessagesToLangChain } from "./messages/to-langchain";
import { findHidden, noteSeen } from "./run/hidden-messages";
import { hiddenMessagesOf } from "./run/lookups";
import { storeSaid } from "./run/said-meanwhile";
import { type MessageUnderWay, pendingInterrupts } from "./run/under-way";
import { createShownMessages, type ShownMessages } from "./stream/shown-messages";
import type { AguiMessage, LangChainMessage, RunAgentExtendedInput, State } from "./types";

export const speaksProtocol1 = (input: Pick<RunAgentInput, "protocolVersion">): boolean =>
  Number.parseFloat(input.protocolVersion ?? "0") >= 1;

/**
 * What the client of a run sees of its thread: also what the thread does not hold yet, and not what is hidden from it.
 * It is called on the object of the run, which has these fields as its own.
 */
export abstract class LangGraphAgentView extends LangGraphAgentMembers {
  /** What the client said while the thread waited for answers; it is not in the checkpoint yet. */
  declare protected held: readonly AguiMessage[];
  /** What the graph has said while the thread waits for answers; the thread does not hold it yet. */
  declare protected underWay: readonly LangChainMessage[];

  /** The thread with what was held back; as it is where that is to go with the next run. */
  protected async storeHeld(before: State, after: ThreadState<State>): Promise<ThreadState<State>> {
    if (this.held.length === 0 || this.held.some(({ role }) => role === "tool")) return after;
    const channel = this.lookups.messageChannel ?? "merges";
    const messages = this.withUnderWay(before.messages);
    const changed = await storeSaid(this.client, this.held, messages, after, channel);
    if (changed) this.held = [];
    else this.logger.debug("What was said while calls waited goes to the thread with the next run.");
    return changed ?? after;
  }

  /** Before anything of the thread is shown: which of its messages the client is not to see. */
  protected async findHidden({ values }: ThreadState<State>, input: RunAgentExtendedInput): Promise<void> {
    const { hideSubgraphs } = this.config;
    const threadId = this.activeRun?.threadId ?? input.threadId;
    if (!hideSubgraphs || !Array.isArray(values.messages)) return;
    await findHidden({
      client: this.client,
      threadId,
      hideSubgraphs,
      known: hiddenMessagesOf(this.lookups, threadId),
      messages: values.messages,
      clientMessages: input.messages,
    });
  }

  /** After a run of which all was seen. */
  protected noteSeen(threadId: string): void {
    const messages: unknown = this.translator?.values.messages;
    if (this.config.hideSubgraphs && Array.isArray(messages))
      noteSeen(hiddenMessagesOf(this.lookups, this.activeRun?.threadId ?? threadId), messages);
  }

  /** What the client has, and what it is not to see. */
  protected shownTo(input: RunAgentExtendedInput) {
    const { hideSubgraphs } = this.config;
    const threadId = this.activeRun?.threadId ?? input.threadId;
    return {
      protocol1: speaksProtocol1(input),
      clientMessages: input.messages ?? [],
      held: this.held,
      hideSubgraphs,
      hiddenMessages: hideSubgraphs ? hiddenMessagesOf(this.lookups, threadId).ids : new Set<string>(),
    };
  }

  protected noteUnderWay(underWay: readonly MessageUnderWay[]): void {
    this.underWay = underWay.map(({ message }) => message);
    const { hideSubgraphs } = this.config;
    if (!hideSubgraphs) return;
    const { ids: hidden } = hiddenMessagesOf(this.lookups, this.activeRun?.threadId ?? this.threadId);
    for (const { message, subgraphs } of underWay) {
      const isHidden =
        hideSubgraphs === true
          ? subgraphs.length > 0
          : subgraphs.some((name) => hideSubgraphs.includes(name));
      if (isHidden && message.id) hidden.add(message.id);
    }
  }

  /** The messages of the thread as they will be when the step that waits has ended. */
  protected withUnderWay(messages: readonly LangChainMessage[] = []): readonly LangChainMessage[] {
    if (this.underWay.length === 0) return messages;
    const ids = new Set(this.underWay.map(({ id }) => id));
    return [...messages.filter((message) => !ids.has(readMessage(message)?.id)), ...this.underWay];
  }

  /** What nested graphs that go on now have said before, as far as the client has it. */
  protected nestedMessages(
    { messages }: RunAgentExtendedInput,
    state: ThreadState<State>,
  ): LangChainMessage[] {
    if (pendingInterrupts(state).length === 0) return [];
    return [...this.underWay, ...aguiMessagesToLangChain((messages ?? []).filter(isNested))];
  }

  protected shownMessages(input: RunAgentExtendedInput): ShownMessages {
    return this.translator?.shown ?? createShownMessages(this.shownTo(input));
  }

  /**
   * What the thread holds now. Messages of a graph in this process are told as plain objects; a graph
   * without messages says nothing of the client's.
   */
  protected sendSnapshots({ messages, ...values }: State, input: RunAgentExtendedInput): void {
    const shownMessages = this.shownMessages(input);
    const plain = Array.isArray(messages) ? shownMessages.visible(readMessages(messages)) : undefined;
    const shown =
      plain && this.config.snapshotMessagesInState !== false ? { ...values, messages: plain } : values;
    this.dispatchEvent({
      type: EventType.STATE_SNAPSHOT,
      snapshot: this.getStateSnapshot({ values: shown }),
    });
    if (!plain) return;
    this.dispatchEvent({
      type: EventType.MESSAGES_SNAPSHOT,
      messages: shownMessages.of(this.withUnderWay(plain)),
    });
  }
}
