import assert from "node:assert/strict";
import { HumanMessage, SystemMessage } from "@langchain/core/messages";
import { END, MemorySaver, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { exampleModel } from "../example-model";
import type { Play } from "../play/client";

/** A graph of its own, which is told by the system prompt what it is about. */
function expert(task: string, scripted: string) {
  const model = exampleModel(() => ({ text: scripted }));
  return new StateGraph(MessagesAnnotation)
    .addNode("advise", async ({ messages }) => {
      const asked = messages.findLast((message) => HumanMessage.isInstance(message));
      return { messages: [await model.invoke([new SystemMessage(task), ...(asked ? [asked] : [])])] };
    })
    .addEdge(START, "advise")
    .addEdge("advise", END)
    .compile();
}

export const graph = new StateGraph(MessagesAnnotation)
  .addNode("flights", expert("Propose one flight in a sentence.", "Fly to Lisbon at nine."))
  .addNode("hotels", expert("Propose one hotel in a sentence.", "Stay at the Casa Azul."))
  .addEdge(START, "flights")
  .addEdge("flights", "hotels")
  .addEdge("hotels", END)
  .compile({ checkpointer: new MemorySaver(), name: "trip" });

export const play: Play = async (client) => {
  await client.say("A weekend in Lisbon, please.");
  const answers = client.agent.messages.filter(({ role }) => role === "assistant");
  assert.equal(answers.length, 2, "both graphs should have spoken");
};
