import assert from "node:assert/strict";
import { MemorySaver } from "@langchain/langgraph";
import { frontendToolsMiddleware, toolFailureMiddleware } from "ag-ui-langgraph/middlewares";
import { createAgent } from "langchain";
import { type ExampleScript, exampleModel } from "../example-model";
import type { Play } from "../play/client";

const book = (time: string) => ({ name: "book_table", args: { restaurant: "Da Enzo", time } });

const script: ExampleScript = ({ results: [result] }) => {
  if (!result) return { text: "I will book that.", toolCalls: [book("20:00")] };
  if (result.failed) return { text: `It failed: ${result.text}. I take that.`, toolCalls: [book("21:00")] };
  return { text: `Done: ${result.text}.` };
};

/** The second middleware is what tells the provider that a call has failed. */
export const graph = createAgent({
  model: exampleModel(script),
  tools: [],
  systemPrompt: "You book tables. Where a time is not free, take the nearest one that is.",
  middleware: [frontendToolsMiddleware(), toolFailureMiddleware()],
  checkpointer: new MemorySaver(),
});

export const play: Play = async (client) => {
  const booked: string[] = [];
  client.tools = {
    book_table: {
      description: "Books a table in the user's browser.",
      parameters: {
        type: "object",
        properties: { restaurant: { type: "string" }, time: { type: "string", description: "HH:MM" } },
        required: ["restaurant", "time"],
      },
      handler: ({ restaurant, time }: { restaurant: string; time: string }) => {
        if (time === "20:00") throw new Error(`${restaurant} is full at 20:00, and has a table at 21:00`);
        booked.push(time);
        return `${restaurant} expects you at ${time}`;
      },
    },
  };
  await client.say("A table for two at Da Enzo at eight in the evening, please.");
  assert.equal(booked.join(), "21:00", "the model should have booked the table that is free");
};
