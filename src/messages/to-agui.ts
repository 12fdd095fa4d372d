import type { AssistantMessage, ToolCall } from "@ag-ui/client";
import type { AguiMessage, LangChainMessage } from "../types";
import { partsToAgui, textOf } from "./content";
import { readExtras } from "./extras";
import { idOf, isRecord, jsonText, textOrNothing } from "./json";
import { readMessage } from "./read-message";
import { reasoningToAgui } from "./reasoning";
import { parseToolArguments } from "./tool-arguments";
import { type LangChainToolMessage, toolMessageToAgui } from "./tool-result";

/** How LangChain messages are converted for a client. */
export interface ToAguiOptions {
  /** `false` for clients before protocol 1.0, which take only strings as the content of a tool message. Default `true`. */
  protocol1?: boolean;
  /** Told of every message that has no counterpart and is left out. */
  onSkip?(message: unknown, why: string): void;
}

/** ChatMessage, the message of models without types, says in `role` who speaks. */
const TYPE_OF_GENERIC_ROLE = new Map<unknown, string>([
  ["user", "human"],
  ["human", "human"],
  ["system", "system"],
  ["developer", "developer"],
]);

/**
 * LangChain messages (plain dicts, instances, serialised ones) as AG-UI messages, one by one. Reasoning blocks become
 * reasoning messages before their assistant message; `remove` and `function` messages, and all that is no message,
 * have no counterpart and are left out.
 *
 * The results are those of `@ag-ui/langgraph`, except that nothing throws, that all the text blocks of a message are
 * there, and that a failed tool result has its error text.
 *
 * @param options.protocol1 `false` for clients before protocol 1.0.
 * @param options.onSkip Told of what is left out.
 */
export function langchainMessagesToAgui(
  messages: readonly unknown[],
  options: ToAguiOptions = {},
): AguiMessage[] {
  const converted: AguiMessage[] = [];
  messages.forEach((value, index) => {
    const message = readMessage(value);
    if (message) convert(message, idOf(message.id) ?? `message-${index}`, converted, options);
    else options.onSkip?.(value, "no message");
  });
  return converted;
}

function convert(
  message: LangChainMessage,
  id: string,
  converted: AguiMessage[],
  options: ToAguiOptions,
): void {
  switch (typeOf(message)) {
    case "human":
      converted.push(textMessage(message, id, "user", userContent(message.content)));
      break;
    case "ai":
      for (const thought of reasoningToAgui(message, id)) converted.push(thought);
      converted.push(assistantToAgui(message, id));
      break;
    case "system":
      converted.push(textMessage(message, id, "system", textOf(message.content)));
      break;
    case "developer":
      converted.push(textMessage(message, id, "developer", textOf(message.content)));
      break;
    case "tool":
      converted.push(toolMessageToAgui(message as LangChainToolMessage, options));
      break;
    default:
      options.onSkip?.(message, `type ${message.type}`);
  }
}

function typeOf(message: LangChainMessage): string {
  const type: string = message.type;
  return type === "generic" ? (TYPE_OF_GENERIC_ROLE.get((message as { role?: unknown }).role) ?? "ai") : type;
}

function userContent(content: unknown): unknown {
  return Array.isArray(content) ? partsToAgui(content) : textOf(content);
}

function assistantToAgui(message: LangChainMessage, id: string): AguiMessage {
  const assistant = textMessage(message, id, "assistant", textOf(message.content)) as AssistantMessage;
  const calls: unknown = (message as { tool_calls?: unknown }).tool_calls;
  if (Array.isArray(calls)) assistant.toolCalls = toolCallsToAgui(calls.filter(isRecord), id, message);
  return assistant;
}

function toolCallsToAgui(
  calls: Record<string, unknown>[],
  messageId: string,
  message: LangChainMessage,
): ToolCall[] {
  const raw = rawArgumentsOf(message);
  return calls.map((call, index) => {
    const id = idOf(call.id) ?? `${messageId}-call-${index}`;
    const text = argumentsToAgui(call.args, raw && Object.hasOwn(raw, id) ? raw[id] : undefined);
    return { id, type: "function", function: { name: textOrNothing(call.name) ?? "", arguments: text } };
  });
}

/** What the client had sent, where that was no JSON and the graph has not changed the arguments since. */
function argumentsToAgui(args: unknown, raw: unknown): string {
  const json = typeof args === "string" ? args : jsonText(args ?? {});
  return typeof raw === "string" && jsonText(parseToolArguments(raw).args) === json ? raw : json;
}

function rawArgumentsOf(message: LangChainMessage): Record<string, unknown> | undefined {
  const { arguments: raw } = readExtras(message);
  return isRecord(raw) ? raw : undefined;
}

function textMessage(message: LangChainMessage, id: string, role: string, content: unknown): AguiMessage {
  const shown: Record<string, unknown> = { id, role, content };
  const name = textOrNothing(message.name);
  if (name) shown.name = name;
  return shown as unknown as AguiMessage;
}
