import { field, isObject, textField } from "../thrown";
import type { Failure } from "./node-error";
import { codeOf, severalOf } from "./run-error";

/** An error that a graph in this process threw. */
export interface ThrownError {
  failure: Failure;
  /** The task that it came out of; LangGraph writes it on the error itself. */
  taskId?: string;
  error: unknown;
}

const MOST_ERRORS = 100;

/** An error and those that it wraps or stands for. */
export function errorsIn(cause: unknown): ThrownError[] {
  const seen = new Set<unknown>();
  const waiting: unknown[] = [cause];
  const found: ThrownError[] = [];
  while (waiting.length > 0 && seen.size < MOST_ERRORS) {
    const error = waiting.shift();
    if (!isObject(error) || seen.has(error)) continue;
    seen.add(error);
    const name = textField(error, "name");
    const message = textField(error, "message");
    const failure = { ...(name !== undefined && { name }), ...(message !== undefined && { message }) };
    found.push({ failure, taskId: textField(error, "pregelTaskId"), error });
    waiting.push(...severalOf(error), field(error, "cause"));
  }
  return found;
}

export const isSame = (one: Failure, other: Failure): boolean =>
  one.name === other.name && one.message === other.message;

/** The code of the error that a row tells by its name and message. */
export function codeFor(failure: Failure, thrown: readonly ThrownError[]): string | undefined {
  const same = thrown.find((candidate) => isSame(candidate.failure, failure));
  return same && codeOf(same.error);
}
