import type { Thread, ThreadState } from "@langchain/langgraph-sdk";
import { type CompiledGraph, type GraphConfig, type HistoryQuery, hasCheckpointer } from "./compiled-graph";
import { withMessageInstances } from "./graph-input";
import { threadState } from "./thread-state";

interface StateUpdate {
  values: unknown;
  asNode?: string;
  checkpointId?: string;
  checkpoint?: object | null;
}

interface HistoryOptions {
  limit?: number;
  before?: GraphConfig | { checkpoint_id?: unknown } | string;
  metadata?: HistoryQuery["filter"] | null;
  checkpoint?: object | null;
}

/**
 * The SDK's `threads` over a graph's checkpointer. A thread is there as soon as it is named: `get` and `create`
 * give a record without reading a checkpoint, whose `values` are empty. What a thread holds is in `getState`.
 */
export class LocalThreads {
  constructor(
    private readonly graph: CompiledGraph,
    private readonly graphId: string,
    private readonly isBusy: (threadId: string) => boolean,
  ) {}

  async get(threadId: string): Promise<Thread> {
    const now = new Date().toISOString();
    return {
      thread_id: threadId,
      created_at: now,
      updated_at: now,
      state_updated_at: now,
      metadata: { graph_id: this.graphId },
      status: this.isBusy(threadId) ? "busy" : "idle",
      values: {},
      interrupts: {},
    };
  }

  async create(payload: { threadId?: string; metadata?: object | null } = {}): Promise<Thread> {
    const thread = await this.get(payload.threadId ?? crypto.randomUUID());
    return { ...thread, metadata: { ...thread.metadata, ...payload.metadata } };
  }

  /** `null` for a graph without a checkpointer; a thread that was never run has empty `values`. */
  async getState(
    threadId: string,
    checkpoint?: object | string | null,
    options?: { subgraphs?: boolean },
  ): Promise<ThreadState | null> {
    if (!hasCheckpointer(this.graph)) return null;
    const at = typeof checkpoint === "string" ? { checkpoint_id: checkpoint } : checkpoint;
    const snapshot = await this.graph.getState(
      { configurable: { thread_id: threadId, ...at } },
      { subgraphs: options?.subgraphs ?? false },
    );
    return threadState(snapshot);
  }

  /** Newest first, ten if not told otherwise; empty for a graph without a checkpointer. */
  async getHistory(threadId: string, options: HistoryOptions = {}): Promise<ThreadState[]> {
    if (!hasCheckpointer(this.graph)) return [];
    const query = {
      limit: options.limit ?? 10,
      before: asConfig(options.before),
      filter: options.metadata ?? undefined,
    };
    const states: ThreadState[] = [];
    const config = { configurable: { thread_id: threadId, checkpoint_ns: "", ...options.checkpoint } };
    for await (const snapshot of this.graph.getStateHistory(config, query))
      states.push(threadState(snapshot));
    return states;
  }

  /** The answer is a server's: `{ checkpoint }`, where the SDK's types say `{ configurable }`. */
  async updateState(
    threadId: string,
    update: StateUpdate,
  ): Promise<{ checkpoint: GraphConfig["configurable"] }> {
    if (!hasCheckpointer(this.graph))
      throw new Error("A graph without a checkpointer has no state to update");
    const { checkpoint, checkpointId } = update;
    const configurable = {
      thread_id: threadId,
      checkpoint_ns: "",
      ...(checkpointId && { checkpoint_id: checkpointId }),
      ...checkpoint,
    };
    const values = withMessageInstances(update.values) as never;
    const next = (await this.graph.updateState({ configurable }, values, update.asNode)) as GraphConfig;
    return { checkpoint: next.configurable };
  }
}

/** `before` comes as a config, as a checkpoint or as a checkpoint's id. */
function asConfig(before: HistoryOptions["before"]): GraphConfig | undefined {
  if (before == null) return undefined;
  if (typeof before === "string") return { configurable: { checkpoint_id: before } };
  if ("configurable" in before) return before;
  return { configurable: { ...before } };
}
