import assert from "node:assert/strict";
import { interrupt, MemorySaver } from "@langchain/langgraph";
import { createAgent, tool } from "langchain";
import { z } from "zod";
import { type ExampleScript, exampleModel } from "../example-model";
import type { Play } from "../play/client";

const script: ExampleScript = ({ results }) =>
  results.length > 0
    ? { text: `Here is what I did: ${results.map(({ text }) => text).join(", ")}.` }
    : {
        toolCalls: [
          { name: "book", args: { what: "the flight", euros: 90 } },
          { name: "book", args: { what: "the hotel", euros: 800 } },
        ],
      };

const book = tool(
  ({ what, euros }) => {
    const approved: boolean = interrupt({ message: `Book ${what} for ${euros} €?` });
    return approved ? `${what} is booked` : `${what} is not booked`;
  },
  {
    name: "book",
    description: "Books one part of a trip.",
    schema: z.object({ what: z.string(), euros: z.number() }),
  },
);

/** Calls of one turn run side by side, so that both ask before either is answered. */
export const graph = createAgent({
  model: exampleModel(script),
  tools: [book],
  systemPrompt: "You book trips. Book all parts in one turn; each is approved by the user.",
  checkpointer: new MemorySaver(),
});

export const play: Play = async (client) => {
  await client.say("Book the flight for 90 € and the hotel for 800 €, please.");
  assert.equal(client.agent.pendingInterrupts.length, 2, "the graph should have asked twice");
  await client.answer(({ message }) => message?.includes("flight"));
  assert.equal(client.agent.pendingInterrupts.length, 0, "both questions should be answered");
};
