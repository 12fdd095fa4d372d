/** A request body as JSON gives it: nothing in it is certain. */
export type Json = Record<string, unknown>;

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The object at `value`, or an empty one: for reading on where the shape was checked elsewhere. */
export const object = (value: unknown): Json => (isObject(value) ? value : {});

export const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

export const blank = (value: unknown): boolean => typeof value !== "string" || value.trim() === "";

/** The values that occur more than once, each once. */
export function repeated(values: readonly string[]): string[] {
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const value of values) (seen.has(value) ? twice : seen).add(value);
  return [...twice];
}

/** Thrown by a rule; its message is what the provider answers. */
export class Refused extends Error {
  constructor(
    message: string,
    readonly param: string | null = null,
  ) {
    super(message);
  }
}

/** What the rules say of a body: the refusal, or nothing when it is accepted. */
export function refusalOf(check: (body: Json) => void, body: unknown): Refused | undefined {
  try {
    check(object(body));
    return undefined;
  } catch (error) {
    if (error instanceof Refused) return error;
    throw error;
  }
}
