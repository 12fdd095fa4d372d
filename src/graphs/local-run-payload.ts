/** What a run in this process reads of the payload of the SDK's `runs.stream`; everything else is a server's matter. */
export interface LocalRunPayload {
  input?: unknown;
  command?: { resume?: unknown; update?: unknown; goto?: unknown } | null;
  config?: { configurable?: object; recursion_limit?: number; tags?: string[]; metadata?: object } | null;
  context?: unknown;
  metadata?: object | null;
  streamMode?: string | string[];
  streamSubgraphs?: boolean;
  checkpointId?: string | null;
  checkpoint?: object | null;
  interruptBefore?: "*" | string[];
  interruptAfter?: "*" | string[];
  durability?: string;
  /** What happens when the thread is busy. `"reject"` (default) throws; `"rollback"` is as `"interrupt"`. */
  multitaskStrategy?: "reject" | "interrupt" | "rollback" | "enqueue";
  signal?: AbortSignal;
  onRunCreated?(run: { run_id: string; thread_id: string }): void;
  /** Told of what anything in the graph threw, under the run id of its callback events. A server cannot tell it. */
  onChainError?(runId: string, error: unknown): void;
}

/**
 * The payload as options of the graph. What is missing is left out, since it would overwrite what the graph was bound
 * with, as its recursion limit; only the context is never missing, as on a server.
 */
export function graphOptions(payload: LocalRunPayload, ids: Record<string, string>): Record<string, unknown> {
  const { config, checkpoint, checkpointId } = payload;
  const at = { ...(checkpointId && { checkpoint_id: checkpointId }), ...checkpoint };
  const options = {
    configurable: { ...config?.configurable, ...at, ...ids },
    metadata: { ...ids, ...payload.metadata, ...config?.metadata },
    tags: config?.tags,
    recursionLimit: config?.recursion_limit,
    context: payload.context ?? {},
    subgraphs: payload.streamSubgraphs ?? false,
    interruptBefore: payload.interruptBefore,
    interruptAfter: payload.interruptAfter,
    durability: payload.durability,
  };
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value != null));
}
