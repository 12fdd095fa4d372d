import { ToolMessage } from "@langchain/core/messages";
import { field, isObject, presentable, textField } from "../thrown";

/** A tool call, as far as its failure needs it. */
export interface FailedCall {
  id?: string;
  name: string;
  args?: unknown;
}

/** Whether something thrown is how LangGraph leaves a node: an interrupt, a command to a parent graph. */
export const isBubbleUp = (thrown: unknown): boolean => field(thrown, "is_bubble_up") === true;

/**
 * Whether something thrown around a tool is not the tool's failure: LangGraph's interrupts and commands to a parent
 * graph, and errors of a middleware itself, which `createAgent` lets end the run.
 */
export function passesThrough(error: unknown): boolean {
  return isBubbleUp(error) || (isMiddlewareError(error) && !isInvocationError(beneathMiddlewares(error)));
}

/**
 * The failed tool message for what a tool threw: in the words that `createAgent` uses by default, without the stack
 * that it adds for a schema mismatch, and with the text under `additional_kwargs.error`.
 */
export function thrownToolMessage(error: unknown, call: FailedCall): ToolMessage {
  const beneath = beneathMiddlewares(error);
  const mismatch = isInvocationError(beneath);
  const cause = mismatch ? field(beneath, "toolError") : error;
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

/** What the tool itself threw, which `createAgent` and several middlewares may have wrapped. */
export function originalError(error: unknown): unknown {
  const beneath = beneathMiddlewares(error);
  return isInvocationError(beneath) ? field(beneath, "toolError") : beneath;
}

/** Whether an error is what the tool threw, as it was or wrapped by `createAgent` and its middlewares. */
export function isThrownBy(error: unknown, thrown: unknown): boolean {
  const original = originalError(error);
  if (original === thrown) return true;
  // what is no Error leaves nothing but its text in a wrapping
  const isWrapping = isMiddlewareError(original) || !isObject(thrown);
  return isWrapping && (textField(original, "message") ?? "") === asText(thrown);
}

function beneathMiddlewares(error: unknown): unknown {
  let beneath = error;
  for (let depth = 0; isMiddlewareError(beneath) && depth < 100; depth++) {
    const cause = field(beneath, "cause");
    if (!isObject(cause)) break;
    beneath = cause;
  }
  return beneath;
}

const isMiddlewareError = (error: unknown) => field(error, "~brand") === "MiddlewareError";

const isInvocationError = (error: unknown) => field(error, "~brand") === "ToolInvocationError";

/** What `String(error)` says, except that an object without a text of its own is not "[object Object]". */
function describe(error: unknown): string {
  const message = messageOf(error);
  if (!isObject(error)) return message;
  const name = textField(error, "name") || "Error";
  return message ? `${name}: ${message}` : name;
}

const messageOf = (error: unknown) =>
  presentable(isObject(error) ? (textField(error, "message") ?? "") : String(error));

function asText(thrown: unknown): string | undefined {
  try {
    return String(thrown);
  } catch {
    return undefined;
  }
}
