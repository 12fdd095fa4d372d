import { field, textField } from "../thrown";
import type { StreamRow } from "../types";

/** The last row of a failed run. `code` and `cause` exist only in this process; a server sends name and message. */
export function errorRow(thrown: unknown): StreamRow {
  const code = field(thrown, "lc_error_code") ?? field(thrown, "code");
  return {
    event: "error",
    data: {
      error: textField(thrown, "name") ?? "Error",
      message: messageOf(thrown),
      ...(typeof code === "string" || typeof code === "number" ? { code: String(code) } : {}),
      cause: thrown,
    },
  };
}

/** Of an object without a message nothing is told: it may hold a request with its headers. */
function messageOf(thrown: unknown): string {
  if (typeof thrown === "string") return thrown;
  return textField(thrown, "message") ?? `The graph threw ${thrown === null ? "null" : typeof thrown}`;
}
