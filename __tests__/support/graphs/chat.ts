import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { END, MemorySaver, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import { z } from "zod";
import { ScriptedModel, type Turn } from "../scripted-model";

function answer(messages: BaseMessage[]): Turn {
  const id = `said-${messages.length}`;
  return {
    chunks: [
      { id, content: "Hello" },
      { id, content: " world" },
    ],
  };
}

const model = new ScriptedModel(answer);

/** One node, one streamed text. */
export const chat = new StateGraph(MessagesAnnotation)
  .addNode("speak", async (state) => ({ messages: [await model.invoke(state.messages)] }))
  .addEdge(START, "speak")
  .addEdge("speak", END)
  .compile({ checkpointer: new MemorySaver(), name: "chat" });

/** The same without a checkpointer: the input is all that the graph knows. */
export const forgetful = new StateGraph(MessagesAnnotation)
  .addNode("speak", async (state) => ({ messages: [await model.invoke(state.messages)] }))
  .addEdge(START, "speak")
  .addEdge("speak", END)
  .compile({ name: "forgetful" });

const echoing = new ScriptedModel((messages) => ({
  chunks: [{ id: `re-${messages.length}-${messages.at(-1)?.text}`, content: `re: ${messages.at(-1)?.text}` }],
}));

/** Says again what was said last. */
export const echo = new StateGraph(MessagesAnnotation)
  .addNode("speak", async (state) => ({ messages: [await echoing.invoke(state.messages)] }))
  .addEdge(START, "speak")
  .addEdge("speak", END)
  .compile({ checkpointer: new MemorySaver(), name: "echo" });

const weather = tool(async ({ city }) => `sunny in ${city}`, {
  name: "weather",
  description: "The weather of a city",
  schema: z.object({ city: z.string() }),
});

const broken = tool(
  async () => {
    throw new Error("the gauge is broken");
  },
  { name: "gauge", description: "Reads a gauge", schema: z.object({ id: z.number() }) },
);

const callsTwoTools: Turn = {
  chunks: [
    { id: "calls", content: "Let me see." },
    {
      id: "calls",
      content: "",
      tool_call_chunks: [{ index: 0, id: "call_w", name: "weather", args: '{"city":' }],
    },
    { id: "calls", content: "", tool_call_chunks: [{ index: 0, args: '"Bern"}' }] },
    {
      id: "calls",
      content: "",
      tool_call_chunks: [{ index: 1, id: "call_g", name: "gauge", args: '{"id":7}' }],
    },
  ] as never,
};

const toolsModel = new ScriptedModel((messages) => {
  const results = messages.filter((message) => ToolMessage.isInstance(message));
  return results.length > 0
    ? { chunks: [{ id: `after-${messages.length}`, content: "Sunny." }] }
    : callsTwoTools;
});

function wantsTools({ messages }: { messages: BaseMessage[] }) {
  const last = messages.at(-1) as { tool_calls?: unknown[] } | undefined;
  return last?.tool_calls?.length ? "act" : END;
}

/** Text and two parallel tool calls, one of which fails, then an answer. */
export const tools = new StateGraph(MessagesAnnotation)
  .addNode("think", async (state) => ({ messages: [await toolsModel.invoke(state.messages)] }))
  .addNode("act", new ToolNode([weather, broken]))
  .addEdge(START, "think")
  .addConditionalEdges("think", wantsTools, ["act", END])
  .addEdge("act", "think")
  .compile({ checkpointer: new MemorySaver(), name: "tools" });

/** Two nodes speak at once, at the end. */
export const twoVoices = new StateGraph(MessagesAnnotation)
  .addNode("left", async () => ({ messages: [new AIMessage({ id: "left", content: "Left." })] }))
  .addNode("right", async () => ({ messages: [new AIMessage({ id: "right", content: "Right." })] }))
  .addEdge(START, "left")
  .addEdge(START, "right")
  .addEdge("left", END)
  .addEdge("right", END)
  .compile({ checkpointer: new MemorySaver(), name: "two_voices" });
