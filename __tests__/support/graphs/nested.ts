import { AIMessage } from "@langchain/core/messages";
import { END, interrupt, MemorySaver, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { ScriptedModel } from "../scripted-model";

const model = new ScriptedModel(() => ({
  chunks: [
    { id: "inner", content: "From" },
    { id: "inner", content: " within" },
  ],
}));

const innermost = new StateGraph(MessagesAnnotation)
  .addNode("speak", async (state) => ({ messages: [await model.invoke(state.messages)] }))
  .addEdge(START, "speak")
  .addEdge("speak", END)
  .compile();

const middle = new StateGraph(MessagesAnnotation)
  .addNode("worker", innermost)
  .addEdge(START, "worker")
  .addEdge("worker", END)
  .compile();

/** A model two subgraphs deep. */
export const nested = new StateGraph(MessagesAnnotation)
  .addNode("team", middle)
  .addEdge(START, "team")
  .addEdge("team", END)
  .compile({ checkpointer: new MemorySaver(), name: "nested" });

/** A model in a subgraph, and one of the graph itself, which speaks before it. */
export const mixed = new StateGraph(MessagesAnnotation)
  .addNode("speak", async () => ({ messages: [new AIMessage("Of all")] }))
  .addNode("team", middle)
  .addEdge(START, "speak")
  .addEdge("speak", "team")
  .addEdge("team", END)
  .compile({ checkpointer: new MemorySaver(), name: "mixed" });

const asking = new StateGraph(MessagesAnnotation)
  .addNode("ask", async () => ({
    messages: [{ type: "ai", id: "asked", content: String(interrupt("sure?")) }],
  }))
  .addEdge(START, "ask")
  .addEdge("ask", END)
  .compile();

/** An interrupt inside a subgraph. */
export const nestedInterrupt = new StateGraph(MessagesAnnotation)
  .addNode("team", asking)
  .addEdge(START, "team")
  .addEdge("team", END)
  .compile({ checkpointer: new MemorySaver(), name: "nested_interrupt" });

const failing = new StateGraph(MessagesAnnotation)
  .addNode("leaf", async () => {
    throw new RangeError("too deep");
  })
  .addEdge(START, "leaf")
  .addEdge("leaf", END)
  .compile();

/** A node that throws inside a subgraph. */
export const nestedFailure = new StateGraph(MessagesAnnotation)
  .addNode("team", failing)
  .addEdge(START, "team")
  .addEdge("team", END)
  .compile({ checkpointer: new MemorySaver(), name: "nested_failure" });
