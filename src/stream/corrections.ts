import { EventType } from "@ag-ui/client";
import type { AguiMessage, ProcessedEvents } from "../types";
import type { TranslationContext } from "./context";
import { openedBy } from "./opened";
import type { ShownMessages } from "./shown-messages";

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
export function createCorrections(context: TranslationContext, shown: ShownMessages): Corrections {
  const opened = new Set<string>();
  const liveResults = new Set<string>();
  let edited = false;
  let corrected = false;

  const snapshot = (messages: AguiMessage[]): ProcessedEvents => ({
    type: EventType.MESSAGES_SNAPSHOT,
    messages,
  });

  return {
    note(event) {
      // The client puts a result behind its call by itself.
      if (event.type === EventType.TOOL_CALL_RESULT) {
        liveResults.add(event.messageId);
        return;
      }
      const id = openedBy(event);
      if (id !== undefined) opened.add(id);
    },
    noteEdit() {
      edited = true;
    },
    end(values) {
      // The official adapter's bubbles are not the checkpoint's messages.
      if (corrected || context.pinTextMessages) return [];
      const messages = shown.of(values);
      // Not before the end: the client may have a long history, and its first token is not to wait for a table of it.
      const positions = new Map(context.clientMessageIds.map((id, position) => [id, position]));
      const fresh = [...opened].filter((id) => !positions.has(id));
      for (const id of fresh) positions.set(id, positions.size);
      // Values that do not have the last message are older than the stream.
      if (fresh.length > 0 && !messages.some(({ id }) => id === fresh.at(-1))) return [];
      const placed = messages.filter(({ id }) => !liveResults.has(id));
      const first = firstMisplaced(placed, positions);
      const misplaced = first && messages.indexOf(first);
      corrected = edited || misplaced !== undefined;
      if (misplaced === undefined) return edited ? [snapshot(messages)] : [];
      return [snapshot(withoutLaterReasoning(messages, misplaced, context)), snapshot(messages)];
    },
  };
}

/** The first message that the client has in another order, or has not where others follow: it would come last. */
function firstMisplaced(
  messages: readonly AguiMessage[],
  positions: ReadonlyMap<string, number>,
): AguiMessage | undefined {
  const there = messages.flatMap(({ id }) => positions.get(id) ?? []);
  const inOrder = [...there].sort((left, right) => left - right);
  let at = 0;
  return messages.find(({ id }) => {
    if (at === inOrder.length) return false;
    const isInPlace = positions.get(id) === inOrder[at];
    at += 1;
    return !isInPlace;
  });
}

/** A client keeps its reasoning messages when a snapshot has none, so there must be one to make it drop the others. */
function withoutLaterReasoning(
  messages: readonly AguiMessage[],
  end: number,
  context: TranslationContext,
): AguiMessage[] {
  const kept = messages.slice(0, end);
  const isReasoning = ({ role }: AguiMessage) => role === "reasoning";
  if (kept.some(isReasoning) || !messages.some(isReasoning)) return kept;
  return [...kept, { id: context.newId(), role: "reasoning", content: "" }];
}
