import { EventType, type ReasoningMessage } from "@ag-ui/client";
import { isRecord, textOrNothing } from "../messages/json";
import { readReasoningBlock, reasoningMessageId, reasoningToAgui } from "../messages/reasoning";
import type { LangChainMessage, LangGraphReasoning, ProcessedEvents } from "../types";
import type { TranslationContext } from "./context";
import type { LiveMessage } from "./live-message";
import type { Raw } from "./raw";
import type { Origin } from "./row";

interface Thought {
  id: string;
  text: string;
  /** The summary part that the text is in: parts are lines of their own. */
  part?: unknown;
  encrypted: string;
  sentEncrypted: string;
  begun: boolean;
}

/** What a message has thought so far. */
interface Mind {
  byPlace: Map<number, Thought>;
  byId: Map<string, Thought>;
  open?: Thought;
  /** The reasoning item beside the content, where a provider keeps it there. */
  beside?: { id?: string };
  inContent: boolean;
}

/** The reasoning of messages: one reasoning message per block, under the id that it has in every snapshot. */
export interface Reasonings {
  /** A reasoning block of a chunk's content, at its place in the whole content. */
  think(message: LiveMessage, block: unknown, place: number, origin: Origin): void;
  /** Reasoning that a chunk carries beside its content. */
  thinkBeside(message: LiveMessage, kwargs: Record<string, unknown>, origin: Origin): void;
  catchUp(message: LiveMessage, whole: LangChainMessage, origin: Origin): void;
  close(message: LiveMessage, origin?: Origin): void;
  /** A piece of reasoning of no message. */
  tell(reasoning: LangGraphReasoning): void;
  end(): void;
}

