import { textOf } from "../messages/content";
import { idOf, isRecord } from "../messages/json";
import { readMessage } from "../messages/read-message";
import type { LangChainMessage } from "../types";
import { wholeCallsOf } from "./call-pieces";
import type { TranslationContext } from "./context";
import type { Corrections } from "./corrections";
import { createHistory } from "./history";
import { createLiveMessages, type LiveMessage } from "./live-message";
import { type Origin, type Place, ROOT } from "./row";
import type { ShownMessages } from "./shown-messages";
import type { Speech } from "./speech";
import type { Texts } from "./text";
import type { ToolCalls } from "./tool-calls";
import { messagesOf } from "./tool-output";
import type { ResultSource, ToolResults } from "./tool-results";

/** What the rows of all modes say of messages, each message once. */
export interface Conversation {
  /** A chunk of a model run. */
  modelSaid(chunk: unknown, origin: Origin): void;
  modelEnded(output: unknown, origin: Origin): void;
  /** What a tool or a node gave. */
  gave(output: unknown, source: ResultSource, origin: Origin, tool?: { name?: string; input: unknown }): void;
  /** A row of `messages-tuple`. */
  message(value: unknown, origin: Origin): void;
  /** A row of `messages`: all that was said so far. */
  partial(value: unknown): void;
  /** The messages of a graph after a step. */
  values(origin: Origin, messages: readonly unknown[]): void;
  end(): void;
}

interface Machines {
  texts: Texts;
  calls: ToolCalls;
  results: ToolResults;
  speech: Speech;
  corrections: Corrections;
  shown: ShownMessages;
}

const ROLES = new Map<string, "user" | "system" | "developer">([
  ["human", "user"],
  ["system", "system"],
  ["developer", "developer"],
]);

