import { EventType } from "@ag-ui/client";
import type { ProcessedEvents } from "../types";
import type { TranslationContext } from "./context";
import type { LiveMessage } from "./live-message";
import type { Raw } from "./raw";
import type { Origin } from "./row";

interface Spoken {
  /** The message that the client sees the text in. */
  bubble: string;
  text: string;
  open: boolean;
}

type Role = "assistant" | "user" | "system" | "developer";

/** The texts of messages: one message per id, opened and closed as often as other blocks come between. */
export interface Texts {
  say(message: LiveMessage, delta: string, origin: Origin): void;
  /** Says what of the whole text has not been said yet. */
  catchUp(message: LiveMessage, whole: string, origin: Origin | undefined): void;
  close(message: LiveMessage, origin?: Origin): void;
  /** A whole message of anyone. */
  tell(id: string, role: Role, text: string, origin?: Origin): void;
  /** What was said under the id; `undefined` where nothing was. */
  saidBy(id: string): string | undefined;
  nodeChanged(): void;
  end(): void;
}

export function createTexts(
  context: TranslationContext,
  raw: Raw,
  emit: (event: ProcessedEvents) => void,
): Texts {
  const spoken = new Map<string, Spoken>();
  const open = new Map<string, Spoken>();
  const pins = new Map<string, string>();

  const bubbleOf = (message: LiveMessage): string => {
    if (!context.pinTextMessages) return message.id;
    const { task } = message.origin.place;
    const pin = pins.get(task) ?? message.id;
    pins.set(task, pin);
    context.run.currentTextMessageId = pin;
    return pin;
  };

  const say = (id: string, entry: Spoken, role: Role, delta: string, origin: Origin | undefined) => {
    if (!entry.open) {
      entry.open = true;
      open.set(id, entry);
      emit({ type: EventType.TEXT_MESSAGE_START, messageId: entry.bubble, role, ...raw.of(origin) });
    }
    if (delta === "") return;
    entry.text += delta;
    emit({ type: EventType.TEXT_MESSAGE_CONTENT, messageId: entry.bubble, delta, ...raw.following(origin) });
  };

  const close = (id: string, origin?: Origin) => {
    const entry = open.get(id);
    if (!entry) return;
    open.delete(id);
    entry.open = false;
    emit({ type: EventType.TEXT_MESSAGE_END, messageId: entry.bubble, ...raw.following(origin) });
  };

  const entryOf = (id: string, bubble: () => string): Spoken => {
    let entry = spoken.get(id);
    if (!entry) {
      entry = { bubble: bubble(), text: "", open: false };
      spoken.set(id, entry);
    }
    return entry;
  };

  return {
    say(message, delta, origin) {
      if (!message.showsText || delta === "") return;
      say(
        message.id,
        entryOf(message.id, () => bubbleOf(message)),
        "assistant",
        delta,
        origin,
      );
    },
    catchUp(message, whole, origin) {
      const said = spoken.get(message.id)?.text ?? "";
      if (whole.length <= said.length || !whole.startsWith(said)) return;
      this.say(message, whole.slice(said.length), origin ?? message.origin);
    },
    close: (message, origin) => close(message.id, origin),
    tell(id, role, text, origin) {
      const entry = entryOf(id, () => id);
      say(id, entry, role, text, origin);
      close(id, origin);
    },
    saidBy: (id) => spoken.get(id)?.text,
    nodeChanged() {
      context.run.currentTextMessageId = undefined;
    },
    end() {
      for (const id of [...open.keys()]) close(id);
    },
  };
}
