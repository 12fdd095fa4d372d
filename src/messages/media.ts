import type { InputContent } from "@ag-ui/client";
import { isRecord, textOrNothing } from "./json";

type MediaKind = "image" | "audio" | "video" | "document";

/** The types of media blocks that LangChain and its providers use, with the kind of part that a client shows. */
const KIND_OF_TYPE = new Map<unknown, MediaKind>([
  ["image", "image"],
  ["audio", "audio"],
  ["input_audio", "audio"],
  ["video", "video"],
  ["document", "document"],
  ["file", "document"],
  ["text-plain", "document"],
  ["media", "document"],
]);

const USUAL_MIME_TYPE: Record<MediaKind, string> = {
  image: "image/png",
  audio: "audio/mpeg",
  video: "video/mp4",
  document: "application/octet-stream",
};

/**
 * The address of an AG-UI media part (or of the older binary part): an URL, a data URL, or the id of a file that the
 * sender and the provider know. `undefined` where a part names none.
 */
export function urlOfPart(part: Record<string, unknown>): string | undefined {
  if (part.type === "binary") {
    const { url, data, id, mimeType } = part;
    return (
      textOrNothing(url) ?? (textOrNothing(data) ? `data:${mimeType};base64,${data}` : textOrNothing(id))
    );
  }
  const source = isRecord(part.source) ? part.source : {};
  if (source.type === "url") return textOrNothing(source.value);
  return source.type === "data" && typeof source.value === "string"
    ? `data:${source.mimeType};base64,${source.value}`
    : undefined;
}

/**
 * Whether an address is known outside of the client's page: a path is not, nor what the page or its device has under an
 * URL of its own, and providers' packages throw at them. The id of a file is none of an URL's, and whoever knows it may
 * take it.
 */
export function isAddress(address: string): boolean {
  // Data may be long, and are not parsed for it.
  if (address.startsWith("data:") || /^[\w.-]+$/.test(address)) return true;
  return URL.canParse(address) && !OWN_SCHEMES.has(new URL(address).protocol);
}

/** Of addresses that name what only a page, or the device that shows it, has. */
const OWN_SCHEMES = new Set(["about:", "blob:", "content:", "file:", "filesystem:"]);

/** The AG-UI part of a LangChain media block, in any of LangChain's and the providers' forms. */
export function partOfMediaBlock(block: Record<string, unknown>): InputContent | undefined {
  if (block.type === "image_url") return partOfImageUrl(block.image_url);
  const kind = KIND_OF_TYPE.get(block.type);
  return kind && partOfFields(kind, { ...block, ...detailsOf(block) });
}

/** The block's own data: some forms keep it one level down, under a key of the provider's. */
function detailsOf({ source, file, input_audio: audio }: Record<string, unknown>): Record<string, unknown> {
  if (isRecord(source)) return source;
  if (isRecord(file)) return { url: file.file_data, fileId: file.file_id };
  return isRecord(audio) ? { data: audio.data, mimeType: `audio/${audio.format}` } : {};
}

function partOfFields(kind: MediaKind, fields: Record<string, unknown>): InputContent | undefined {
  const mimeType = textOrNothing(fields.mimeType ?? fields.mime_type ?? fields.media_type);
  const shown = (mimeType && kind === "document" && kindOfMimeType(mimeType)) || kind;
  const url = textOrNothing(fields.url ?? fields.fileUri ?? fields.fileId);
  if (url?.startsWith("data:")) return dataUrlPart(shown, url);
  if (url) return part(shown, { type: "url", value: url, ...(mimeType ? { mimeType } : {}) });
  const value = base64Of(fields);
  return value === undefined
    ? undefined
    : part(shown, { type: "data", value, mimeType: mimeType ?? USUAL_MIME_TYPE[shown] });
}

/** LangChain has one block for all media in a history, so what comes back is shown as an image. */
function partOfImageUrl(image: unknown): InputContent | undefined {
  const url = textOrNothing(isRecord(image) ? image.url : image);
  if (!url) return undefined;
  return url.startsWith("data:") ? dataUrlPart("image", url) : part("image", { type: "url", value: url });
}

function dataUrlPart(kind: MediaKind, url: string): InputContent {
  const comma = url.indexOf(",");
  const header = comma === -1 ? url : url.slice(0, comma);
  const mimeType = header.slice("data:".length).split(";", 1)[0] ?? "";
  return part(kind, { type: "data", value: comma === -1 ? "" : url.slice(comma + 1), mimeType });
}

function base64Of({ data, text }: Record<string, unknown>): string | undefined {
  if (typeof data === "string") return data;
  if (ArrayBuffer.isView(data))
    return bytesToBase64(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  return typeof text === "string" ? bytesToBase64(new TextEncoder().encode(text)) : undefined;
}

function bytesToBase64(bytes: Uint8Array): string {
  const pieces: string[] = [];
  // In pieces, since a call takes only so many arguments.
  for (let at = 0; at < bytes.length; at += 0x8000) {
    pieces.push(String.fromCharCode(...bytes.subarray(at, at + 0x8000)));
  }
  return btoa(pieces.join(""));
}

function kindOfMimeType(mimeType: string): MediaKind | undefined {
  const family = mimeType.split("/", 1)[0];
  return family === "image" || family === "audio" || family === "video" ? family : undefined;
}

function part(type: MediaKind, source: Record<string, string>): InputContent {
  return { type, source } as InputContent;
}
