import type { InputContent } from "@ag-ui/client";
import { isRecord, jsonText } from "./json";
import { isAddress, partOfMediaBlock, urlOfPart } from "./media";

type LangChainPart = { type: "text"; text: string } | { type: "image_url"; image_url: { url: string } };

const PART_TYPES: ReadonlySet<unknown> = new Set(["text", "image", "audio", "video", "document", "binary"]);
const SOURCE_TYPES: ReadonlySet<unknown> = new Set(["data", "url", "file"]);

/**
 * The text of a message's content: a string as it is, the text blocks of a list joined without a separator.
 * Everything else (also `null`) has no text: `""`.
 */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  let text = "";
  for (const block of content) text += textOfBlock(block) ?? "";
  return text;
}

function textOfBlock(block: unknown): string | undefined {
  if (typeof block === "string") return block;
  return isRecord(block) && block.type === "text" && typeof block.text === "string" ? block.text : undefined;
}

/**
 * The content of a tool result as the one string that every provider takes: text as it is; a list with anything
 * but text in it as JSON, since nothing of it may be lost.
 */
export function contentAsText(content: unknown): string {
  if (typeof content === "string") return content;
  if (content === undefined || content === null) return "";
  if (Array.isArray(content)) {
    return content.every((block) => textOfBlock(block) !== undefined) ? textOf(content) : jsonText(content);
  }
  return jsonText(content);
}

/**
 * AG-UI content parts as LangChain blocks. Media of all kinds become `image_url` blocks, as in the official adapter.
 * An address that is none outside of the client's page becomes a text, since providers' packages throw at it.
 *
 * @param onDrop Told the type of each part whose media are left out: it names no source that a provider could take.
 */
export function partsToLangChain(
  parts: readonly unknown[],
  onDrop?: (type: string) => void,
): LangChainPart[] {
  const blocks: LangChainPart[] = [];
  for (const part of parts) {
    const text = textOfBlock(part);
    const url =
      text === undefined && isRecord(part) && PART_TYPES.has(part.type) ? urlOfPart(part) : undefined;
    if (text !== undefined) blocks.push({ type: "text", text });
    else if (url !== undefined && isAddress(url)) blocks.push({ type: "image_url", image_url: { url } });
    else {
      if (url !== undefined) blocks.push({ type: "text", text: url });
      onDrop?.(isRecord(part) ? String(part.type) : typeof part);
    }
  }
  return blocks;
}

/** LangChain blocks as AG-UI content parts; blocks that no client could show (and empty texts) are left out. */
export function partsToAgui(blocks: readonly unknown[]): InputContent[] {
  const parts: InputContent[] = [];
  for (const block of blocks) {
    const text = textOfBlock(block);
    if (text) parts.push({ type: "text", text });
    if (text !== undefined || !isRecord(block)) continue;
    const part = isPartOfAgui(block) ? block : partOfMediaBlock(block);
    if (part) parts.push(part);
  }
  return parts;
}

/**
 * What a tool gave, for the client: a string where there is only text, else its parts. A block that is no part of
 * AG-UI becomes a text part with its JSON.
 *
 * @param asParts `false` for clients before protocol 1.0, which take strings only.
 */
export function toolContentToAgui(content: unknown, asParts: boolean): string | InputContent[] {
  if (!Array.isArray(content) || content.every((block) => textOfBlock(block) !== undefined)) {
    return contentAsText(content);
  }
  const parts = content.flatMap((block): InputContent[] => {
    const shown = partsToAgui([block]);
    return shown.length > 0 || textOfBlock(block) === "" ? shown : [{ type: "text", text: jsonText(block) }];
  });
  return asParts ? parts : contentAsText(parts);
}

/** Whether a client would take this as the parts of a message: what was stored may have been changed since. */
export function arePartsOfAgui(value: unknown): value is InputContent[] {
  return Array.isArray(value) && value.every(isPartOfAgui);
}

function isPartOfAgui(part: unknown): part is InputContent {
  if (!isRecord(part) || !PART_TYPES.has(part.type)) return false;
  if (part.type === "text") return typeof part.text === "string";
  if (part.type === "binary") return typeof part.mimeType === "string";
  const { source } = part;
  if (!isRecord(source) || !SOURCE_TYPES.has(source.type) || typeof source.value !== "string") return false;
  return typeof source.mimeType === "string" || (source.mimeType === undefined && source.type !== "data");
}
