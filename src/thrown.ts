/** A field of whatever was thrown; its getters may throw as well. */
export function field(thrown: unknown, key: string): unknown {
  try {
    return (thrown as Record<string, unknown> | null | undefined)?.[key];
  } catch {
    return undefined;
  }
}

/** {@link field} where it is a text. */
export function textField(thrown: unknown, key: string): string | undefined {
  const value = field(thrown, key);
  return typeof value === "string" ? value : undefined;
}
