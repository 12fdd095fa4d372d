import assert from "node:assert/strict";
import { MemorySaver } from "@langchain/langgraph";
import { createAgent, HumanMessage, tool } from "langchain";
import { z } from "zod";
import { type ExampleScript, exampleModel } from "../example-model";
import type { Play } from "../play/client";

/** An agent as a tool: the supervisor sees what it says last, and no more. */
function agentTool(name: string, systemPrompt: string, script: ExampleScript) {
  const agent = createAgent({ name, model: exampleModel(script), tools: [], systemPrompt });
  return tool(
    async ({ task }) => {
      const { messages } = await agent.invoke({ messages: [new HumanMessage(task)] });
      return messages.at(-1)?.text ?? "";
    },
    { name: `ask_${name}`, description: `Asks the ${name}.`, schema: z.object({ task: z.string() }) },
  );
}

const researcher = agentTool("researcher", "State one fact in a short sentence.", () => ({
  text: "An octopus has three hearts.",
}));

const poet = agentTool("poet", "Turn what you are told into one short line of verse.", () => ({
  text: "Three hearts keep time beneath the tide.",
}));

/** First the one, then the other with what the first has said. */
const script: ExampleScript = ({ results: [result] }) => {
  if (!result) return { toolCalls: [{ name: "ask_researcher", args: { task: "A fact about the octopus" } }] };
  if (result.tool === "ask_researcher")
    return { toolCalls: [{ name: "ask_poet", args: { task: result.text } }] };
  return { text: `Here is your line: ${result.text}` };
};

export const graph = createAgent({
  name: "supervisor",
  model: exampleModel(script),
  tools: [researcher, poet],
  systemPrompt: "Ask the researcher for a fact, then the poet to put it into verse; do neither yourself.",
  checkpointer: new MemorySaver(),
});

export const play: Play = async (client) => {
  await client.say("A line of verse about the octopus, with a fact in it.");
  const asked = client.agent.messages.flatMap((message) =>
    message.role === "assistant" ? (message.toolCalls ?? []).map((call) => call.function.name) : [],
  );
  assert.equal(asked.join(" "), "ask_researcher ask_poet", "the supervisor should have asked both");
};
