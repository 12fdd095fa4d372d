import { readExtras, writeExtras } from "../messages/extras";
import { isRecord } from "../messages/json";
import { parseToolArguments } from "../messages/tool-arguments";
import type { LangChainMessage } from "../types";
import type { GuardContext } from "./context";
import { rewriteCalls } from "./rewrite-calls";
import { type AiMessage, callsOf, idText, isAi, type NativeCall } from "./shapes";

/**
 * Native calls whose arguments are no object, and calls that only a provider's own fields still have since their
 * arguments could not be read, become calls with an object: repaired where there is one meaning, else empty. The pair
 * of call and result stays whole, and the raw text stays with the message for the client.
 */
export function mendArguments(
  messages: readonly LangChainMessage[],
  context: GuardContext,
): LangChainMessage[] {
  return messages.map((message) =>
    isAi(message) && !hasSoundCalls(message) ? mend(message, context) : message,
  );
}

/** Whether all calls of a message are where they belong, with an object as their arguments. */
export function hasSoundCalls(message: AiMessage): boolean {
  const { tool_calls: calls, invalid_tool_calls: invalid, content, additional_kwargs: kwargs } = message;
  if (Array.isArray(invalid) && invalid.length > 0) return false;
  if (isRecord(kwargs) && kwargs.tool_calls !== undefined && callsOf(message).length === 0) return false;
  if (Array.isArray(content) && content.some(isToolUse))
    return hiddenCalls(message).length === 0 && areSound(calls);
  return areSound(calls);
}

const areSound = (calls: unknown): boolean =>
  calls === undefined || (Array.isArray(calls) && calls.every(isSound));

const isSound = (call: unknown): boolean => isRecord(call) && isRecord(call.args) && isText(call.name);

const isText = (value: unknown): boolean => typeof value === "string";

function mend(message: AiMessage, context: GuardContext): AiMessage {
  const all = [...callsOf(message), ...hiddenCalls(message)];
  const raw: [string, string][] = [];
  const mended = all.map((call) => {
    if (isRecord(call.args)) return call;
    const id = idText(call.id);
    const written: unknown = call.args;
    const { args, outcome } = parseToolArguments(written);
    if (typeof written === "string") raw.push([id, written]);
    if (outcome === "replaced" || typeof written !== "string") {
      context.report("arguments-replaced", message, "The arguments could not be read and are now empty.", id);
    } else {
      context.report("arguments-repaired", message, "The arguments were no object and were repaired.", id);
    }
    return { ...call, args };
  });
  const extras = readExtras(message);
  const kept = isRecord(extras.arguments) ? extras.arguments : {};
  const rawTexts =
    raw.length > 0 ? writeExtras({ ...extras, arguments: { ...Object.fromEntries(raw), ...kept } }) : {};
  const changed = rewriteCalls({ ...message, tool_calls: all }, mended);
  return {
    ...changed,
    ...(raw.length > 0 && { additional_kwargs: { ...changed.additional_kwargs, ...rawTexts } }),
  };
}

/** The calls that a message has in other places than `tool_calls`; providers would send them again. */
function hiddenCalls(message: AiMessage): NativeCall[] {
  const known = new Set(callsOf(message).map(({ id }) => idText(id)));
  const found: NativeCall[] = [];
  const add = (id: unknown, name: unknown, args: unknown): void => {
    const key = idText(id);
    if (known.has(key)) return;
    known.add(key);
    // What could not be read is mended with the rest.
    found.push({ id: key, name: idText(name), args: args as NativeCall["args"], type: "tool_call" });
  };
  for (const call of listOf(message.invalid_tool_calls)) add(call.id, call.name, call.args);
  if (known.size === 0) {
    for (const { id, function: called } of listOf(message.additional_kwargs?.tool_calls)) {
      if (isRecord(called)) add(id, called.name, called.arguments);
    }
  }
  for (const block of listOf(message.content)) if (isToolUse(block)) add(block.id, block.name, block.input);
  return found;
}

const listOf = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter(isRecord) : [];

const isToolUse = (block: unknown): boolean => isRecord(block) && block.type === "tool_use";
