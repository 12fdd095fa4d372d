import assert from "node:assert/strict";
import { MemorySaver } from "@langchain/langgraph";
import { A2UI_OPERATIONS_KEY, getA2UITools } from "ag-ui-langgraph";
import { createAgent } from "langchain";
import { type ExampleScript, exampleModel } from "../example-model";
import type { Play } from "../play/client";

const script: ExampleScript = ({ results }) =>
  results.length > 0
    ? { text: "Please pick a day." }
    : { toolCalls: [{ name: "generate_a2ui", args: { intent: "create" } }] };

/** The designer is a second model, which the tool asks for the components. */
const designer: ExampleScript = () => ({
  toolCalls: [
    {
      name: "render_a2ui",
      args: {
        surfaceId: "days",
        components: [
          { id: "root", component: "Column", children: ["title", "friday", "sunday"] },
          { id: "title", component: "Text", text: "When do you want to come?" },
          { id: "friday", component: "Text", text: "Friday" },
          { id: "sunday", component: "Text", text: "Sunday" },
        ],
      },
    },
  ],
});

export const graph = createAgent({
  model: exampleModel(script),
  tools: [getA2UITools({ model: exampleModel(designer) })],
  systemPrompt: "Ask with a surface, not with words.",
  checkpointer: new MemorySaver(),
});

interface Component {
  id: string;
  text?: string;
  children?: string[];
}

/** What an A2UI renderer does, for surfaces of columns and texts. */
function draw(components: Component[], id = "root", indent = ""): string[] {
  const { text, children = [] } = components.find((component) => component.id === id) ?? {};
  const lines = children.flatMap((child) => draw(components, child, `${indent}│ `));
  return text ? [indent + text, ...lines] : lines;
}

export const play: Play = async (client) => {
  await client.say("I would like to visit you.");
  const result = client.agent.messages.findLast((message) => message.role === "tool");
  assert.ok(result && !result.error, `the model should have got a surface: ${result?.error}`);
  const operations = JSON.parse(String(result.content))[A2UI_OPERATIONS_KEY] ?? [];
  const surface = operations.findLast((operation: object) => "updateComponents" in operation);
  assert.ok(surface, "the page should have got a surface");
  client.show(...draw(surface.updateComponents.components));
};
