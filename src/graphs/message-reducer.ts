import { AIMessage, HumanMessage, RemoveMessage } from "@langchain/core/messages";
import type { MessageChannel } from "../types";
import { compiledGraph, type RunnableGraph } from "./compiled-graph";

const REMOVE_ALL = "__remove_all__";

/**
 * What the `messages` of a graph do with what they are sent. A reducer is asked: of one old message, the remove-all
 * marker and one new message exactly the new one must be left. One that leaves the new one without being told to replaces
 * all, and any other is taken for one that can only append.
 */
export function messageChannel(graph: RunnableGraph): MessageChannel {
  const reducer = messageReducer(graph);
  if (!reducer) return "replaces";
  const leavesNew = (...markers: RemoveMessage[]): boolean => {
    const old = new HumanMessage({ id: "old", content: "old" });
    const left = reducer([old], [...markers, new AIMessage({ id: "new", content: "new" })]);
    return Array.isArray(left) && left.length === 1 && left[0]?.id === "new";
  };
  try {
    if (leavesNew()) return "replaces";
    return leavesNew(new RemoveMessage({ id: REMOVE_ALL })) ? "merges" : "appends";
  } catch {
    return "appends";
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