export function createReasonings(
  context: TranslationContext,
  raw: Raw,
  emit: (event: ProcessedEvents) => void,
): Reasonings {
  const minds = new Map<string, Mind>();
  const open = new Set<Mind>();
  let told: { mind: Mind; index: number } | undefined;

  const mindOf = (message: LiveMessage): Mind => {
    let mind = minds.get(message.id);
    if (!mind) {
      mind = newMind();
      minds.set(message.id, mind);
    }
    return mind;
  };

  const thoughtAt = (mind: Mind, place: number, id: () => string): Thought => {
    let thought = mind.byPlace.get(place);
    if (!thought) {
      const fresh = { id: id(), text: "", encrypted: "", sentEncrypted: "", begun: false };
      thought = mind.byId.get(fresh.id) ?? fresh;
      mind.byPlace.set(place, thought);
      mind.byId.set(thought.id, thought);
    }
    return thought;
  };

  const begin = (mind: Mind, thought: Thought, origin: Origin | undefined) => {
    if (mind.open === thought) return;
    finish(mind, origin);
    mind.open = thought;
    open.add(mind);
    thought.begun = true;
    emit({ type: EventType.REASONING_START, messageId: thought.id, ...raw.of(origin) });
    emit({
      type: EventType.REASONING_MESSAGE_START,
      messageId: thought.id,
      role: "reasoning",
      ...raw.following(origin),
    });
  };

  const add = (mind: Mind, thought: Thought, delta: string, origin: Origin | undefined) => {
    if (delta === "") return;
    begin(mind, thought, origin);
    thought.text += delta;
    emit({
      type: EventType.REASONING_MESSAGE_CONTENT,
      messageId: thought.id,
      delta,
      ...raw.following(origin),
    });
  };

  const sendEncrypted = (thought: Thought, origin: Origin | undefined) => {
    if (thought.encrypted === thought.sentEncrypted) return;
    thought.sentEncrypted = thought.encrypted;
    emit({
      type: EventType.REASONING_ENCRYPTED_VALUE,
      subtype: "message",
      entityId: thought.id,
      encryptedValue: thought.encrypted,
      ...raw.following(origin),
    });
  };

  const finish = (mind: Mind, origin: Origin | undefined) => {
    const thought = mind.open;
    if (!thought) return;
    mind.open = undefined;
    open.delete(mind);
    sendEncrypted(thought, origin);
    emit({ type: EventType.REASONING_MESSAGE_END, messageId: thought.id, ...raw.following(origin) });
    emit({ type: EventType.REASONING_END, messageId: thought.id, ...raw.following(origin) });
  };

  /** A piece of a thought: its text, part by part, and what proves or hides it. */
  const hear = (mind: Mind, thought: Thought, block: Record<string, unknown>, origin: Origin) => {
    const { id, text, encryptedValue } = readReasoningBlock(block) ?? { text: "" };
    if (id) begin(mind, thought, origin);
    for (const piece of piecesOf(block, text)) {
      const newPart = piece.part !== undefined && (piece.part === null || piece.part !== thought.part);
      if (piece.part !== undefined) thought.part = piece.part;
      add(mind, thought, newPart && thought.text !== "" ? `\n${piece.text}` : piece.text, origin);
    }
    if (!encryptedValue) return;
    thought.encrypted += encryptedValue;
    // A signature may come when the next block has begun; a thought that is hidden has no text to begin with.
    if (!thought.begun) begin(mind, thought, origin);
    else if (mind.open !== thought) sendEncrypted(thought, origin);
  };

  const catchUpThought = (mind: Mind, whole: ReasoningMessage, origin: Origin) => {
    let thought = mind.byId.get(whole.id);
    if (!thought) {
      thought = { id: whole.id, text: "", encrypted: "", sentEncrypted: "", begun: false };
      mind.byId.set(whole.id, thought);
    }
    if (!thought.begun) begin(mind, thought, origin);
    if (whole.content.startsWith(thought.text)) {
      add(mind, thought, whole.content.slice(thought.text.length), origin);
    }
    if (whole.encryptedValue) thought.encrypted = whole.encryptedValue;
    if (mind.open === thought) finish(mind, origin);
    else sendEncrypted(thought, origin);
  };

  return {
    think(message, block, place, origin) {
      if (!message.showsText || !isRecord(block)) return;
      const mind = mindOf(message);
      mind.inContent = true;
      const thought = thoughtAt(mind, place, () => reasoningMessageId(block, message.id, place));
      hear(mind, thought, block, origin);
    },
    thinkBeside(message, kwargs, origin) {
      if (!message.showsText) return;
      const mind = mindOf(message);
      if (mind.inContent) return;
      const { reasoning, reasoning_content: plain } = kwargs;
      const block = isRecord(reasoning)
        ? { ...reasoning, type: "reasoning" }
        : textOrNothing(plain) && { type: "reasoning", reasoning: plain };
      if (!block) return;
      mind.beside ??= {};
      const id = "id" in block ? textOrNothing(block.id) : undefined;
      if (id) mind.beside.id = id;
      const named = { ...block, id: undefined };
      const heard = readReasoningBlock(named);
      if (!heard?.text && !heard?.encryptedValue) return;
      const thought = thoughtAt(mind, -1, () => reasoningMessageId(mind.beside, message.id, 0));
      hear(mind, thought, named, origin);
    },
    catchUp(message, whole, origin) {
      if (!message.showsText) return;
      const thoughts = reasoningToAgui(whole, message.id);
      if (thoughts.length === 0) return;
      const mind = mindOf(message);
      for (const thought of thoughts) catchUpThought(mind, thought, origin);
    },
    close(message, origin) {
      const mind = minds.get(message.id);
      if (mind) finish(mind, origin);
    },
    tell(reasoning) {
      if (!reasoning?.type || (!reasoning.text && !reasoning.id && !reasoning.signature)) return;
      if (told && told.index !== reasoning.index) finish(told.mind, undefined);
      if (!told || told.index !== reasoning.index) told = { mind: newMind(), index: reasoning.index };
      const { mind } = told;
      const thought = thoughtAt(mind, 0, () => textOrNothing(reasoning.id) ?? context.newId());
      add(mind, thought, reasoning.text ?? "", undefined);
      if (reasoning.signature) thought.encrypted = reasoning.signature;
    },
    end() {
      for (const mind of [...open]) finish(mind, undefined);
    },
  };
}

function newMind(): Mind {
  return { byPlace: new Map(), byId: new Map(), inContent: false };
}

/** The texts of a block: the parts of a summary each with its index, `null` where it has none; else the one text. */
function piecesOf(block: Record<string, unknown>, text: string): { text: string; part?: unknown }[] {
  const parts = Array.isArray(block.summary) ? block.summary.filter(isRecord) : [];
  const pieces = parts.flatMap((part) => {
    const said = textOrNothing(part.text);
    return said ? [{ text: said, part: part.index ?? null }] : [];
  });
  return pieces.length > 0 ? pieces : [{ text }];
}
