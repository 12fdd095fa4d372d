import { parseRecord } from "../messages/json";
import { isObject, presentable, textField } from "../thrown";
import type { RunErrorDescription } from "./run-error";

/** The code of an error that has none, and of every error on a server, which sends no codes. */
export const UNKNOWN_ERROR = "UNKNOWN_ERROR";

/**
 * A node that failed, or an attempt of it: the value of the CUSTOM events `node_error` and `node_retry`. It holds no
 * stack, no state and no prompt, and its texts are cut to a size that a person reads.
 */
export interface NodeError {
  /** The name of the node: the last one of the path. */
  node: string;
  /** The names of the nodes from the outermost graph to the one that failed. */
  path: string[];
  /** The name of the error's class; `"Error"` for what was thrown and is no error. */
  errorType: string;
  errorMessage: string;
  /** The error's own code, else `"UNKNOWN_ERROR"`: never the name of its class. */
  errorCode: string;
  /** How often the node was tried the last time that it was run. Missing where only the checkpoint tells the failure. */
  attemptCount?: number;
  /** The tool calls that the failure left without a result, where the node or one around it ran tools. */
  toolCallIds?: string[];
}

/** What LangGraph says of an error: its name and its message, of what is no error neither. */
export interface Failure {
  name?: string;
  message?: string;
}

const LONGEST_NAME = 200;

/** What a row or a checkpoint holds of an error: an object, its JSON, or the text that a server in Python makes of it. */
export function readFailure(error: unknown): Failure {
  const value = typeof error === "string" ? (parseRecord(error) ?? { message: error }) : error;
  if (!isObject(value)) return {};
  const name = textField(value, "name") ?? textField(value, "error") ?? textField(value, "type");
  const message = textField(value, "message");
  return { ...(name !== undefined && { name }), ...(message !== undefined && { message }) };
}

/** What a record says of an error. */
export function errorFields(
  { name, message }: Failure,
  code: string | undefined,
): Pick<NodeError, "errorType" | "errorMessage" | "errorCode"> {
  const errorType = presentable(name ?? "", LONGEST_NAME) || "Error";
  const told = presentable(message ?? "");
  return {
    errorType,
    errorMessage: told || (name ? errorType : "The node failed without saying why"),
    errorCode: presentable(code ?? "", LONGEST_NAME) || UNKNOWN_ERROR,
  };
}

/** A record as RUN_ERROR says it. */
export function asRunError({ errorMessage, errorCode }: NodeError): RunErrorDescription {
  return { message: errorMessage, ...(errorCode !== UNKNOWN_ERROR && { code: errorCode }) };
}

/** Errors of what was stopped because something else failed or somebody asked. */
const CANCELLED = new Set(["AbortError", "CancelledError"]);

export const isCancelled = ({ name }: Failure): boolean => name !== undefined && CANCELLED.has(name);
