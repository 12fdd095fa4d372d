import type { Assistant, AssistantGraph, GraphSchema } from "@langchain/langgraph-sdk";
import type { CompiledGraph } from "./compiled-graph";
import { graphSchema } from "./graph-schema";

/** The SDK's `assistants` over one graph: one assistant, whose id is the graph's, whatever is asked for. */
export class LocalAssistants {
  private drawn?: Promise<AssistantGraph>;
  private schema?: GraphSchema;
  private readonly assistant: Assistant;

  constructor(
    private readonly graph: CompiledGraph,
    private readonly graphId: string,
  ) {
    const now = new Date().toISOString();
    this.assistant = {
      assistant_id: graphId,
      graph_id: graphId,
      config: {},
      context: {},
      created_at: now,
      updated_at: now,
      metadata: { created_by: "system" },
      version: 1,
      name: graphId,
    };
  }

  async search(): Promise<Assistant[]> {
    return [this.assistant];
  }

  async get(): Promise<Assistant> {
    return this.assistant;
  }

  async getSchemas(): Promise<GraphSchema> {
    this.schema ??= graphSchema(this.graph, this.graphId);
    return this.schema;
  }

  async getGraph(): Promise<AssistantGraph> {
    this.drawn ??= this.graph.getGraphAsync().then((drawable) => drawable.toJSON() as AssistantGraph);
    return this.drawn;
  }
}
