import { EventType } from "@ag-ui/client";
import { idOf } from "../messages/json";
import { readMessage, readMessages } from "../messages/read-message";
import { langchainMessagesToAgui } from "../messages/to-agui";
import type { AguiMessage, LangChainMessage, ProcessedEvents } from "../types";
import { wholeCallsOf } from "./call-pieces";
import { withHeld } from "./held-messages";
import { openedBy } from "./opened";
import { privateMessages, withPrivate } from "./private-messages";

export interface ShownMessagesContext {
  protocol1: boolean;
  /** What the client sent: it knows which of its messages are a subagent's. */
  clientMessages: readonly AguiMessage[];
  /** What the client said that the thread gets with the next run. */
  held: readonly AguiMessage[];
  /** What was there when the client said it; nothing where it has said it last. */
  before?: readonly (readonly unknown[])[];
  hideSubgraphs?: true | readonly string[];
  /** The ids of messages that are known to be of hidden subgraphs. */
  hiddenMessages: ReadonlySet<string>;
}

/** The messages of a thread as its client sees them. */
export interface ShownMessages {
  note(event: ProcessedEvents): void;
  /** A message of a nested graph. Where the thread does not get it, the client that has heard it keeps it. */
  keep(message: LangChainMessage): void;
  /** Without those of hidden subgraphs. A result is hidden with its call, and shown with it. */
  visible(messages: readonly LangChainMessage[]): LangChainMessage[];
  /** For a MESSAGES_SNAPSHOT. */
  of(messages: readonly unknown[]): AguiMessage[];
}

/**
 * A snapshot says of messages what streaming said of them: `subagentRunId` is kept for what the client has, in this run
 * and from before it. It is stored nowhere but with the client, so after a reload the thread's messages are without it.
 */
export function createShownMessages(context: ShownMessagesContext): ShownMessages {
  const { protocol1, clientMessages, held, hideSubgraphs, hiddenMessages } = context;
  /** Which subagent's each message is, in the order in which the client has them. */
  const owners = new Map<string, string | undefined>();
  const heardCalls = new Set<string>();
  const nested = new Map<string, LangChainMessage>();
  if (protocol1)
    for (const message of clientMessages) if (message?.id) owners.set(message.id, message.subagentRunId);

  const isHidden = (message: LangChainMessage) =>
    hiddenMessages.has(idOf(message.id) ?? "") ||
    (Array.isArray(hideSubgraphs) && message.type === "ai" && hideSubgraphs.includes(message.name));

  const idsBefore = () => new Set(context.before?.flat().map((message) => readMessage(message)?.id));

  const visible = (messages: readonly LangChainMessage[]): LangChainMessage[] => {
    if (!hideSubgraphs) return [...messages];
    const shownCalls = new Map<unknown, boolean>();
    for (const message of messages) {
      if (message.type !== "ai") continue;
      for (const { id } of wholeCallsOf(message)) shownCalls.set(id, !isHidden(message));
    }
    return messages.filter((message) => {
      const withCall = message.type === "tool" ? shownCalls.get(message.tool_call_id) : undefined;
      return withCall ?? !isHidden(message);
    });
  };

  const nestedAsShown = () =>
    langchainMessagesToAgui(visible([...nested.values()]), { protocol1 }).map((message) =>
      "toolCalls" in message && message.toolCalls
        ? { ...message, toolCalls: message.toolCalls.filter(({ id }) => heardCalls.has(id)) }
        : message,
    );

  return {
    note(event) {
      if (!protocol1) return;
      if (event.type === EventType.TOOL_CALL_START) heardCalls.add(event.toolCallId);
      const id = openedBy(event);
      if (id === undefined || (owners.has(id) && event.type !== EventType.TOOL_CALL_RESULT)) return;
      owners.set(id, (event as { subagentRunId?: string }).subagentRunId);
    },
    keep(message) {
      const id = idOf(message.id);
      if (protocol1 && id !== undefined) nested.set(id, message);
    },
    visible,
    of(values) {
      const messages = visible(readMessages(values));
      const shown = langchainMessagesToAgui(messages, { protocol1 });
      const all = withHeld(shown, held, idsBefore);
      if (!protocol1) return all;
      const attributed = all.map((message) => {
        const subagentRunId = owners.get(message.id);
        return subagentRunId === undefined ? message : { ...message, subagentRunId };
      });
      const groups = privateMessages({
        owners,
        clientMessages: clientMessages.filter(({ id }) => !hiddenMessages.has(id)),
        heard: nestedAsShown(),
        isStored: new Set(all.map(({ id }) => id)),
        isAnswered: new Set(all.flatMap((message) => (message.role === "tool" ? message.toolCallId : []))),
      });
      return withPrivate(attributed, groups);
    },
  };
}
