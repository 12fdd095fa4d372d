import { AIMessage, HumanMessage, RemoveMessage } from "@langchain/core/messages";
import { compiledGraph, type RunnableGraph } from "./compiled-graph";

const REMOVE_ALL = "__remove_all__";

/**
 * Whether the `messages` of a graph follow LangGraph's message reducer, so that a repair can be sent as a
 * remove-all marker and the whole list. The reducer is asked: of one old message, the marker and one new message
 * exactly the new one must be left.
 */
export function usesMessageReducer(graph: RunnableGraph): boolean {
  const reducer = messageReducer(graph);
  if (!reducer) return false;
  const old = new HumanMessage({ id: "old", content: "old" });
  const fresh = new AIMessage({ id: "new", content: "new" });
  try {
    const left = reducer([old], [new RemoveMessage({ id: REMOVE_ALL }), fresh]);
    return Array.isArray(left) && left.length === 1 && left[0]?.id === "new";
  } catch {
    return false;
  }
}

/** LangGraph keeps the reducer of a channel as its `operator`, or, in a delta channel, as its `reducer`. */
function messageReducer(graph: RunnableGraph): ((left: unknown, right: unknown) => unknown) | undefined {
  const channels = compiledGraph(graph).channels as
    | Record<string, Record<string, unknown> | undefined>
    | undefined;
  const { operator, reducer } = channels?.messages ?? {};
  if (typeof operator === "function") return (left, right) => operator(left, right);
  if (typeof reducer === "function") return (left, right) => reducer(left, [right]);
  return undefined;
}
