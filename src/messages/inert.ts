import { isRecord } from "./json";

/** Deeper than any real arguments, and far from what would break the serialisers of JSON. */
const MAX_DEPTH = 200;

/**
 * The value without what LangGraph's deserialisers would act on: the mark of serialised objects (`lc`), which they
 * revive as something else, and `__proto__`, which becomes a prototype. The value itself where it has neither.
 *
 * @throws RangeError where it is nested so deeply that it could not be serialised again.
 */
export function inert(value: Record<string, unknown>): Record<string, unknown> {
  return isInert(value, 0) ? value : copyInert(value);
}

/** Whether a JSON text can only mean an inert value: the arguments of nearly every call, told without a walk. */
export function isInertText(json: string): boolean {
  const isShallow = json.length <= 2 * MAX_DEPTH;
  // An escape could hide the letters of a key.
  return isShallow && !json.includes("lc") && !json.includes("__") && !json.includes("\\");
}

function isInert(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (depth > MAX_DEPTH) throw new RangeError("Nested too deeply");
  if (Array.isArray(value)) return value.every((item) => isInert(item, depth + 1));
  // The arguments of every call are walked through, so nothing is made on the way.
  for (const key in value) {
    const item = (value as Record<string, unknown>)[key];
    if (isHarmful(key, item) || !isInert(item, depth + 1)) return false;
  }
  return true;
}

function copyInert<T>(value: T): T;
function copyInert(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => copyInert(item));
  if (!isRecord(value)) return value;
  const kept = Object.entries(value).filter(([key, item]) => !isHarmful(key, item));
  return Object.fromEntries(kept.map(([key, item]) => [key, copyInert(item)]));
}

/** Only these two numbers mark a serialised object; an argument that is called `lc` may hold anything else. */
function isHarmful(key: string, value: unknown): boolean {
  return key === "__proto__" || (key === "lc" && (value === 1 || value === 2));
}
