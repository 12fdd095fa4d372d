import type { GraphSchema } from "@langchain/langgraph-sdk";
import type { CompiledGraph } from "./compiled-graph";

/**
 * The keys of a graph's schemas, in a server's form. A compiled graph knows its keys at once; their JSON
 * schemas would take a schema library, and the adapter reads the keys only. A schema that the graph does not
 * know is left out, so that nothing is filtered by it.
 */
export function graphSchema(graph: CompiledGraph, graphId: string): GraphSchema {
  const builder = record(graph.builder) ?? {};
  const context = keysOf(shapeOf(builder._configRuntimeSchema));
  return {
    graph_id: graphId,
    input_schema: keysOf(builder._inputDefinition),
    output_schema: keysOf(builder._outputDefinition),
    state_schema: keysOf(builder._schemaDefinition),
    config_schema: context,
    context_schema: context,
  };
}

function keysOf(definition: unknown): GraphSchema["input_schema"] {
  const fields = record(definition);
  if (!fields || Object.keys(fields).length === 0) return undefined;
  return { type: "object", properties: Object.fromEntries(Object.keys(fields).map((key) => [key, {}])) };
}

/** A context schema is a Zod object of either version: its fields are its `shape`. */
function shapeOf(schema: unknown): unknown {
  const shape = record(schema)?.shape;
  return typeof shape === "function" ? shape() : shape;
}

function record(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
}
