/** A tool call that a scripted model makes. */
export interface ScriptedToolCall {
  /** Defaults to an id in the provider's own style, unique within the stub. */
  id?: string;
  name: string;
  /** An object, or the raw JSON text as a model may write it (Gemini and non-streaming answers take objects only). */
  args: Record<string, unknown> | string;
}

/** One answer of a scripted model. */
export interface ScriptedTurn {
  text?: string;
  toolCalls?: readonly ScriptedToolCall[];
  reasoning?: string;
  /** The provider answers with this HTTP status and text instead. */
  refusal?: { status: number; message: string };
}

/** What a scripted model says: one turn per request in order, or a function of the request's body. */
export type Script =
  | readonly ScriptedTurn[]
  | ((request: unknown, index: number) => ScriptedTurn | Promise<ScriptedTurn>);

/** The turn for the request that came as number `index` (from 0). */
export async function turnOf(script: Script, request: unknown, index: number): Promise<ScriptedTurn> {
  if (typeof script === "function") return script(request, index);
  const turn = script[index];
  if (turn) return turn;
  // 400, since clients retry anything from 429 up
  return { refusal: { status: 400, message: `the script has no turn ${index + 1}` } };
}

/** Cuts a text into the pieces in which a model would stream it. */
export function pieces(text: string): string[] {
  return text.match(/\s*\S+\s*$|\s*\S+/g) ?? (text ? [text] : []);
}

/** Cuts a text into pieces of a fixed length: arguments of a tool call do not stream word by word. */
export function slices(text: string, length = 12): string[] {
  const parts: string[] = [];
  for (let start = 0; start < text.length; start += length) parts.push(text.slice(start, start + length));
  return parts;
}

/** The arguments as a model writes them. */
export function argumentText(call: ScriptedToolCall): string {
  return typeof call.args === "string" ? call.args : JSON.stringify(call.args);
}

/** The arguments as an object, for the places where a provider has no text form. */
export function argumentObject(call: ScriptedToolCall): Record<string, unknown> {
  return typeof call.args === "string" ? (JSON.parse(call.args) as Record<string, unknown>) : call.args;
}
