import type { ToolMessage as AguiToolMessage, InputContent } from "@ag-ui/client";
import type { AgentToolMessage, LangChainMessage } from "../types";
import { arePartsOfAgui, contentAsText, toolContentToAgui } from "./content";
import { EXTRAS_KEY, readExtras, writeExtras } from "./extras";
import { idOf, isRecord, jsonText, textOrNothing } from "./json";
import { legibleFailure, UNKNOWN_ERROR } from "./legible";

/** A LangChain tool message as a plain dict. */
export type LangChainToolMessage = Extract<LangChainMessage, { type: "tool" }>;

/** How the content of a failed tool result is written for the model. */
export interface ToolErrorOptions {
  /**
   * `"legible"` (default): a content that does not say the error text gets it put before. `"as-is"`: the content
   * stays, but a blank one of a failed result is still filled, since providers refuse it.
   */
  toolErrorContent?: "legible" | "as-is";
}

const NEVER_ANSWERED = "The tool call was never answered: the run ended before its result came.";

/**
 * Whether the LangChain message has a field of its own for it; the client's other keys travel beside them. Every key of
 * every result is asked for, and comparing is cheaper than looking it up.
 */
function isOwnKey(key: string): boolean {
  switch (key) {
    case "id":
    case "role":
    case "type":
    case "content":
    case "toolCallId":
    case "error":
    case "status":
    case "name":
    case "synthetic":
    case "__proto__":
      return true;
    default:
      return false;
  }
}

/**
 * An AG-UI tool message as a LangChain one. A non-empty `error` gives `status: "error"`, with the exact text in
 * `additional_kwargs.error`; all that LangChain has no field for travels in `additional_kwargs["ag-ui"]`.
 *
 * @param callName The name of the tool, for a message that does not say it: AG-UI's have no place for it.
 */
export function toolMessageToLangChain(
  message: AgentToolMessage,
  options: ToolErrorOptions = {},
  callName?: string,
): LangChainToolMessage {
  const error = errorTextOf(message.error);
  const failed = error !== undefined || message.status === "error";
  const original: unknown = message.content;
  const content = writeContent(original, failed, error, options);
  const extras = extrasOf(message, content === original || !isContent(original) ? undefined : original);
  const id = idOf(message.id);
  const callId = idOf(message.toolCallId) ?? "";
  const status = failed ? "error" : "success";
  const name = textOrNothing((message as { name?: unknown }).name) ?? callName;
  // Two whole literals: keys that are added one by one cost more than all the rest in a long history.
  const converted: Record<string, unknown> = name
    ? { id, type: "tool", role: "tool", content, tool_call_id: callId, status, name }
    : { id, type: "tool", role: "tool", content, tool_call_id: callId, status };
  if (error !== undefined) converted.additional_kwargs = { error, ...extras };
  else if (EXTRAS_KEY in extras) converted.additional_kwargs = extras;
  return converted as unknown as LangChainToolMessage;
}

function extrasOf(message: AgentToolMessage, original: unknown): { [EXTRAS_KEY]?: string } {
  const others = otherKeysOf(message);
  return others || original !== undefined ? writeExtras({ ...others, content: original }) : NOTHING;
}

const NOTHING = {};

/** What a message has beside the keys that have a place of their own; most have nothing. */
function otherKeysOf(message: object): Record<string, unknown> | undefined {
  let others: Record<string, unknown> | undefined;
  for (const key in message) {
    if (isOwnKey(key) || !Object.hasOwn(message, key)) continue;
    others ??= {};
    others[key] = (message as Record<string, unknown>)[key];
  }
  return others;
}

/**
 * A LangChain tool message as an AG-UI one: `error` is the recorded text, or `"error"` where only the status is
 * known; the content is what the tool or the client gave before it was made legible.
 *
 * @param options.protocol1 `false` for clients before protocol 1.0: content is always a string.
 */
