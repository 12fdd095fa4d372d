import { field, isObject, presentable, textField } from "../thrown";

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

/**
 * Describes what a graph threw, or what the `error` row of its stream says. Never throws.
 *
 * @param first What is known of the first of several failures, which LangGraph tells only by their number.
 */
export function describeRunError(thrown: unknown, first?: RunErrorDescription): RunErrorDescription {
  if (isSeveral(thrown)) {
    const [error] = severalOf(thrown);
    if (first ?? error) return first ?? describeRunError(error);
  }
  const name = textField(thrown, "error") ?? textField(thrown, "name");
  const code = codeOf(thrown) ?? (name ? LANGGRAPH_CODES[name] : undefined);
  const message = presentable(messageOf(thrown) ?? "") || name || "The run failed without saying why";
  return { message, ...(code && { code }) };
}

function messageOf(thrown: unknown): string | undefined {
  if (typeof thrown === "string") return thrown;
  const message = textField(thrown, "message");
  const name = textField(thrown, "error") ?? textField(thrown, "name");
  const cause = field(thrown, "cause");
  const mayBeJson = isObject(cause) ? textField(cause, "message") === undefined : name === "Error";
  return message !== undefined && mayBeJson ? withoutJson(message) : message;
}

/**
 * The row of a stream has what is thrown and is no error as JSON: a text gets its quotes off, and of an object only its message
 * is told, since it may hold a request with its headers.
 */
function withoutJson(message: string): string {
  if (!/^[[{"]/.test(message)) return message;
  try {
    const value: unknown = JSON.parse(message);
    if (typeof value === "string") return value;
    const told = textField(value, "message") ?? textField(field(value, "error"), "message");
    return told ?? "The graph threw an object without a message";
  } catch {
    return message;
  }
}

/** The name of the error that stands for several. */
export const SEVERAL = "AggregateError";

/** Frameworks wrap an error to say where it came from; the code stays on its cause. */
const CAUSES = 5;

const isSeveral = (thrown: unknown): boolean =>
  (textField(thrown, "error") ?? textField(thrown, "name")) === SEVERAL;

const MOST_ERRORS = 100;

/** The errors of a tick in which several nodes failed, where the graph runs in this process. */
export function severalOf(thrown: unknown): readonly unknown[] {
  const errors = field(thrown, "errors") ?? field(field(thrown, "cause"), "errors");
  try {
    return Array.isArray(errors) ? errors.slice(0, MOST_ERRORS) : [];
  } catch {
    return [];
  }
}

const LONGEST_CODE = 200;

/** An error's own code, or that of what it wraps. */
export function codeOf(thrown: unknown): string | undefined {
  let error = thrown;
  for (let depth = 0; depth < CAUSES && error; depth++) {
    for (const key of ["lc_error_code", "code", "status"]) {
      const code = field(error, key);
      if (typeof code === "number") return String(code);
      const told = typeof code === "string" && presentable(code, LONGEST_CODE);
      if (told) return told;
    }
    error = field(error, "cause");
  }
  return undefined;
}
