import type { BaseCheckpointSaver } from "@langchain/langgraph";
import { END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { chatModel } from "../../examples/model";

/** The strict providers, and the variable that says where the stub of each one is. */
export const STRICT_PROVIDERS = {
  anthropic: "STRICT_ANTHROPIC_URL",
  openai: "STRICT_OPENAI_URL",
} as const;

export type StrictProvider = keyof typeof STRICT_PROVIDERS;

const look = {
  type: "function",
  function: { name: "look", description: "looks", parameters: { type: "object", properties: {} } },
};

/** One node that shows the model the messages as they are: what is wrong with them, its provider says. */
export function asksModel(provider: StrictProvider, checkpointer?: BaseCheckpointSaver) {
  return new StateGraph(MessagesAnnotation)
    .addNode("model", async ({ messages }) => {
      const baseUrl = process.env[STRICT_PROVIDERS[provider]];
      const model = chatModel({ provider, baseUrl, apiKey: "stub" }).bindTools?.([look]);
      return { messages: (await model?.invoke(messages)) ?? [] };
    })
    .addEdge(START, "model")
    .addEdge("model", END)
    .compile({ checkpointer, name: provider });
}

/** For a LangGraph server, which brings its own checkpointer. */
export const anthropic = asksModel("anthropic");
export const openai = asksModel("openai");
