import { ToolMessage } from "@langchain/core/messages";

/** A tool call, as far as its failure needs it. */
interface FailedCall {
  id?: string;
  name: string;
  args?: unknown;
}

/** What is looked at of a thrown value. It may come from another copy of a package: the shape decides. */
interface ThrownShape {
  is_bubble_up?: unknown;
  "~brand"?: unknown;
  name?: unknown;
  message?: unknown;
  cause?: unknown;
  toolError?: unknown;
}

/**
 * Whether something thrown around a tool is not the tool's failure: LangGraph's interrupts and commands to a parent
 * graph, and errors of a middleware itself, which `createAgent` lets end the run.
 */
export function passesThrough(error: unknown): boolean {
  const { is_bubble_up, "~brand": brand } = shape(error);
  return is_bubble_up === true || (brand === "MiddlewareError" && invocationError(error) === undefined);
}

/**
 * The failed tool message for what a tool threw: in the words that `createAgent` uses by default, without the stack
 * that it adds for a schema mismatch, and with the text under `additional_kwargs.error`.
 */
export function thrownToolMessage(error: unknown, call: FailedCall): ToolMessage {
  const mismatch = invocationError(error);
  const cause = mismatch ? mismatch.toolError : error;
  const told = describe(cause);
  return new ToolMessage({
    content: mismatch
      ? `Error invoking tool '${call.name}' with kwargs ${JSON.stringify(call.args)} with error: ${told}\n Please fix the error and try again.`
      : `${told}\n Please fix your mistakes.`,
    tool_call_id: call.id ?? "",
    name: call.name,
    status: "error",
    additional_kwargs: { error: messageOf(cause) || told },
  });
}

/** The schema mismatch behind an error, which several middlewares may have wrapped. */
function invocationError(error: unknown): ThrownShape | undefined {
  let thrown = shape(error);
  for (let depth = 0; thrown["~brand"] === "MiddlewareError" && depth < 100; depth++)
    thrown = shape(thrown.cause);
  return thrown["~brand"] === "ToolInvocationError" ? thrown : undefined;
}

/** What `String(error)` says, except that an object without a text of its own is not "[object Object]". */
function describe(error: unknown): string {
  const message = messageOf(error);
  if (typeof error !== "object" || error === null) return message;
  const name = text(error, "name") || "Error";
  return message ? `${name}: ${message}` : name;
}

function messageOf(error: unknown): string {
  return typeof error === "object" && error !== null ? text(error, "message") : String(error);
}

function text(error: object, key: "name" | "message"): string {
  try {
    const value = (error as ThrownShape)[key];
    return typeof value === "string" ? value : "";
  } catch {
    return "";
  }
}

const shape = (value: unknown): ThrownShape => (typeof value === "object" && value !== null ? value : {});
