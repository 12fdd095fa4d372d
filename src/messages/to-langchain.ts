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
  let reasoning: ReasoningMessage[] = [];
  for (const message of messages) {
    const role: unknown = isRecord(message) ? message.role : undefined;
    if (role === "reasoning") {
      reasoning.push(message as ReasoningMessage);
      continue;
    }
    const result = convert(message, role, reasoning, options);
    if (!result) continue;
    converted.push(result);
    reasoning = [];
  }
  return converted;
}

function convert(
  message: AguiMessage,
  role: unknown,
  reasoning: ReasoningMessage[],
  options: ToLangChainOptions,
): LangChainMessage | undefined {
  switch (role) {
    case "user":
      return dict(message, "human", userContent(message, options));
    case "assistant":
      return assistantToLangChain(message as AssistantMessage, reasoning, options);
    case "system":
      return dict(message, "system", textOf(message.content));
    case "tool":
      return toolMessageToLangChain(message as AgentToolMessage, options);
    default:
      options.onSkip?.(message, isRecord(message) ? `role ${String(role)}` : "no message");
      return undefined;
  }
}

function userContent(message: AguiMessage, options: ToLangChainOptions): unknown {
  const content: unknown = message.content;
  if (Array.isArray(content)) {
    return partsToLangChain(content, (type) => options.onSkip?.(message, `content part ${type}`));
  }
  if (isRecord(content)) return jsonText(content);
  return content === null || content === undefined ? "" : String(content);
}

function assistantToLangChain(
  message: AssistantMessage,
  reasoning: ReasoningMessage[],
  options: ToLangChainOptions,
): LangChainMessage {
  const text = textOf(message.content);
  const blocks = reasoning.flatMap((thought) => reasoningToBlock(thought, message.id) ?? []);
  const content = blocks.length > 0 ? [...blocks, ...(text ? [{ type: "text", text }] : [])] : text;
  const assistant = dict(message, "ai", content) as Extract<LangChainMessage, { type: "ai" }>;
  const broken: [callId: string, raw: string][] = [];
  const calls: unknown[] = Array.isArray(message.toolCalls) ? message.toolCalls : [];
  assistant.tool_calls = calls.filter(isRecord).map((call) => {
    const { name, arguments: raw } = isRecord(call.function) ? call.function : {};
    const { args, outcome } = parseToolArguments(raw);
    const id = idOf(call.id) ?? "";
    if (outcome !== "ok") {
      if (typeof raw === "string") broken.push([id, raw]);
      options.onBrokenArguments?.({ messageId: idOf(message.id) ?? "", toolCallId: id, outcome });
    }
    return { id, name: textOrNothing(name) ?? "", args, type: "tool_call" };
  });
  if (broken.length > 0) assistant.additional_kwargs = writeExtras({ arguments: Object.fromEntries(broken) });
  return assistant;
}

function dict(message: AguiMessage, type: "human" | "ai" | "system", content: unknown): LangChainMessage {
  const converted: Record<string, unknown> = { id: idOf(message.id), type, role: message.role, content };
  const name = textOrNothing((message as { name?: unknown }).name);
  if (name) converted.name = name;
  return converted as unknown as LangChainMessage;
}
