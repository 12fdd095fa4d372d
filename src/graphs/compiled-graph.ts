/** What the adapter uses of a compiled graph. Only shapes, since `@langchain/langgraph` is an optional peer. */
export interface CompiledGraph {
  name?: string;
  checkpointer?: unknown;
  channels?: unknown;
  builder?: unknown;
  streamEvents(input: unknown, options: { version: "v2" }): AsyncIterable<unknown>;
  getState(config: GraphConfig, options?: { subgraphs?: boolean }): Promise<StateSnapshot>;
  getStateHistory(config: GraphConfig, options?: HistoryQuery): AsyncIterable<StateSnapshot>;
  updateState(config: GraphConfig, values: never, asNode?: string): Promise<unknown>;
  getGraphAsync(config?: never): Promise<{ toJSON(): unknown }>;
}

/** A graph that `LangGraphAgent` runs in this process: a compiled graph, or what `createAgent` of `langchain` returns. */
export type RunnableGraph = CompiledGraph | { graph: CompiledGraph };

export interface GraphConfig {
  configurable?: Record<string, unknown>;
}

export interface HistoryQuery {
  limit?: number;
  before?: GraphConfig;
  filter?: Record<string, unknown>;
}

export interface StateSnapshot {
  values: unknown;
  next: readonly string[];
  config: GraphConfig;
  metadata?: unknown;
  createdAt?: string;
  parentConfig?: GraphConfig;
  tasks: readonly SnapshotTask[];
}

export interface SnapshotTask {
  id: string;
  name: string;
  path?: unknown;
  error?: unknown;
  interrupts?: readonly unknown[];
  state?: GraphConfig | StateSnapshot;
  result?: unknown;
}

/** `createAgent` wraps the compiled graph that runs; a LangGraph server unwraps it in the same way. */
export function compiledGraph(graph: RunnableGraph): CompiledGraph {
  const inner = typeof graph === "object" && graph !== null && "graph" in graph ? graph.graph : undefined;
  if (isCompiled(inner)) return inner;
  if (isCompiled(graph)) return graph;
  throw new TypeError(
    "`graph` has to be a compiled graph of @langchain/langgraph (call `.compile()`) or an agent of `createAgent`",
  );
}

/** Without a checkpointer of its own a graph has no threads; `true` means "the parent's" and there is none. */
export function hasCheckpointer(graph: CompiledGraph): boolean {
  return typeof graph.checkpointer === "object" && graph.checkpointer !== null;
}

function isCompiled(value: unknown): value is CompiledGraph {
  return (
    typeof value === "object" &&
    value !== null &&
    "streamEvents" in value &&
    typeof value.streamEvents === "function" &&
    "getState" in value &&
    typeof value.getState === "function"
  );
}
