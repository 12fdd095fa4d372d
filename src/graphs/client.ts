import type { Client } from "@langchain/langgraph-sdk";

/**
 * Where a graph runs, as the adapter sees it: the part of the LangGraph SDK's `Client` that it uses.
 *
 * A `Client` of the SDK is one as it is; `createLocalClient` makes one over a compiled graph in this
 * process. A client that is handed in may leave out what a run never reaches.
 */
export interface GraphClient {
  assistants: Pick<Client["assistants"], "search" | "get" | "getSchemas" | "getGraph">;
  threads: Pick<Client["threads"], "get" | "create" | "getState" | "getHistory" | "updateState">;
  runs: Pick<Client["runs"], "stream" | "joinStream" | "cancel" | "list">;
}