export function toolMessageToAgui(
  message: LangChainToolMessage,
  { protocol1 = true }: { protocol1?: boolean } = {},
): AguiToolMessage {
  const { content: stored, metadata, encryptedValue, subagentRunId, ...others } = readExtras(message);
  const toolCallId = idOf(message.tool_call_id) ?? "";
  const shown: Record<string, unknown> = {
    ...otherKeysOf(others),
    id: idOf(message.id) ?? `tool-${toolCallId}`,
    role: "tool",
    content: isOriginalOf(stored, message)
      ? originalToAgui(stored, protocol1)
      : toolContentToAgui(message.content, protocol1),
    toolCallId,
  };
  const error = failureOf(message);
  if (error !== undefined) shown.error = error;
  if (isRecord(metadata)) shown.metadata = metadata;
  if (typeof encryptedValue === "string") shown.encryptedValue = encryptedValue;
  if (typeof subagentRunId === "string") shown.subagentRunId = subagentRunId;
  return shown as unknown as AguiToolMessage;
}

/**
 * Why the tool call of this LangChain message failed: the recorded text, `"error"` where only the status is known,
 * `undefined` where it did not fail.
 */
export function failureOf(message: LangChainToolMessage): string | undefined {
  const recorded = recordedError(message);
  if (message.status === "error") return recorded ?? UNKNOWN_ERROR;
  // A serialiser that lost the status has not made a success of it; a graph that wrote "success" has.
  return message.status === "success" ? undefined : recorded;
}

/**
 * The same tool message, with a content that tells a model that the call failed. The original content is kept for
 * the client. The message itself where nothing has to change: it did not fail, or it already says so.
 */
export function makeLegible(
  message: LangChainToolMessage,
  options: ToolErrorOptions = {},
): LangChainToolMessage {
  if (failureOf(message) === undefined) return message;
  const extras = readExtras(message);
  const original = isOriginalOf(extras.content, message)
    ? extras.content
    : toolContentToAgui(message.content, true);
  const content = writeContent(original, true, recordedError(message), options);
  if (content === message.content) return message;
  const kwargs = { ...message.additional_kwargs, ...writeExtras({ ...extras, content: original }) };
  return { ...message, content, additional_kwargs: kwargs };
}

/**
 * The failed result that stands for one that nothing will give any more: histories with an unanswered call are
 * refused by every provider. Its id is made of the call's, so that it is the same whenever it is made.
 */
export function syntheticToolResult({
  toolCallId,
  name,
}: {
  toolCallId: string;
  name?: string;
}): LangChainToolMessage {
  return {
    id: `unanswered-${toolCallId}`,
    type: "tool",
    role: "tool",
    content: NEVER_ANSWERED,
    tool_call_id: toolCallId,
    status: "error",
    ...(name ? { name } : {}),
    additional_kwargs: { error: NEVER_ANSWERED, ...writeExtras({ synthetic: true }) },
  } as LangChainToolMessage;
}

/** Whether a tool message was made by `syntheticToolResult`, also after a client has sent it back. */
export function isSynthetic(message: { content?: unknown; additional_kwargs?: unknown }): boolean {
  return message.content === NEVER_ANSWERED || readExtras(message).synthetic === true;
}

function writeContent(
  original: unknown,
  failed: boolean,
  error: string | undefined,
  options: ToolErrorOptions,
): string {
  const text = contentAsText(original);
  if (!failed || (options.toolErrorContent === "as-is" && text.trim() !== "")) return text;
  return legibleFailure(text, error);
}

/** Whether what was stored is what this content was written from: a content that a graph has edited since wins. */
function isOriginalOf(stored: unknown, message: LangChainToolMessage): stored is string | InputContent[] {
  if (!isContent(stored) || (Array.isArray(stored) && !arePartsOfAgui(stored))) return false;
  const failed = failureOf(message) !== undefined;
  const modes = ["legible", "as-is"] as const;
  return modes.some(
    (mode) =>
      writeContent(stored, failed, recordedError(message), { toolErrorContent: mode }) === message.content,
  );
}

function originalToAgui(stored: string | InputContent[], protocol1: boolean): string | InputContent[] {
  return protocol1 ? stored : contentAsText(stored);
}

function isContent(value: unknown): value is string | unknown[] {
  return typeof value === "string" || Array.isArray(value);
}

function recordedError(message: LangChainToolMessage): string | undefined {
  return isRecord(message.additional_kwargs) ? textOrNothing(message.additional_kwargs.error) : undefined;
}

/** Clients send a text; what else is truthy there still means that the call failed. */
function errorTextOf(error: unknown): string | undefined {
  if (!error) return undefined;
  if (typeof error === "string") return error;
  return (isRecord(error) && textOrNothing(error.message)) || jsonText(error) || UNKNOWN_ERROR;
}
