import { EventType } from "@ag-ui/client";
import { idOf, textOrNothing } from "../messages/json";
import { readMessage } from "../messages/read-message";
import { failureOf, type LangChainToolMessage, toolMessageToAgui } from "../messages/tool-result";
import type { LangChainMessage, ProcessedEvents } from "../types";
import { argsText } from "./call-pieces";
import type { TranslationContext } from "./context";
import type { Raw } from "./raw";
import type { Origin, Place } from "./row";
import type { ToolCalls } from "./tool-calls";

/** Which kind of row a result was seen in: they know more and more of it. */
export type ResultSource = "tool end" | "node end" | "message" | "updates" | "values";

interface Result {
  message: LangChainToolMessage;
  /** The id of the message in the checkpoint, as soon as a row tells it. */
  id?: string;
  origin?: Origin;
  input?: unknown;
  toolName?: string;
}

export interface ToolResults {
  offer(
    message: LangChainMessage,
    source: ResultSource,
    origin?: Origin,
    tool?: { name?: string; input: unknown },
  ): void;
  /** Messages that were there before, with the results among them. */
  know(messages: readonly unknown[]): void;
  /** The model goes on, or the stream ends: nothing waits any longer for results of other calls. */
  release(): void;
  end(): void;
}

/**
 * The results of tool calls, once each: under the id of the checkpoint, and in the order of the calls, since the
 * client appends results in the order in which they come.
 *
 * @param hasSeen Whether rows of a mode come in this stream.
 */
export function createToolResults(
  context: TranslationContext,
  raw: Raw,
  calls: ToolCalls,
  emit: (event: ProcessedEvents) => void,
  hasSeen: (mode: "message" | "updates" | "values") => boolean,
  isHidden: (place: Place) => boolean,
  onResult: (toolCallId: string) => void,
): ToolResults {
  const told = new Set<string>();
  /** Messages of before whose results nobody has asked for yet: most runs ask for none, and a history may be long. */
  let unread: (readonly unknown[])[] = [];
  const waiting = new Map<string, Result>();

  const answered = (): Set<string> => {
    const lists = unread;
    unread = [];
    for (const messages of lists) {
      for (const value of messages) {
        const message = readMessage(value);
        const callId = message?.type === "tool" ? idOf(message.tool_call_id) : undefined;
        if (callId !== undefined) told.add(callId);
      }
    }
    return told;
  };

  const send = (callId: string, result: Result) => {
    waiting.delete(callId);
    answered().add(callId);
    onResult(callId);
    const call = calls.find(callId);
    if (call?.hidden || (!call && result.origin && isHidden(result.origin.place))) return;
    if (!call) announce(callId, result);
    else if (call.message) calls.endAll(call.message, result.origin);
    const failure = failureOf(result.message);
    const { content } = toolMessageToAgui(result.message, { protocol1: context.protocol1 });
    emit({
      type: EventType.TOOL_CALL_RESULT,
      messageId: result.id ?? context.newId(),
      toolCallId: callId,
      content,
      role: "tool",
      ...(failure === undefined ? {} : { metadata: { status: "error", error: failure } }),
      ...raw.following(result.origin),
    } as ProcessedEvents);
  };

  const announce = (callId: string, { message, toolName, input, origin }: Result) => {
    const name = textOrNothing(message.name) ?? toolName ?? "tool";
    calls.tell({ id: callId, name, args: argsText(input, "{}") }, origin);
  };

  const isReady = (result: Result) => result.id !== undefined;

  /** Sends what is ready, in the order of the calls, up to the first call that has no result yet. */
  const sendInOrder = (callId: string, source: ResultSource) => {
    const siblings = calls.find(callId)?.siblings();
    if (!siblings) {
      if (!messageMayCome(source)) sendIfReady(callId);
      return;
    }
    for (const sibling of siblings) {
      if (sibling === undefined || answered().has(sibling)) continue;
      if (!sendIfReady(sibling)) return;
    }
  };

  const sendIfReady = (callId: string): boolean => {
    const result = waiting.get(callId);
    if (!result || !isReady(result)) return false;
    send(callId, result);
    return true;
  };

  /** Whether the message with the call may come yet: callbacks run ahead of the other rows, and the values know all. */
  const messageMayCome = (source: ResultSource): boolean => {
    if (hasSeen("values")) return true;
    return (source === "tool end" || source === "node end") && (hasSeen("message") || hasSeen("updates"));
  };

  /** Whether a row of another mode will still tell the id. */
  const idComesLater = (source: ResultSource): boolean => {
    if (source === "values" || source === "message") return false;
    if (source === "updates") return hasSeen("values");
    return hasSeen("message") || hasSeen("updates") || hasSeen("values");
  };

  return {
    offer(message, source, origin, tool) {
      const toolMessage = message as LangChainToolMessage;
      const callId = idOf(toolMessage.tool_call_id);
      if (callId === undefined) return context.debug("a tool message without a tool call id was skipped");
      if (answered().has(callId)) return;
      const before = waiting.get(callId);
      const result: Result = {
        message: toolMessage,
        id: idOf(toolMessage.id) ?? before?.id,
        origin: before?.origin ?? origin,
        input: tool?.input ?? before?.input,
        toolName: tool?.name ?? before?.toolName,
      };
      if (result.id === undefined && !idComesLater(source)) result.id = context.newId();
      waiting.set(callId, result);
      if (source === "values") send(callId, result);
      else sendInOrder(callId, source);
    },
    know(messages) {
      unread.push(messages);
    },
    release() {
      if (hasSeen("values")) return;
      for (const callId of [...waiting.keys()]) sendIfReady(callId);
    },
    end() {
      for (const [callId, result] of [...waiting]) {
        // A result that no row has taken up is none: its node was stopped, and will run the tool again.
        if (isReady(result)) send(callId, result);
        else context.debug(`the result of ${callId} is in no message of the graph`);
      }
      waiting.clear();
    },
  };
}
