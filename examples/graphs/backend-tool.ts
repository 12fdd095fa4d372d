import assert from "node:assert/strict";
import { MemorySaver } from "@langchain/langgraph";
import {
  ToolException,
  toolErrorHandlingMiddleware,
  toolFailureMiddleware,
} from "ag-ui-langgraph/middlewares";
import { createAgent, tool } from "langchain";
import { z } from "zod";
import { type ExampleScript, exampleModel } from "../example-model";
import type { Play } from "../play/client";

const script: ExampleScript = ({ results: [result] }) => {
  if (!result) return { toolCalls: [{ name: "track_order", args: { order: "A-7" } }] };
  return { text: result.failed ? `I did not find it: ${result.text}.` : `Your order is ${result.text}.` };
};

const trackOrder = tool(
  ({ order }) => {
    if (order !== "A-1") throw new ToolException(`there is no order ${order}`);
    return "on its way";
  },
  {
    name: "track_order",
    description: "Where an order is.",
    schema: z.object({ order: z.string() }),
  },
);

/** What the tool throws on purpose becomes a failed result, and the run goes on. Any other error would end it. */
export const graph = createAgent({
  model: exampleModel(script),
  tools: [trackOrder],
  middleware: [toolErrorHandlingMiddleware({ handleToolError: true }), toolFailureMiddleware()],
  checkpointer: new MemorySaver(),
});

export const play: Play = async (client) => {
  await client.say("Where is my order A-7?");
  const result = client.agent.messages.find((message) => message.role === "tool");
  assert.equal(result?.error, "there is no order A-7", "the user should see why the tool failed");
};
