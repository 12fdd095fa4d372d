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

/** As a server writes it: what is thrown and has no message comes as JSON. */
function messageOf(thrown: unknown): string {
  if (typeof thrown === "string") return thrown;
  const message = textField(thrown, "message");
  if (message !== undefined) return message;
  try {
    // The text of a function is its source.
    return JSON.stringify(thrown) ?? (typeof thrown === "function" ? "" : String(thrown));
  } catch {
    return "An error that cannot be shown was thrown";
  }
}
