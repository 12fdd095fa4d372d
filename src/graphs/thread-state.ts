import type { Checkpoint, Interrupt, Metadata, ThreadState, ThreadTask } from "@langchain/langgraph-sdk";
import type { GraphConfig, SnapshotTask, StateSnapshot } from "./compiled-graph";

/** A graph's state snapshot in the form in which a server tells a thread's state; the values stay as they are. */
export function threadState(snapshot: StateSnapshot): ThreadState {
  return {
    values: snapshot.values as ThreadState["values"],
    next: [...snapshot.next],
    tasks: snapshot.tasks.map(threadTask),
    metadata: withoutRootNamespace(snapshot.metadata) as Metadata,
    created_at: snapshot.createdAt ?? null,
    checkpoint: checkpointOf(snapshot.config) as Checkpoint,
    parent_checkpoint: checkpointOf(snapshot.parentConfig),
  };
}

function threadTask(task: SnapshotTask): ThreadTask {
  const { state } = task;
  const nested = state && "values" in state ? state : undefined;
  const config = state && "configurable" in state ? state : undefined;
  return {
    id: task.id,
    name: task.name,
    error: task.error == null ? null : taskError(task.error),
    interrupts: [...(task.interrupts ?? [])] as Interrupt[],
    path: task.path,
    checkpoint: (config?.configurable ?? null) as Checkpoint | null,
    state: nested ? threadState(nested) : null,
    result: task.result ?? null,
  } as ThreadTask;
}

/** As a server tells it: the message of an Error, and the JSON of what a checkpointer made of one. */
function taskError(error: unknown): string {
  if (error instanceof Error) return error.message;
  try {
    return JSON.stringify(error) ?? String(error);
  } catch {
    return "An error that cannot be shown";
  }
}

function checkpointOf(config: GraphConfig | undefined): Checkpoint | null {
  const { thread_id, checkpoint_id, checkpoint_ns, checkpoint_map } = config?.configurable ?? {};
  if (typeof thread_id !== "string" || typeof checkpoint_id !== "string") return null;
  return {
    thread_id,
    checkpoint_id,
    checkpoint_ns: typeof checkpoint_ns === "string" ? checkpoint_ns : "",
    checkpoint_map: (checkpoint_map as Checkpoint["checkpoint_map"]) ?? null,
  };
}

function withoutRootNamespace(metadata: unknown): unknown {
  if (typeof metadata !== "object" || metadata === null) return metadata;
  if (!("checkpoint_ns" in metadata) || metadata.checkpoint_ns !== "") return metadata;
  const { checkpoint_ns, ...rest } = metadata;
  return rest;
}
