import { isRecord, textOrNothing } from "../messages/json";
import { graphOf, nodeOf } from "../namespace";
import { isWayOut } from "../thrown";
import type { StreamRow } from "../types";
import { type Failure, readFailure } from "./node-error";

/** A node's task in a run: the node is run once, with all the attempts of its retry policy. */
export interface Task {
  id: string;
  node: string;
  /** The graph that the task belongs to, as LangGraph names it: with the counters of a node that ran several graphs. */
  graph: string;
  parent?: Task;
  attempts: number;
  /** The run id that the callbacks give its attempt. */
  runId?: string;
  /** The run id of the attempt before. */
  lastRunId?: string;
  /** Which attempt of the parent this task belongs to. */
  ofAttempt?: number;
  /** Why it failed, after its last attempt. */
  failure?: Failure;
  /** Which of the failures of the run it is. */
  order: number;
  /** Whether the node gave something. */
  returned: boolean;
  /** The tools that it ran. */
  tools: Set<string>;
}

export interface Tasks {
  /** Reads a row. Gives the task that is tried again, where the row tells it. */
  note(row: StreamRow): Task | undefined;
  /** Says of a task that it failed, by other ways than a row, unless it is known how it ended. */
  failed(id: string, failure: Failure): void;
  /** The same of the task whose latest attempt has this run id. */
  attemptFailed(runId: string, failure: Failure): void;
  childrenOf(parent: Task | undefined): readonly Task[];
}

/** No graph has so many around it; a row that says so is none. */
const DEEPEST = 500;

/** The tag by which LangGraph marks the run of a node, among other things in it that may have its name. */
const NODE_RUN = /^graph:step:/;

/** The callbacks that are read; the others, as one for each token, are passed by. */
const TOLD = new Set<unknown>(["on_chain_start", "on_chain_end", "on_tool_start"]);

/**
 * The tasks of a run, from its rows: `tasks` rows tell how a task ended, callbacks how often it was tried. Nothing that
 * a node was given or gave is kept.
 */
export function createTasks(): Tasks {
  const known = new Map<string, Task>();
  const children = new Map<Task | undefined, Task[]>();
  const byRunId = new Map<string, Task>();
  const marked = new Set<Task>();
  let failures = 0;

  const find = (id: string, path: readonly string[], node: string): Task => {
    let task = known.get(id);
    if (!task) {
      const parent = parentOf(path);
      task = {
        id,
        node,
        graph: path.join("|"),
        ...(parent && { parent }),
        attempts: 0,
        order: 0,
        returned: false,
        tools: new Set(),
      };
      known.set(id, task);
      const siblings = children.get(parent);
      if (siblings) siblings.push(task);
      else children.set(parent, [task]);
    }
    return task;
  };

  /** The task that runs a graph; also one whose own rows have not come. */
  const parentOf = (path: readonly string[]): Task | undefined => {
    const at = path.findLastIndex((segment) => graphOf([segment]) !== "");
    const segment = path[at];
    if (segment === undefined) return undefined;
    return find(idIn(segment), path.slice(0, at), nodeOf(segment));
  };

  const fail = (task: Task, failure: Failure) => {
    task.failure = failure;
    failures += 1;
    task.order = failures;
  };

  const succeed = (task: Task) => {
    task.returned = true;
    task.failure = undefined;
  };

  const noteTask = (data: Record<string, unknown>, path: readonly string[]) => {
    const id = textOrNothing(data.id);
    const node = textOrNothing(data.name);
    if (id === undefined || node === undefined) return;
    const task = find(id, path, node);
    const failure = data.error == null ? undefined : readFailure(data.error);
    if (failure && !isWayOut(failure.name)) fail(task, failure);
    else if (failure || "result" in data) succeed(task);
  };

  const noteCallback = ({
    event,
    name,
    metadata,
    tags,
    run_id,
  }: Record<string, unknown>): Task | undefined => {
    if (!TOLD.has(event) || !isRecord(metadata) || typeof name !== "string") return undefined;
    const namespace = textOrNothing(metadata.langgraph_checkpoint_ns);
    const node = textOrNothing(metadata.langgraph_node);
    if (namespace === undefined || node === undefined) return undefined;
    const path = namespace.split("|");
    if (path.length > DEEPEST) return undefined;
    const task = find(idIn(path.at(-1) ?? ""), path.slice(0, -1), node);
    if (event === "on_tool_start") task.tools.add(name);
    if (name !== node || !isNodeRun(task, tags)) return undefined;
    if (event === "on_chain_end") succeed(task);
    return event === "on_chain_start" ? tried(task, textOrNothing(run_id)) : undefined;
  };

  const tried = (task: Task, runId: string | undefined): Task | undefined => {
    const isNew = task.ofAttempt !== task.parent?.attempts;
    task.ofAttempt = task.parent?.attempts;
    task.attempts = isNew ? 1 : task.attempts + 1;
    task.lastRunId = task.runId;
    task.runId = runId;
    if (runId !== undefined) byRunId.set(runId, task);
    task.returned = false;
    return task.attempts > 1 ? task : undefined;
  };

  /** What runs in a node may have its name; where no run is marked as the node's, all count. */
  const isNodeRun = (task: Task, tags: unknown): boolean => {
    const isMarked = Array.isArray(tags) && tags.some((tag) => typeof tag === "string" && NODE_RUN.test(tag));
    if (isMarked) marked.add(task);
    return isMarked || !marked.has(task);
  };

  const failedUntold = (task: Task | undefined, failure: Failure) => {
    if (task && !task.failure && !task.returned && !isWayOut(failure.name)) fail(task, failure);
  };

  return {
    note(row) {
      if (!isRecord(row) || typeof row.event !== "string" || !isRecord(row.data)) return undefined;
      const [mode, ...path] = row.event.split("|");
      if (path.length > DEEPEST) return undefined;
      if (mode === "tasks") noteTask(row.data, path);
      return mode === "events" ? noteCallback(row.data) : undefined;
    },
    failed: (id, failure) => failedUntold(known.get(id), failure),
    attemptFailed(runId, failure) {
      const task = byRunId.get(runId);
      if (task?.runId === runId) failedUntold(task, failure);
    },
    childrenOf: (parent) => children.get(parent) ?? [],
  };
}

/** The id in a segment of a namespace: `node:id`. */
const idIn = (segment: string): string => segment.slice(segment.lastIndexOf(":") + 1);
