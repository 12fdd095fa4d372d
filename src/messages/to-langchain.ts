import type { AssistantMessage, ReasoningMessage } from "@ag-ui/client";
import type { AgentToolMessage, AguiMessage, LangChainMessage } from "../types";
import { partsToLangChain, textOf } from "./content";
import { writeExtras } from "./extras";
import { idOf, isRecord, jsonText, textOrNothing } from "./json";
import { reasoningToBlock } from "./reasoning";
import { type ParsedArguments, parseToolArguments } from "./tool-arguments";
import { type ToolErrorOptions, toolMessageToLangChain } from "./tool-result";

/** How AG-UI messages are converted, and who is told of what does not go through as it is. */
export interface ToLangChainOptions extends ToolErrorOptions {
  /** Told of every message, or part of one, that has no counterpart and is left out. */
  onSkip?(message: unknown, why: string): void;
  /** Told of every argument string that was no JSON object. */
  onBrokenArguments?(call: {
    messageId: string;
    toolCallId: string;
    outcome: ParsedArguments["outcome"];
  }): void;
}

/**
 * AG-UI messages as LangChain messages (plain dicts with a `type`), one by one: no look at the history as a whole.
 * Reasoning becomes a block of the assistant message that follows it, and is left out where none does; `developer`
 * messages are left out, since the graph has its own instructions; unknown roles too.
 *
 * The results are those of `@ag-ui/langgraph`, except that nothing throws and that a failed tool result keeps its
 * error text.
 *
 * @param options.toolErrorContent How failed tool results are written: `"legible"` by default.
 * @param options.onSkip Told of what is left out.
 */
export function aguiMessagesToLangChain(
  messages: readonly AguiMessage[],
  options: ToLangChainOptions = {},
): LangChainMessage[] {
  const converted: LangChainMessage[] = [];
  const conversion = newConversion(options);
  for (const message of messages) {
    const result = nextToLangChain(message, conversion);
    if (result) converted.push(result);
  }
  return converted;
}

/** A conversion that goes on from message to message. */
export interface Conversion {
  options: ToLangChainOptions;
  /** What was thought since the last message; the next assistant message takes it. */
  reasoning: ReasoningMessage[];
  /**
   * The argument strings of the message at hand that were no JSON object, with the ids of their calls. One list for all
   * messages, as nearly all leave it empty.
   */
  broken: [callId: string, raw: string][];
}

export const newConversion = (options: ToLangChainOptions): Conversion => ({
  options,
  reasoning: [],
  broken: [],
});

/**
 * The next message of a history; nothing for one that is left out, or that comes with a later one.
 *
 * @param callName The name of the tool, where the message is a result.
 */
export function nextToLangChain(
  message: AguiMessage,
  conversion: Conversion,
  callName?: string,
): LangChainMessage | undefined {
  const { options, reasoning } = conversion;
  let converted: LangChainMessage;
  const role: unknown = message?.role;
  switch (role) {
    case "user":
      converted = dict(message, "human", userContent(message, options));
      break;
    case "assistant":
      converted = assistantToLangChain(message as AssistantMessage, conversion);
      break;
    case "tool":
      converted = toolMessageToLangChain(message as AgentToolMessage, options, callName);
      break;
    case "system":
      converted = dict(message, "system", textOf(message.content));
      break;
    case "reasoning":
      reasoning.push(message as ReasoningMessage);
      return undefined;
    default:
      options.onSkip?.(message, isRecord(message) ? `role ${String(role)}` : "no message");
      return undefined;
  }
  if (reasoning.length > 0) reasoning.length = 0;
  return converted;
}

function userContent(message: AguiMessage, options: ToLangChainOptions): unknown {
  const content: unknown = message.content;
  if (Array.isArray(content)) {
    return partsToLangChain(content, (type) => options.onSkip?.(message, `content part ${type}`));
  }
  if (isRecord(content)) return jsonText(content);
  return content === null || content === undefined ? "" : String(content);
}

function assistantToLangChain(message: AssistantMessage, conversion: Conversion): LangChainMessage {
  const { reasoning, broken } = conversion;
  const text = textOf(message.content);
  const content = reasoning.length > 0 ? withReasoning(reasoning, text, message.id) : text;
  const calls: unknown = message.toolCalls;
  const isCalling = Array.isArray(calls) && calls.length > 0;
  const tool_calls = isCalling ? callsToLangChain(calls, message, conversion) : [];
  const assistant = named(
    { id: idOf(message.id), type: "ai", role: message.role, content, tool_calls },
    message,
  );
  if (broken.length > 0) {
    assistant.additional_kwargs = writeExtras({ arguments: Object.fromEntries(broken) });
    broken.length = 0;
  }
  return assistant;
}

function callsToLangChain(
  calls: readonly unknown[],
  message: AssistantMessage,
  conversion: Conversion,
): unknown[] {
  const [first] = calls;
  // Most messages have one call: no list that grows and no closure for each message of a long history.
  if (calls.length === 1 && isRecord(first)) return [callToLangChain(first, message, conversion)];
  return calls.filter(isRecord).map((call) => callToLangChain(call, message, conversion));
}

function callToLangChain(
  call: Record<string, unknown>,
  message: AssistantMessage,
  { options, broken }: Conversion,
) {
  const { name, arguments: raw } = isRecord(call.function) ? call.function : NO_FUNCTION;
  const { args, outcome } = parseToolArguments(raw);
  const id = idOf(call.id) ?? "";
  if (outcome !== "ok") {
    if (typeof raw === "string") broken.push([id, raw]);
    options.onBrokenArguments?.({ messageId: idOf(message.id) ?? "", toolCallId: id, outcome });
  }
  return { id, name: textOrNothing(name) ?? "", args, type: "tool_call" };
}

const NO_FUNCTION: Record<string, unknown> = {};

function withReasoning(reasoning: readonly ReasoningMessage[], text: string, assistantId: string): unknown {
  const blocks = reasoning.flatMap((thought) => reasoningToBlock(thought, assistantId) ?? []);
  if (blocks.length === 0) return text;
  return text ? [...blocks, { type: "text", text }] : blocks;
}

function dict(message: AguiMessage, type: "human" | "system", content: unknown): LangChainMessage {
  return named({ id: idOf(message.id), type, role: message.role, content }, message);
}

function named(converted: Record<string, unknown>, message: object): LangChainMessage {
  const name = textOrNothing((message as { name?: unknown }).name);
  if (name) converted.name = name;
  return converted as unknown as LangChainMessage;
}
