import type { ReasoningMessage } from "@ag-ui/client";
import type { LangChainMessage } from "../types";
import { idOf, isRecord, textOrNothing } from "./json";

/** What a provider's reasoning block says, whatever its form. */
export interface ReasoningContent {
  /** The provider's own id of the block (OpenAI's `rs_…`). */
  id?: string;
  text: string;
  /** What proves or hides the reasoning: a signature, an encrypted content, a redacted thought. */
  encryptedValue?: string;
}

/**
 * Reads a reasoning block of a LangChain message's content: OpenAI summaries, LangChain's standard block, Anthropic's
 * and Gemini's `thinking`, `redacted_thinking`, Bedrock's `reasoning_content`.
 *
 * @returns `undefined` for every other block.
 */
export function readReasoningBlock(block: unknown): ReasoningContent | undefined {
  if (!isRecord(block)) return undefined;
  switch (block.type) {
    case "reasoning":
      return content(
        block,
        summaryText(block) || block.reasoning || block.text,
        block.encrypted_content ?? block.signature,
      );
    case "thinking":
      return content(block, block.thinking, block.signature);
    case "redacted_thinking":
      return content(block, "", block.data);
    case "reasoning_content": {
      const inner = [block.reasoningText, block.reasoning_content].find(isRecord) ?? {};
      return content(block, inner.text, inner.signature ?? block.redactedContent);
    }
    default:
      return undefined;
  }
}

/**
 * The id that the reasoning message of a block has, live and in every snapshot: the block's own, else made of its
 * place (`<assistant>-reasoning-0`). The name of the block's form is in it, so that it can come back in that form.
 */
export function reasoningMessageId(block: unknown, assistantId: string, index: number): string {
  const { id, type } = isRecord(block) ? block : {};
  return idOf(id) ?? `${assistantId}-${typeof type === "string" ? type : "reasoning"}-${index}`;
}

/** The reasoning of an assistant message as AG-UI messages, in the order of its blocks; wholly empty blocks are left out. */
export function reasoningToAgui(message: LangChainMessage, assistantId: string): ReasoningMessage[] {
  return reasoningBlocksOf(message).flatMap(([block, index]) => {
    const { id, text, encryptedValue } = readReasoningBlock(block) ?? { text: "" };
    if (!id && !text && !encryptedValue) return [];
    return [
      {
        id: reasoningMessageId(block, assistantId, index),
        role: "reasoning" as const,
        content: text,
        ...(encryptedValue ? { encryptedValue } : {}),
      },
    ];
  });
}

function reasoningBlocksOf(message: LangChainMessage): [block: unknown, index: number][] {
  if (typeof message.content === "string" && !message.additional_kwargs) return [];
  const blocks: unknown[] = Array.isArray(message.content) ? message.content : [];
  const found = blocks.flatMap((block, index): [unknown, number][] =>
    readReasoningBlock(block) ? [[block, index]] : [],
  );
  if (found.length > 0 || !isRecord(message.additional_kwargs)) return found;
  // Some providers keep it beside the content; where both are there they say the same.
  const { reasoning, reasoning_content: plain } = message.additional_kwargs;
  if (isRecord(reasoning)) return [[{ ...reasoning, type: "reasoning" }, 0]];
  return textOrNothing(plain) ? [[{ type: "reasoning", reasoning: plain }, 0]] : [];
}

/**
 * An AG-UI reasoning message as a block of the assistant message that follows it, in the form that it had where its
 * id tells the form, else as OpenAI's.
 *
 * @returns `undefined` for a thought that its provider would refuse: unsigned ones are good for reading only.
 */
export function reasoningToBlock(
  message: ReasoningMessage,
  assistantId: string,
): Record<string, unknown> | undefined {
  const text = textOrNothing(message.content) ?? "";
  const encrypted = textOrNothing(message.encryptedValue);
  switch (formOf(message.id, assistantId)) {
    case "thinking":
      return encrypted ? { type: "thinking", thinking: text, signature: encrypted } : undefined;
    case "redacted_thinking":
      return encrypted ? { type: "redacted_thinking", data: encrypted } : undefined;
    case "reasoning_content":
      if (!text) return encrypted ? { type: "reasoning_content", redactedContent: encrypted } : undefined;
      return {
        type: "reasoning_content",
        reasoningText: { text, ...(encrypted && { signature: encrypted }) },
      };
    case "reasoning":
      // With neither an id nor a signature of its provider's, OpenAI's Responses refuse it, and its chat API is left with
      // an empty list where the message says nothing else.
      if (!encrypted) return undefined;
      if (text) return { type: "reasoning", reasoning: text, signature: encrypted };
  }
  return {
    type: "reasoning",
    id: message.id,
    summary: text ? [{ type: "summary_text", text }] : [],
    ...(encrypted && { encrypted_content: encrypted }),
  };
}

/** The form of the block that an id was made for; nothing where it is the provider's own id. */
function formOf(id: unknown, assistantId: string): string | undefined {
  if (typeof id !== "string" || !id.startsWith(`${assistantId}-`)) return undefined;
  return /^([a-z_]+)-\d+$/.exec(id.slice(assistantId.length + 1))?.[1];
}

function content(block: Record<string, unknown>, text: unknown, encrypted: unknown): ReasoningContent {
  return {
    id: idOf(block.id),
    text: textOrNothing(text) ?? "",
    encryptedValue: textOrNothing(encrypted),
  };
}

/** The parts of a summary, a line each. */
function summaryText({ summary }: Record<string, unknown>): string {
  if (!Array.isArray(summary)) return "";
  return summary.flatMap((part) => (isRecord(part) && textOrNothing(part.text)) || []).join("\n");
}
