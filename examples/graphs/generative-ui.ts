import assert from "node:assert/strict";
import { MemorySaver } from "@langchain/langgraph";
import { frontendToolsMiddleware } from "ag-ui-langgraph/middlewares";
import { createAgent } from "langchain";
import { type ExampleScript, exampleModel } from "../example-model";
import type { Play } from "../play/client";

const script: ExampleScript = ({ results }) =>
  results.length > 0
    ? { text: "That is how the week went." }
    : {
        toolCalls: [
          {
            name: "show_chart",
            args: {
              title: "Visitors",
              bars: [
                { label: "Mon", value: 12 },
                { label: "Tue", value: 30 },
                { label: "Wed", value: 21 },
              ],
            },
          },
        ],
      };

export const graph = createAgent({
  model: exampleModel(script),
  tools: [],
  systemPrompt: "Visitors: 12 on Monday, 30 on Tuesday, 21 on Wednesday. Show numbers in a chart.",
  middleware: [frontendToolsMiddleware()],
  checkpointer: new MemorySaver(),
});

interface Chart {
  title: string;
  bars: { label: string; value: number }[];
}

export const play: Play = async (client) => {
  let shown: Chart | undefined;
  client.tools = {
    show_chart: {
      description: "Shows a bar chart.",
      parameters: {
        type: "object",
        properties: {
          title: { type: "string" },
          bars: {
            type: "array",
            items: {
              type: "object",
              properties: { label: { type: "string" }, value: { type: "number" } },
              required: ["label", "value"],
            },
          },
        },
        required: ["title", "bars"],
      },
      // the arguments are the component's properties; on a page this would be a React component
      handler: (chart: Chart) => {
        shown = chart;
        client.show(
          chart.title,
          ...chart.bars.map(({ label, value }) => `${label} ${"█".repeat(value)} ${value}`),
        );
        return "shown";
      },
    },
  };
  await client.say("How many visitors did we have this week?");
  assert.equal(shown?.bars.length, 3, "the page should show a bar for each day");
};
