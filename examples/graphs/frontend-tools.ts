import assert from "node:assert/strict";
import { MemorySaver } from "@langchain/langgraph";
import { frontendToolsMiddleware, toolFailureMiddleware } from "ag-ui-langgraph/middlewares";
import { createAgent } from "langchain";
import { type ExampleScript, exampleModel } from "../example-model";
import type { Play } from "../play/client";

const script: ExampleScript = ({ results: [result] }) =>
  result
    ? { text: `Done: ${result.text}.` }
    : { text: "Blue it is.", toolCalls: [{ name: "set_background", args: { color: "blue" } }] };

/** The agent has no tools of its own: the middleware brings it those of the browser. */
export const graph = createAgent({
  model: exampleModel(script),
  tools: [],
  middleware: [frontendToolsMiddleware(), toolFailureMiddleware()],
  checkpointer: new MemorySaver(),
});

export const play: Play = async (client) => {
  let background = "white";
  client.tools = {
    set_background: {
      description: "Sets the colour of the page.",
      parameters: { type: "object", properties: { color: { type: "string" } }, required: ["color"] },
      handler: ({ color }: { color: string }) => {
        background = color;
        return `the page is ${color}`;
      },
    },
  };
  await client.say("Make the page blue, please.");
  assert.equal(background, "blue", "the model should have coloured the page");
};
