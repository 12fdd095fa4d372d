import { idOf, isRecord, jsonText, parseRecord } from "../messages/json";
import type { LangChainMessage } from "../types";

/** A piece of a call, or a whole one, as a chunk or a message has it. */
export type CallPiece = Record<string, unknown>;

/** The calls of a whole message. */
export function wholeCallsOf(message: LangChainMessage): CallPiece[] {
  const { tool_calls: calls } = message as { tool_calls?: unknown };
  return Array.isArray(calls) ? calls.filter(isRecord) : [];
}

/** The arguments as a client takes them: some models give an object where a text belongs. */
export function argsText(args: unknown, none: string): string {
  if (args === undefined || args === null) return none;
  return typeof args === "string" ? args : jsonText(args);
}

/** Whether a call with these arguments is what the whole message has. */
export function agrees(call: { id?: string; args: string }, piece: CallPiece | undefined): boolean {
  if (idOf(piece?.id) !== undefined && idOf(piece?.id) !== call.id) return false;
  const whole = argsText(piece?.args, "{}");
  return call.args === whole || jsonText(parseRecord(call.args)) === whole;
}

/** Whether these are all the arguments: nothing can come behind a whole object. */
export function isWhole(args: string): boolean {
  return args.trimEnd().endsWith("}") && parseRecord(args) !== undefined;
}
