import { Annotation, END, MemorySaver, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { ScriptedModel } from "../scripted-model";

const Plain = Annotation.Root({ how: Annotation<string>() });

class OrderError extends Error {
  override name = "OrderError";
  code = "E_ORDER";
}

function fail(how: string): never {
  if (how === "string") throw "a bare string";
  if (how === "object") throw { reason: "an object" };
  throw new OrderError("the order is refused");
}

/** A node that throws what the state's `how` says: an error with a code, a string, an object. */
export const throws = new StateGraph(Plain)
  .addNode("check", async (state) => fail(state.how))
  .addEdge(START, "check")
  .addEdge("check", END)
  .compile({ checkpointer: new MemorySaver(), name: "throws" });

/** Two nodes that fail in the same step. */
export const throwsTwice = new StateGraph(Plain)
  .addNode("left", async () => {
    throw new Error("left failed");
  })
  .addNode("right", async () => {
    throw new Error("right failed");
  })
  .addEdge(START, "left")
  .addEdge(START, "right")
  .addEdge("left", END)
  .addEdge("right", END)
  .compile({ checkpointer: new MemorySaver(), name: "throws_twice" });

const Turns = Annotation.Root({ turns: Annotation<number>() });

/** Never comes to an end. */
export const endless = new StateGraph(Turns)
  .addNode("again", async (state) => ({ turns: (state.turns ?? 0) + 1 }))
  .addEdge(START, "again")
  .addEdge("again", "again")
  .compile({ checkpointer: new MemorySaver(), name: "endless" });

const breaking = new ScriptedModel(() => ({
  chunks: [{ id: "half", content: "I was about to" }, new Error("the model went away")],
}));

/** A model that breaks in mid text. */
export const breaksInText = new StateGraph(MessagesAnnotation)
  .addNode("speak", async (state) => ({ messages: [await breaking.invoke(state.messages)] }))
  .addEdge(START, "speak")
  .addEdge("speak", END)
  .compile({ checkpointer: new MemorySaver(), name: "breaks_in_text" });
