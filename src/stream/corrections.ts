import { EventType } from "@ag-ui/client";
import { langchainMessagesToAgui } from "../messages/to-agui";
import type { AguiMessage, ProcessedEvents } from "../types";
import type { TranslationContext } from "./context";

export interface Corrections {
  note(event: ProcessedEvents): void;
  /** A message's text is not what was streamed: a node has changed it since. */
  noteEdit(): void;
  /** The events that set right what the client has, measured by the graph's last messages. */
  end(messages: readonly unknown[]): ProcessedEvents[];
}

/**
 * A client appends a message when its first event comes, and keeps its place. Nodes that speak side by side begin in any
 * order, and the checkpoint has its own; reasoning that comes after a text stands before it there. The one way to move a
 * message in a client is a snapshot without it and then one with it.
 */
export function createCorrections(context: TranslationContext): Corrections {
  const positions = new Map<string, number>();
  let edited = false;

  const snapshot = (messages: AguiMessage[]): ProcessedEvents => ({
    type: EventType.MESSAGES_SNAPSHOT,
    messages,
  });

  return {
    note(event) {
      const id = openedBy(event);
      if (id !== undefined && !positions.has(id)) positions.set(id, positions.size);
    },
    noteEdit() {
      edited = true;
    },
    end(values) {
      if (positions.size < 2 && !edited) return [];
      const messages = langchainMessagesToAgui(values, { protocol1: context.protocol1 });
      const misplaced = firstMisplaced(messages, positions);
      const wasEdited = edited;
      edited = false;
      positions.clear();
      if (misplaced === undefined) return wasEdited ? [snapshot(messages)] : [];
      return [snapshot(withoutReasoning(messages, misplaced, context)), snapshot(messages)];
    },
  };
}

function openedBy(event: ProcessedEvents): string | undefined {
  switch (event.type) {
    case EventType.TEXT_MESSAGE_START:
    case EventType.REASONING_MESSAGE_START:
      return event.messageId;
    case EventType.TOOL_CALL_START:
      return event.parentMessageId;
    default:
      return undefined;
  }
}

/** Where the first message stands that the client has in another order. */
function firstMisplaced(
  messages: readonly AguiMessage[],
  positions: ReadonlyMap<string, number>,
): number | undefined {
  const shown = messages.flatMap(({ id }, index) => {
    const position = positions.get(id);
    return position === undefined ? [] : [{ index, position }];
  });
  const inOrder = shown.map(({ position }) => position).sort((left, right) => left - right);
  return shown.find(({ position }, at) => position !== inOrder[at])?.index;
}

/** A client keeps its reasoning messages when a snapshot has none, so there must be one to make it drop the others. */
function withoutReasoning(
  messages: readonly AguiMessage[],
  end: number,
  context: TranslationContext,
): AguiMessage[] {
  const kept = messages.slice(0, end);
  const isReasoning = ({ role }: AguiMessage) => role === "reasoning";
  if (kept.some(isReasoning) || !messages.some(isReasoning)) return kept;
  return [...kept, { id: context.newId(), role: "reasoning", content: "" }];
}
