import { textOf } from "../messages/content";
import { isRecord, textOrNothing } from "../messages/json";
import { readReasoningBlock } from "../messages/reasoning";
import type { LangChainMessage } from "../types";
import { type BlockPlaces, createBlockPlaces } from "./block-places";
import { type CallPiece, wholeCallsOf } from "./call-pieces";
import type { LiveMessage } from "./live-message";
import type { Reasonings } from "./reasoning";
import type { Origin } from "./row";
import type { Texts } from "./text";
import type { ToolCalls } from "./tool-calls";
import type { Usages } from "./usage";

/** What models say, chunk by chunk or as whole messages. */
export interface Speech {
  hear(message: LiveMessage, chunk: LangChainMessage, origin: Origin): void;
  /** A message that holds all that was said so far, and more may come. */
  hearSoFar(message: LiveMessage, partial: LangChainMessage, origin: Origin): void;
  /** The whole message: says what is missing, and closes all. */
  complete(message: LiveMessage, whole: LangChainMessage, origin: Origin): void;
  close(message: LiveMessage, origin?: Origin): void;
  /** Counts the tokens of a model run, also where what it said is not for the client. */
  count(message: LiveMessage, whole: LangChainMessage): void;
  /** Whether the client has something of the message. */
  isHeard(message: LiveMessage): boolean;
}

interface Machines {
  texts: Texts;
  calls: ToolCalls;
  reasonings: Reasonings;
  usages: Usages;
}

/** How providers say that nothing more comes. */
const FINISH_KEYS = [
  "finish_reason",
  "finishReason",
  "stop_reason",
  "stopReason",
  "done_reason",
  "done",
] as const;

export function createSpeech({ texts, calls, reasonings, usages }: Machines): Speech {
  const places = new Map<string, BlockPlaces>();

  const placesOf = (message: LiveMessage): BlockPlaces => {
    let found = places.get(message.id);
    if (!found) {
      found = createBlockPlaces();
      places.set(message.id, found);
    }
    return found;
  };

  const say = (message: LiveMessage, text: string, origin: Origin) => {
    if (text === "") return;
    reasonings.close(message, origin);
    calls.endComplete(message, origin);
    texts.say(message, text, origin);
  };

  const call = (message: LiveMessage, piece: CallPiece, origin: Origin) => {
    reasonings.close(message, origin);
    texts.close(message, origin);
    calls.hear(message, piece, origin);
  };

  const hearContent = (message: LiveMessage, content: unknown, origin: Origin) => {
    const place = placesOf(message)(content);
    if (!Array.isArray(content)) return say(message, textOf(content), origin);
    content.forEach((block, index) => {
      if (readReasoningBlock(block)) {
        texts.close(message, origin);
        reasonings.think(message, block, place[index] ?? index, origin);
      } else say(message, textOf([block]), origin);
    });
  };

  const close = (message: LiveMessage, origin?: Origin) => {
    reasonings.close(message, origin);
    texts.close(message, origin);
    calls.endAll(message, origin);
  };

  const count = (message: LiveMessage, whole: LangChainMessage) =>
    usages.count(message, fieldsOf(whole).usage_metadata, true);

  return {
    hear(message, chunk, origin) {
      const fields = fieldsOf(chunk);
      usages.count(message, fields.usage_metadata, false);
      if (message.silent) return;
      if (fields.kwargs && !hasReasoning(fields.content))
        reasonings.thinkBeside(message, fields.kwargs, origin);
      hearContent(message, fields.content, origin);
      for (const piece of callPiecesOf(chunk)) call(message, piece, origin);
      if (!isLast(chunk)) return;
      reasonings.close(message, origin);
      texts.close(message, origin);
      calls.endComplete(message, origin);
    },
    hearSoFar(message, partial, origin) {
      if (message.silent) return;
      reasonings.catchUp(message, partial, origin);
      texts.catchUp(message, textOf(partial.content), origin);
      calls.catchUp(message, callPiecesOf(partial), origin);
    },
    complete(message, whole, origin) {
      if (message.done) return;
      message.done = true;
      count(message, whole);
      reasonings.catchUp(message, whole, origin);
      texts.catchUp(message, textOf(whole.content), origin);
      texts.close(message, origin);
      calls.catchUp(message, wholeCallsOf(whole), origin);
      close(message, origin);
      places.delete(message.id);
    },
    close,
    count,
    isHeard: (message) => texts.saidBy(message.id) !== undefined || calls.announcedBy(message),
  };
}

interface Fields {
  content: unknown;
  kwargs?: Record<string, unknown>;
  response_metadata?: Record<string, unknown>;
  usage_metadata: unknown;
  tool_call_chunks: unknown;
  chunk_position: unknown;
}

function fieldsOf(message: LangChainMessage): Fields {
  const fields = message as unknown as Record<string, unknown>;
  return {
    content: fields.content,
    kwargs: isRecord(fields.additional_kwargs) ? fields.additional_kwargs : undefined,
    response_metadata: isRecord(fields.response_metadata) ? fields.response_metadata : undefined,
    usage_metadata: fields.usage_metadata,
    tool_call_chunks: fields.tool_call_chunks,
    chunk_position: fields.chunk_position,
  };
}

/** Where the content has the reasoning, what is beside it only repeats it. */
function hasReasoning(content: unknown): boolean {
  return Array.isArray(content) && content.some((block) => readReasoningBlock(block) !== undefined);
}

/** The pieces of calls in a chunk; chunks of some models carry whole calls instead. */
function callPiecesOf(chunk: LangChainMessage): CallPiece[] {
  const { tool_call_chunks: pieces } = fieldsOf(chunk);
  const chunks = Array.isArray(pieces) ? pieces.filter(isRecord) : [];
  return chunks.length > 0 ? chunks : wholeCallsOf(chunk);
}

function isLast(chunk: LangChainMessage): boolean {
  const { kwargs, response_metadata: metadata, chunk_position: position } = fieldsOf(chunk);
  if (position === "last") return true;
  return FINISH_KEYS.some((key) => isFinish(metadata?.[key]) || isFinish(kwargs?.[key]));
}

function isFinish(value: unknown): boolean {
  return value === true || textOrNothing(value) !== undefined;
}
