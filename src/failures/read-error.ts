/** What was thrown may be anything, also something that throws when it is looked at: nothing is read of that. */
export function readOf(thrown: unknown, key: string): unknown {
  try {
    return isObject(thrown) ? (thrown as Record<string, unknown>)[key] : undefined;
  } catch {
    return undefined;
  }
}

/** A text of an error; `""` where there is none to be read. */
export function textOfError(thrown: unknown, key: "name" | "message"): string {
  const text = readOf(thrown, key);
  return typeof text === "string" ? text : "";
}

export const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
