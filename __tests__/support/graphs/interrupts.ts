import { Annotation, END, interrupt, MemorySaver, START, StateGraph } from "@langchain/langgraph";

const Answers = Annotation.Root({
  answers: Annotation<unknown[]>({ reducer: (left, right) => [...left, ...right], default: () => [] }),
});

/** Asks once. */
export const oneInterrupt = new StateGraph(Answers)
  .addNode("ask", async () => ({ answers: [interrupt({ question: "Go on?" })] }))
  .addEdge(START, "ask")
  .addEdge("ask", END)
  .compile({ checkpointer: new MemorySaver(), name: "one_interrupt" });

/** Asks two questions at once, in parallel nodes. */
export const twoInterrupts = new StateGraph(Answers)
  .addNode("left", async () => ({ answers: [{ left: interrupt("left?") }] }))
  .addNode("right", async () => ({ answers: [{ right: interrupt("right?") }] }))
  .addEdge(START, "left")
  .addEdge(START, "right")
  .addEdge("left", END)
  .addEdge("right", END)
  .compile({ checkpointer: new MemorySaver(), name: "two_interrupts" });
