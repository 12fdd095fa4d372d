/** A value that has keys: an object, and no array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The string, or nothing where there is none worth having. */
export function textOrNothing(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Whatever the client or a graph uses as an id, as a string: an object must not travel where an id belongs. */
export function idOf(value: unknown): string | undefined {
  if (typeof value === "string") return value === "" ? undefined : value;
  return typeof value === "number" ? String(value) : undefined;
}

/** The JSON of any value. What JSON cannot say (cycles, big integers) is written as text; never throws. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return tolerantJson(value);
  }
}

function tolerantJson(value: unknown): string {
  const ancestors: unknown[] = [];
  try {
    const text = JSON.stringify(value, function (this: unknown, _key, item: unknown) {
      if (typeof item === "bigint") return item.toString();
      if (typeof item !== "object" || item === null) return item;
      while (ancestors.length > 0 && ancestors.at(-1) !== this) ancestors.pop();
      if (ancestors.includes(item)) return "[Circular]";
      ancestors.push(item);
      return item;
    });
    return text ?? "";
  } catch {
    return "";
  }
}

/** The object that a JSON text holds; nothing for any other text. Never throws. */
export function parseRecord(text: unknown): Record<string, unknown> | undefined {
  if (typeof text !== "string") return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