export function createConversation(
  context: TranslationContext,
  { texts, calls, results, speech, corrections, shown }: Machines,
  hasSeen: (mode: string) => boolean,
  isHidden: (place: Place) => boolean,
): Conversation {
  const open = new Set<LiveMessage>();
  const live = createLiveMessages(context, isHidden, begin);
  const history = createHistory(context.knownMessages, context.nestedMessages ?? [], (messages) => {
    calls.know(messages);
    results.know(messages);
  });

  /** Streams without ends: a message of a later step says that those of the steps before are whole. */
  function begin(message: LiveMessage) {
    const { graph, step } = message.origin.place;
    for (const other of open) {
      const { place } = other.origin;
      if (place.graph !== graph || place.step === undefined || step === undefined || place.step >= step)
        continue;
      speech.close(other);
      open.delete(other);
    }
    results.release();
    open.add(message);
  }

  function complete(message: LiveMessage, whole: LangChainMessage, origin: Origin) {
    speech.complete(message, whole, origin);
    open.delete(message);
  }

  function hear(message: LiveMessage, source: "events" | "message", chunk: LangChainMessage, origin: Origin) {
    message.source ??= source;
    if (message.source === source && !message.done) speech.hear(message, chunk, origin);
  }

  const hasBegun = (message: LiveMessage) => message.source !== undefined || speech.isHeard(message);

  /** Nodes also give messages to channels of their own: the values tell which are the conversation's. */
  function whole(message: LangChainMessage, origin: Origin, isKnownLater: boolean) {
    const id = idOf(message.id);
    // A subgraph gives back all the messages that it was given.
    if (id !== undefined && history.has(id)) return;
    const known = id === undefined ? undefined : live.find(id);
    if (known && hasBegun(known)) complete(known, message, origin);
    else if (!isKnownLater) complete(live.ofId(id, origin), message, origin);
  }

  function appeared(message: LangChainMessage, row: Origin) {
    const id = idOf(message.id) ?? "";
    const origin = live.find(id)?.origin ?? row;
    const { graph } = row.place;
    if (isHidden(row.place)) context.hiddenMessages?.add(id);
    else if (graph !== "") shown.keep(message);
    if (message.type === "ai") assistantAppeared(id, message, origin);
    else if (message.type === "tool") results.offer(message, "values", origin);
    else if (graph === "" && !context.hiddenMessages?.has(id)) otherAppeared(id, message);
  }

  function assistantAppeared(id: string, message: LangChainMessage, origin: Origin) {
    const entry = live.ofId(id, origin);
    complete(entry, message, origin);
    if (!entry.showsText) return;
    const isWordless = !speech.isHeard(entry);
    // An empty message would be shown for calls that are not to be seen; the last snapshot puts it in its place.
    if (isWordless && wholeCallsOf(message).length > 0) return;
    if (isWordless) texts.tell(id, "assistant", "", origin);
    const said = texts.saidBy(id) ?? "";
    if (said !== textOf(message.content) || !calls.agree(entry, wholeCallsOf(message)))
      corrections.noteEdit();
  }

  function otherAppeared(id: string, message: LangChainMessage) {
    const role = ROLES.get(message.type);
    if (role && texts.saidBy(id) === undefined) texts.tell(id, role, textOf(message.content));
  }

  return {
    modelSaid(value, origin) {
      const chunk = readMessage(value);
      if (!chunk) return context.debug("a model's chunk that is no message was skipped");
      hear(live.ofRun(origin.runId, idOf(chunk.id), origin), "events", chunk, origin);
    },
    modelEnded(output, origin) {
      const message = readMessage(outputOf(output));
      if (!message) return;
      const entry = live.ofRun(origin.runId, idOf(message.id), origin);
      speech.count(entry, message);
      if (entry.silent) return;
      // What was not streamed may be a model's word to its node alone.
      const isKnownLater = hasSeen("message") || hasSeen("values");
      if (hasBegun(entry) || !isKnownLater) complete(entry, message, origin);
    },
    gave(output, source, origin, tool) {
      for (const message of messagesOf(output)) {
        if (message.type === "tool") results.offer(message, source, origin, tool);
        else if (message.type === "ai" && source !== "tool end" && message.id !== undefined) {
          whole(message, origin, hasSeen("values") || hasSeen("message"));
        }
      }
    },
    message(value, origin) {
      const message = readMessage(value);
      if (!message) return context.debug("a row of messages without one was skipped");
      if (message.type === "tool") results.offer(message, "message", origin);
      else if (message.type !== "ai") return;
      else if (isChunk(value)) hear(live.ofId(idOf(message.id), origin), "message", message, origin);
      else whole(message, origin, hasSeen("values"));
    },
    partial(value) {
      const message = readMessage(value);
      if (message?.type === "tool") results.offer(message, "message", ROOT);
      if (message?.type !== "ai") return;
      const entry = live.ofId(idOf(message.id), ROOT);
      entry.source ??= "partial";
      if (entry.source === "partial" && !entry.done) speech.hearSoFar(entry, message, ROOT);
    },
    values(origin, messages) {
      for (const message of history.newOf(origin.place.graph, messages) ?? []) appeared(message, origin);
    },
    end() {
      for (const message of open) speech.close(message);
      open.clear();
      results.end();
    },
  };
}

/** Older servers wrap the message of a model in its generations. */
function outputOf(output: unknown): unknown {
  if (!isRecord(output) || !Array.isArray(output.generations)) return output;
  const [first] = output.generations;
  const generation: unknown = Array.isArray(first) ? first[0] : first;
  return isRecord(generation) ? generation.message : undefined;
}

/** Whether more of the message may come: servers in JavaScript give chunks and messages one type. */
function isChunk(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { type, id, kwargs } = value;
  if (typeof type === "string" && type.endsWith("Chunk")) return true;
  if (type === "constructor" && Array.isArray(id)) return String(id.at(-1)).endsWith("Chunk");
  return "tool_call_chunks" in value || (isRecord(kwargs) && "tool_call_chunks" in kwargs);
}
