import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { END, interrupt, MemorySaver, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { createAgent } from "langchain";
import { z } from "zod";
import { checkHistory } from "../../../src/history/rules";
import { ScriptedModel, type Turn } from "../scripted-model";

const asks = (question: string) => async () => ({
  messages: [new AIMessage(`${question} ${JSON.stringify(interrupt(question))}`)],
});

/** Asks once, and says the answer. */
export const asksOnce = new StateGraph(MessagesAnnotation)
  .addNode("ask", asks("Which?"))
  .addEdge(START, "ask")
  .addEdge("ask", END)
  .compile({ checkpointer: new MemorySaver(), name: "asks_once" });

/** Asks two questions at once. */
export const asksBoth = new StateGraph(MessagesAnnotation)
  .addNode("left", asks("Left?"))
  .addNode("right", asks("Right?"))
  .addEdge(START, "left")
  .addEdge(START, "right")
  .addEdge("left", END)
  .addEdge("right", END)
  .compile({ checkpointer: new MemorySaver(), name: "asks_both" });

const pay = tool(async () => `paid: ${JSON.stringify(interrupt("Pay?"))}`, {
  name: "pay",
  description: "Pays",
  schema: z.object({}),
});

let calls = 0;

/** Refuses what a provider would refuse, pays when it is told to, and repeats what it is told otherwise. */
function cashier(messages: BaseMessage[]): Turn {
  const [broken] = checkHistory(messages);
  if (broken) throw new Error(`refused: ${broken.text}`);
  const last = messages.at(-1);
  if (last?.text !== "pay") return { chunks: [{ content: `Heard "${last?.text}".` }] };
  const call = { type: "tool_call_chunk", index: 0, id: `pay-${++calls}`, name: "pay", args: "{}" } as const;
  return { chunks: [{ content: "", tool_call_chunks: [call] }] };
}

/** An agent whose tool asks. */
export const asksInTool = createAgent({
  model: new ScriptedModel(cashier),
  tools: [pay],
  checkpointer: new MemorySaver(),
} as never);
