import { jsonrepair } from "jsonrepair";
import { inert, isInertText } from "./inert";
import { isRecord } from "./json";

/** The arguments of a tool call, and how it went to read them. */
export interface ParsedArguments {
  /** Always an object, since no provider takes anything else. */
  args: Record<string, unknown>;
  /**
   * `"ok"`: the text was a JSON object. `"repaired"`: it was not, but there is only one object that it can mean.
   * `"replaced"`: it could mean anything, so the arguments are empty.
   */
  outcome: "ok" | "repaired" | "replaced";
}

/** Repairs a broken JSON text, or throws, or gives back what is no object. */
type Repair = (raw: string) => unknown;

const REPAIRS: readonly Repair[] = [unglued, mended];

/**
 * Reads the argument string of a tool call. Never throws, whatever a model or a client wrote.
 *
 * @param raw The text; a blank one means "no arguments".
 */
export function parseToolArguments(raw: unknown): ParsedArguments {
  if (typeof raw !== "string") return harmless(isRecord(raw) ? raw : {}, "repaired");
  const plain = attempt(JSON.parse, raw);
  if (isRecord(plain)) return isInertText(raw) ? { args: plain, outcome: "ok" } : harmless(plain, "ok");
  if (raw.trim() === "") return { args: {}, outcome: "repaired" };
  for (const repair of REPAIRS) {
    const args = attempt(repair, raw);
    if (isRecord(args)) return harmless(args, "repaired");
  }
  return { args: {}, outcome: "replaced" };
}

/** Arguments reach the checkpoint as objects, so nothing that a deserialiser acts on may be among them. */
function harmless(found: Record<string, unknown>, outcome: "ok" | "repaired"): ParsedArguments {
  try {
    const args = inert(found);
    return { args, outcome: args === found ? outcome : "repaired" };
  } catch {
    return { args: {}, outcome: "replaced" };
  }
}

function attempt(read: Repair, raw: string): unknown {
  try {
    return read(raw);
  } catch {
    return undefined;
  }
}

/** Objects one behind the other mean something only where all but empty ones agree: `{}{"a":1}`. */
function unglued(raw: string): unknown {
  let found: string | undefined;
  for (const piece of raw.split(/(?<=\})\s*(?=\{)/)) {
    const value: unknown = JSON.parse(piece);
    const text = JSON.stringify(value);
    if (text === "{}") continue;
    if (found !== undefined && found !== text) return undefined;
    found = text;
  }
  return found === undefined ? {} : JSON.parse(found);
}

/** The library's time grows with the square of some texts; arguments that are longer and broken are given up. */
const MOST_TO_MEND = 16_384;

/** `{"q":tru` may have been going to say anything. */
const CUT_IN_A_WORD = /[[:,\s][A-Za-z]+$/;

/** A text that was cut off, or is JSON but for its punctuation; an object that was written as a string. */
function mended(raw: string): unknown {
  if (raw.length > MOST_TO_MEND || CUT_IN_A_WORD.test(raw)) return undefined;
  const value: unknown = JSON.parse(jsonrepair(raw));
  if (typeof value === "string") return JSON.parse(value);
  return words(JSON.stringify(value)) === words(raw) ? value : undefined;
}

/** Python's literals, which small models write. */
const LITERALS: Record<string, string> = { True: "true", False: "false", None: "null" };

/** A repair may mend the punctuation only: every letter and digit has to be there, and no other. */
function words(json: string): string {
  return json
    .replace(/\\u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\b(True|False|None)\b/g, (literal) => LITERALS[literal] ?? literal)
    .replace(/[^\p{L}\p{N}]+/gu, "");
}
