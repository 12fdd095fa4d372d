import { readExtras, writeExtras } from "../messages/extras";
import { isRecord } from "../messages/json";
import { type AiMessage, callsOf, idText, type NativeCall } from "./shapes";

/** The content blocks in which providers and LangChain's own format repeat a native call. */
const CALL_BLOCKS: ReadonlySet<unknown> = new Set(["tool_use", "tool_call"]);

/**
 * An assistant message with other calls, in all the places where its providers would look for them: `tool_calls`,
 * the blocks of its content, the raw calls in `additional_kwargs`, and a recorded provider output, which would be
 * sent again as it is.
 *
 * @param calls The new call for each of the message's calls, in their order; `undefined` takes a call out.
 */
export function rewriteCalls(message: AiMessage, calls: readonly (NativeCall | undefined)[]): AiMessage {
  const changes = new Map<string, (NativeCall | undefined)[]>();
  for (const [index, call] of callsOf(message).entries()) {
    const id = idText(call.id);
    const namesakes = changes.get(id);
    if (namesakes) namesakes.push(calls[index]);
    else changes.set(id, [calls[index]]);
  }
  return {
    ...message,
    content: rewriteContent(
      message.content,
      changes,
      calls.every((call) => call === undefined),
    ),
    tool_calls: calls.filter((call) => call !== undefined),
    ...(message.invalid_tool_calls && { invalid_tool_calls: [] }),
    ...(isRecord(message.additional_kwargs) && {
      additional_kwargs: rewriteKwargs(message.additional_kwargs, changes),
    }),
    ...(isRecord(message.response_metadata) && {
      response_metadata: withoutOutput(message.response_metadata),
    }),
  };
}

type Changes = ReadonlyMap<string, readonly (NativeCall | undefined)[]>;

function rewriteContent(
  content: AiMessage["content"],
  changes: Changes,
  noneLeft: boolean,
): AiMessage["content"] {
  if (!Array.isArray(content)) return content;
  const seen = new Map<string, number>();
  const blocks = content.flatMap((block: unknown) => {
    if (!isRecord(block)) return [block];
    // The pieces of streamed arguments: with the call they belonged to changed, only `tool_calls` tells the truth.
    if (block.type === "input_json_delta") return [];
    if (block.type === "functionCall") return noneLeft ? [] : [block];
    if (!CALL_BLOCKS.has(block.type)) return [block];
    const id = idText(block.id);
    const namesakes = changes.get(id);
    if (!namesakes) return [];
    const nth = seen.get(id) ?? 0;
    seen.set(id, nth + 1);
    const call = namesakes[nth];
    return call ? [rewriteBlock(block, call)] : [];
  });
  return (blocks.length > 0 ? blocks : "") as AiMessage["content"];
}

function rewriteBlock(
  block: Record<string, unknown>,
  { id, name, args }: NativeCall,
): Record<string, unknown> {
  return { ...block, id, name, ...(block.type === "tool_use" ? { input: args } : { args }) };
}

/** The raw calls go, since providers read them only where `tool_calls` is empty; what is kept by call id follows its id. */
function rewriteKwargs(kwargs: Record<string, unknown>, changes: Changes): Record<string, unknown> {
  const { tool_calls: _, ...rest } = kwargs;
  const isById = (value: unknown): value is Record<string, unknown> =>
    isRecord(value) && Object.keys(value).some((id) => changes.has(id));
  for (const [key, value] of Object.entries(rest)) if (isById(value)) rest[key] = byNewIds(value, changes);
  const extras = readExtras({ additional_kwargs: rest });
  return isById(extras.arguments)
    ? { ...rest, ...writeExtras({ ...extras, arguments: byNewIds(extras.arguments, changes) }) }
    : rest;
}

function byNewIds(byId: Record<string, unknown>, changes: Changes): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(byId).flatMap(([id, value]) => {
      const namesakes = changes.get(id);
      if (!namesakes) return [[id, value]];
      const call = namesakes.find((candidate) => candidate !== undefined);
      return call ? [[idText(call.id), value]] : [];
    }),
  );
}

function withoutOutput(metadata: Record<string, unknown>): Record<string, unknown> {
  if (!("output" in metadata)) return metadata;
  const { output: _, ...rest } = metadata;
  return rest;
}
