import { inert } from "../messages/inert";
import { isRecord } from "../messages/json";

/** A call as a small model writes it when it was not given, or does not use, the native form. */
export interface TextCall {
  name: string;
  args: Record<string, unknown>;
}

/** More than any call of a sane tool; what is longer is not looked at. */
const LONGEST = 64 * 1024;

const NAME = "[A-Za-z0-9_.-]{1,64}";

const DIALECTS: readonly ((text: string) => TextCall | undefined)[] = [
  brackets,
  functionTag,
  toolCallTag,
  harmony,
];

/** The call that a text is, and nothing but it, in one of the dialects of small models; nothing for all other texts. */
export function readTextCall(text: string): TextCall | undefined {
  if (text.length > LONGEST) return undefined;
  const trimmed = text.trim();
  for (const dialect of DIALECTS) {
    const call = dialect(trimmed);
    if (call) return harmless(call);
  }
  return undefined;
}

function harmless({ name, args }: TextCall): TextCall | undefined {
  try {
    return { name, args: inert(args) };
  } catch {
    return undefined;
  }
}

/** `[name(city="Paris", days=3)]` or `[name({"city": "Paris"})]`. */
function brackets(text: string): TextCall | undefined {
  const match = new RegExp(`^\\[\\s*(${NAME})\\s*\\(([\\s\\S]*)\\)\\s*\\]$`).exec(text);
  if (!match) return undefined;
  const [, name = "", inner = ""] = match;
  const args = inner.trim() === "" ? {} : (jsonObject(inner) ?? keywordArguments(inner));
  return args && { name, args };
}

/** `<function=name>{"city": "Paris"}</function>`, or with a `<parameter=city>` for each argument. */
function functionTag(text: string): TextCall | undefined {
  const match = new RegExp(`^<function=(${NAME})>([\\s\\S]*?)</function>$`).exec(text);
  if (!match) return undefined;
  const [, name = "", inner = ""] = match;
  const args = inner.trim() === "" ? {} : (jsonObject(inner) ?? parameterTags(inner));
  return args && { name, args };
}

/** `<tool_call>{"name": "…", "arguments": {…}}</tool_call>`, or with a function tag inside. */
function toolCallTag(text: string): TextCall | undefined {
  const inner = /^<tool_call>([\s\S]*?)<\/tool_call>$/.exec(text)?.[1]?.trim();
  if (inner === undefined) return undefined;
  const said = jsonObject(inner);
  if (!said) return functionTag(inner);
  const { name, arguments: given = said.parameters ?? {} } = said;
  const args = typeof given === "string" ? (given.trim() === "" ? {} : jsonObject(given)) : given;
  return typeof name === "string" && isRecord(args) ? { name, args } : undefined;
}

/** `<|channel|>commentary to=functions.name <|constrain|>json<|message|>{…}<|call|>`, the recipient also before the channel. */
function harmony(text: string): TextCall | undefined {
  const match =
    /^(?:<\|start\|>assistant)?([^<]{0,200})<\|channel\|>\s*(?:commentary|analysis)([^<]{0,200})(?:<\|constrain\|>\s*json\s*)?<\|message\|>([\s\S]*?)(?:<\|call\|>|<\|end\|>)?$/.exec(
      text,
    );
  if (!match) return undefined;
  const [, before = "", after = "", inner = ""] = match;
  const recipient = new RegExp(`^\\s*to=(?:functions\\.)?(${NAME})(?:\\s+json)?\\s*$`);
  const name = recipient.exec(before)?.[1] ?? recipient.exec(after)?.[1];
  const args = inner.trim() === "" ? {} : jsonObject(inner);
  return name !== undefined && args ? { name, args } : undefined;
}

function jsonObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** `<parameter=city>Paris</parameter>` …: values are JSON where they can be read as such, else text. */
function parameterTags(text: string): Record<string, unknown> | undefined {
  const entries: [string, unknown][] = [];
  const tag = new RegExp(`\\s*<parameter=(${NAME})>([\\s\\S]*?)</parameter>\\s*`, "y");
  while (tag.lastIndex < text.length) {
    const match = tag.exec(text);
    if (!match) return undefined;
    entries.push([match[1] ?? "", parameterValue((match[2] ?? "").trim())]);
  }
  return Object.fromEntries(entries);
}

function parameterValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const LITERALS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["True", true],
  ["true", true],
  ["False", false],
  ["false", false],
  ["None", null],
  ["null", null],
]);

/** `city="Paris", days=3`, as Python writes it; only plain values, since nothing is to be guessed. */
function keywordArguments(text: string): Record<string, unknown> | undefined {
  const entries: [string, unknown][] = [];
  const key = /\s*([A-Za-z_]\w{0,63})\s*=\s*/y;
  const separator = /\s*(?:,|$)/y;
  let at = 0;
  while (at < text.length) {
    key.lastIndex = at;
    const name = key.exec(text)?.[1];
    if (name === undefined) return undefined;
    const value = pythonValue(text, key.lastIndex);
    if (!value) return undefined;
    entries.push([name, value.value]);
    separator.lastIndex = value.end;
    if (!separator.test(text)) return undefined;
    at = separator.lastIndex;
  }
  return Object.fromEntries(entries);
}

function pythonValue(text: string, at: number): { value: unknown; end: number } | undefined {
  const quoted = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/sy;
  quoted.lastIndex = at;
  const string = quoted.exec(text)?.[0];
  if (string !== undefined) {
    const value = unquote(string);
    return value === undefined ? undefined : { value, end: quoted.lastIndex };
  }
  const plain = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|True|False|None|true|false|null/y;
  plain.lastIndex = at;
  const word = plain.exec(text)?.[0];
  if (word !== undefined)
    return { value: LITERALS.has(word) ? LITERALS.get(word) : Number(word), end: plain.lastIndex };
  return bracketedValue(text, at);
}

/** A list or an object in JSON: up to the bracket that closes the first one. */
function bracketedValue(text: string, at: number): { value: unknown; end: number } | undefined {
  if (text[at] !== "[" && text[at] !== "{") return undefined;
  let depth = 0;
  let inString = false;
  for (let end = at; end < text.length; end += 1) {
    const char = text[end];
    if (inString) {
      if (char === "\\") end += 1;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === "[" || char === "{") depth += 1;
    else if (char === "]" || char === "}") depth -= 1;
    if (depth > 0) continue;
    try {
      return { value: JSON.parse(text.slice(at, end + 1)), end: end + 1 };
    } catch {
      return undefined;
    }
  }
  return undefined;
}

/** A quoted text in either quotes: JSON's escapes, and the one for the single quote. */
function unquote(quoted: string): string | undefined {
  const inner = quoted.slice(1, -1);
  const json = quoted.startsWith("'") ? inner.replaceAll("\\'", "'").replaceAll(/(?<!\\)"/g, '\\"') : inner;
  try {
    return JSON.parse(`"${json.replaceAll("\n", "\\n").replaceAll("\t", "\\t").replaceAll("\r", "\\r")}"`);
  } catch {
    return undefined;
  }
}
