import assert from "node:assert/strict";
import { SystemMessage, ToolMessage } from "@langchain/core/messages";
import { type ToolRuntime, tool } from "@langchain/core/tools";
import {
  Annotation,
  Command,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
} from "@langchain/langgraph";
import { ToolNode, toolsCondition } from "@langchain/langgraph/prebuilt";
import { z } from "zod";
import { type ExampleScript, exampleModel } from "../example-model";
import type { Play } from "../play/client";

const script: ExampleScript = ({ results: [result], system }) =>
  result
    ? { text: `There is ${result.text} in it now. ${system}` }
    : { toolCalls: [{ name: "add_ingredient", args: { ingredient: "basil" } }] };

const State = Annotation.Root({
  ...MessagesAnnotation.spec,
  recipe: Annotation<{ servings: number; ingredients: string[] }>(),
});

const addIngredient = tool(
  ({ ingredient }, { state: { recipe }, toolCallId }: ToolRuntime<typeof State.State>) =>
    new Command({
      update: {
        recipe: { ...recipe, ingredients: [...recipe.ingredients, ingredient] },
        messages: [new ToolMessage({ content: ingredient, tool_call_id: toolCallId })],
      },
    }),
  {
    name: "add_ingredient",
    description: "Adds an ingredient to the recipe.",
    schema: z.object({ ingredient: z.string() }),
  },
);

const model = exampleModel(script).bindTools([addIngredient]);

/** The model reads the state in its prompt, and writes it through the tool. */
export const graph = new StateGraph(State)
  .addNode("cook", async ({ messages, recipe }) => {
    const prompt = new SystemMessage(`The recipe is for ${recipe.servings} people.`);
    return { messages: [await model.invoke([prompt, ...messages])] };
  })
  .addNode("tools", new ToolNode([addIngredient]))
  .addEdge(START, "cook")
  .addConditionalEdges("cook", toolsCondition)
  .addEdge("tools", "cook")
  .compile({ checkpointer: new MemorySaver(), name: "recipe" });

export const play: Play = async (client) => {
  const { agent } = client;
  // the user edits the page; the agent sends what has changed with the next run
  agent.setState({ recipe: { servings: 2, ingredients: ["tomatoes"] } });
  await client.say("Add some basil.");
  agent.setState({ ...agent.state, recipe: { ...agent.state.recipe, servings: 6 } });
  client.note({ kind: "user", content: "sets the servings on the page to 6" });
  await client.say("And some more.");
  const { servings, ingredients } = agent.state.recipe;
  assert.equal(servings, 6, "the graph should keep what the user has set");
  assert.ok(ingredients.length > 2, "the user should see what the graph has added");
};
