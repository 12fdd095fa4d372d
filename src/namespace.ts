/**
 * The namespaces that LangGraph gives to the graphs within a graph: `node:task` for each graph on the way, and a bare
 * counter behind it where a task runs several graphs, or one again.
 */

const COUNTER = /^\d*$/;

/** Without the counters: they name no graph. */
export function graphOf(path: readonly string[]): string {
  return path.filter((segment) => !COUNTER.test(segment)).join("|");
}

/** The task that runs the graph. */
export function taskOf(invocation: string): string {
  return invocation.replace(/(\|\d*)+$/, "");
}

/** The graph that the task belongs to; empty for the root graph. */
export function parentOf(invocation: string): string {
  const task = taskOf(invocation);
  return task.slice(0, Math.max(0, task.lastIndexOf("|")));
}

/** The node that runs the graph. */
export function nodeOf(invocation: string): string {
  const task = taskOf(invocation);
  const name = task.slice(task.lastIndexOf("|") + 1);
  const id = name.lastIndexOf(":");
  return id > 0 ? name.slice(0, id) : name;
}

/** The names of the nodes on the way, the outermost first. */
export function nodesOf(namespace: string): string[] {
  return namespace
    .split("|")
    .filter((segment) => !COUNTER.test(segment))
    .map(nodeOf);
}
