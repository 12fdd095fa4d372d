/** What RUN_ERROR says of an error: its own message, and its code where it has one. */
export interface RunErrorDescription {
  message: string;
  code?: string;
}

/** Codes of LangGraph errors by class name, for servers, which send the name and not the code. */
const LANGGRAPH_CODES: Record<string, string> = {
  GraphRecursionError: "GRAPH_RECURSION_LIMIT",
  InvalidUpdateError: "INVALID_CONCURRENT_GRAPH_UPDATE",
};

/** Describes anything that can be thrown, or the data of an `error` row of a stream. Never throws. */
export function describeRunError(thrown: unknown): RunErrorDescription {
  const name = text(read(thrown, "error")) ?? text(read(thrown, "name"));
  const code = codeOf(thrown) ?? (name ? LANGGRAPH_CODES[name] : undefined);
  const message = messageOf(thrown) || name || "The run failed without saying why";
  return { message, ...(code && { code }) };
}

function messageOf(thrown: unknown): string | undefined {
  if (typeof thrown === "string") return thrown;
  return text(read(thrown, "message"));
}

/** Frameworks wrap an error to say where it came from; the code stays on its cause. */
const CAUSES = 5;

function codeOf(thrown: unknown): string | undefined {
  let error = thrown;
  for (let depth = 0; depth < CAUSES && error; depth++) {
    for (const key of ["lc_error_code", "code", "status"]) {
      const code = read(error, key);
      if (typeof code === "string" && code) return code;
      if (typeof code === "number") return String(code);
    }
    error = read(error, "cause");
  }
  return undefined;
}

/** Whatever is thrown is read with care: its getters may throw as well. */
function read(thrown: unknown, key: string): unknown {
  try {
    return (thrown as Record<string, unknown> | null | undefined)?.[key];
  } catch {
    return undefined;
  }
}

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
