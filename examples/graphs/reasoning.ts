import assert from "node:assert/strict";
import { MemorySaver, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { type ExampleScript, exampleModel } from "../example-model";
import type { Play } from "../play/client";

const script: ExampleScript = () => ({
  reasoning: "If the ball costs x, the bat costs x + 1, and together 2x + 1 = 1.10.",
  text: "The ball costs five cents.",
});

const model = exampleModel(script, { reasoning: true });

export const graph = new StateGraph(MessagesAnnotation)
  .addNode("think", async ({ messages }) => ({ messages: [await model.invoke(messages)] }))
  .addEdge(START, "think")
  .compile({ checkpointer: new MemorySaver(), name: "reasoning" });

export const play: Play = async (client) => {
  await client.say(
    "A bat and a ball cost 1.10; the bat costs 1 more than the ball. What does the ball cost?",
  );
  const roles = client.agent.messages.map(({ role }) => role);
  assert.equal(roles.join(" "), "user reasoning assistant", "the reasoning should be in the conversation");
};
