import type { GraphClient } from "./client";
import { compiledGraph, type RunnableGraph } from "./compiled-graph";
import { LocalAssistants } from "./local-assistants";
import { LocalRuns } from "./local-runs";
import { LocalThreads } from "./local-threads";

export type { RunnableGraph };

export interface LocalClientOptions {
  /** What the graph is called, as assistant and in metadata. Default: the name it was compiled with. */
  graphId?: string;
}

/**
 * A client for a graph in this process: no server, and no serialisation between graph and adapter, so messages
 * are instances where a server sends plain objects.
 *
 * @param graph A compiled graph, or what `createAgent` of `langchain` returns. Its checkpointer keeps the threads;
 *   without one `threads.getState` gives `null` and every run starts from its input.
 * @throws TypeError for anything else.
 */
export function createLocalClient(graph: RunnableGraph, options: LocalClientOptions = {}): GraphClient {
  const compiled = compiledGraph(graph);
  const graphId = options.graphId ?? compiled.name ?? "graph";
  const runs = new LocalRuns(compiled, graphId);
  const threads = new LocalThreads(compiled, graphId, (threadId) => runs.busy(threadId));
  const assistants = new LocalAssistants(compiled, graphId);
  // The SDK's methods are generic over state types that only the caller knows.
  return { assistants, threads, runs } as unknown as GraphClient;
}
