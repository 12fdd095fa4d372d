import assert from "node:assert/strict";
import { interrupt, MemorySaver } from "@langchain/langgraph";
import { createAgent, tool } from "langchain";
import { z } from "zod";
import { type ExampleScript, exampleModel } from "../example-model";
import type { Play } from "../play/client";

const script: ExampleScript = ({ results: [result] }) =>
  result
    ? { text: `Done: ${result.text}.` }
    : { toolCalls: [{ name: "refund", args: { order: "A-1", euros: 40 } }] };

const refund = tool(
  ({ order, euros }) => {
    // the run ends here, and comes back here with the user's answer
    const approved: boolean = interrupt({ message: `Refund ${euros} € for ${order}?` });
    return approved ? `${euros} € refunded` : "nothing refunded";
  },
  {
    name: "refund",
    description: "Refunds an order.",
    schema: z.object({ order: z.string(), euros: z.number() }),
  },
);

export const graph = createAgent({
  model: exampleModel(script),
  tools: [refund],
  checkpointer: new MemorySaver(),
});

export const play: Play = async (client) => {
  await client.say("Refund the 40 € of order A-1, please.");
  assert.equal(client.agent.pendingInterrupts.length, 1, "the graph should have asked");
  await client.answer(() => true);
  assert.equal(client.agent.pendingInterrupts.length, 0, "the question should be answered");
};
