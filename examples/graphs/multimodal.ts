import assert from "node:assert/strict";
import { MemorySaver, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { type ExampleScript, exampleModel } from "../example-model";
import type { Play } from "../play/client";

const script: ExampleScript = ({ media }) => ({ text: `I see a red circle (${media.join(", ")}).` });

const model = exampleModel(script);

export const graph = new StateGraph(MessagesAnnotation)
  .addNode("look", async ({ messages }) => ({ messages: [await model.invoke(messages)] }))
  .addEdge(START, "look")
  .compile({ checkpointer: new MemorySaver(), name: "multimodal" });

const RED_CIRCLE =
  "iVBORw0KGgoAAAANSUhEUgAAABgAAAAYCAIAAABvFaqvAAAATklEQVR42mP4TyXAQA+D7mhooCGSDcI0gqBxDCQZgcc4BvJMwTSLBgaRagqaWdQ2iDxTkM0aNYj+Bg2+dDQo8xo1ixFqFmxULmoHshYBAJfRe4HYS3e7AAAAAElFTkSuQmCC";

export const play: Play = async (client) => {
  await client.say([
    { type: "text", text: "What is this?" },
    { type: "image", source: { type: "data", value: RED_CIRCLE, mimeType: "image/png" } },
  ]);
  const [asked, answer] = client.agent.messages;
  assert.ok(Array.isArray(asked?.content), "the image should still be in the conversation");
  assert.equal(answer?.role, "assistant", "the model should have answered");
};
