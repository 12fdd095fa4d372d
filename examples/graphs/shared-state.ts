import assert from "node:assert/strict";
import { Command, MemorySaver } from "@langchain/langgraph";
import { createAgent, createMiddleware, ToolMessage, type ToolRuntime, tool } from "langchain";
import { z } from "zod";
import { type ExampleScript, exampleModel } from "../example-model";
import type { Play } from "../play/client";

const script: ExampleScript = ({ results: [result], system }) =>
  result
    ? { text: `The recipe has ${result.text} now. ${system}` }
    : { toolCalls: [{ name: "add_ingredient", args: { ingredient: "basil" } }] };

const Shared = z.object({ recipe: z.object({ servings: z.number(), ingredients: z.array(z.string()) }) });
type Shared = z.infer<typeof Shared>;

const addIngredient = tool(
  ({ ingredient }, { state: { recipe }, toolCallId }: ToolRuntime<Shared>) =>
    new Command({
      update: {
        recipe: { ...recipe, ingredients: [...recipe.ingredients, ingredient] },
        messages: [
          new ToolMessage({ content: ingredient, tool_call_id: toolCallId, name: "add_ingredient" }),
        ],
      },
    }),
  {
    name: "add_ingredient",
    description: "Adds an ingredient to the recipe.",
    schema: z.object({ ingredient: z.string() }),
  },
);

const showRecipe = createMiddleware({
  name: "show-recipe",
  stateSchema: Shared,
  wrapModelCall: (request, handler) =>
    handler({ ...request, systemPrompt: `It is for ${request.state.recipe.servings} people.` }),
});

/** The model reads the state in its prompt, and writes it through the tool. */
export const graph = createAgent({
  model: exampleModel(script),
  tools: [addIngredient],
  middleware: [showRecipe],
  checkpointer: new MemorySaver(),
});

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
