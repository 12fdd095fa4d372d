import { isRecord, textOrNothing } from "../messages/json";
import { isWayOut } from "../thrown";
import { errorFields, isCancelled, type NodeError, readFailure } from "./node-error";

/**
 * The failed nodes that a thread's checkpoint remembers of its last run. It knows only the outermost node of each
 * failure, and not how often it was tried.
 *
 * @param tasks The tasks of a thread's state: their errors are JSON, objects, or what a server in Python makes of them.
 */
export function checkpointErrors(tasks: unknown): NodeError[] {
  if (!Array.isArray(tasks)) return [];
  return tasks.flatMap((task) => {
    const node = isRecord(task) ? textOrNothing(task.name) : undefined;
    if (node === undefined || task.error == null) return [];
    const failure = readFailure(task.error);
    const isFailure = !isCancelled(failure) && !isWayOut(failure.name);
    return isFailure ? [{ node, path: [node], ...errorFields(failure, undefined) }] : [];
  });
}
