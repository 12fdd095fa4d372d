import { AIMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import {
  Annotation,
  END,
  interrupt,
  type LangGraphRunnableConfig,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
} from "@langchain/langgraph";
import { ToolNode, toolsCondition } from "@langchain/langgraph/prebuilt";
import { z } from "zod";
import { type ChunkFields, ScriptedModel, type Turn } from "../../support/scripted-model";

export const text = (...parts: string[]): Turn => ({ chunks: parts.map((content) => ({ content })) });
const callChunk = (id: string, name: string, args: string): ChunkFields => ({
  content: "",
  tool_call_chunks: [{ type: "tool_call_chunk", index: 0, id, name, args }],
});
const argsChunk = (args: string): ChunkFields => ({
  content: "",
  tool_call_chunks: [{ type: "tool_call_chunk", index: 0, args }],
});

/** One node that says what the script says. */
export function speaker(script: Turn[], metadata: Record<string, unknown> = {}) {
  const model = new ScriptedModel(script, { metadata });
  return new StateGraph(MessagesAnnotation)
    .addNode("speak", async (state) => ({ messages: [await model.invoke(state.messages)] }))
    .addEdge(START, "speak")
    .addEdge("speak", END)
    .compile({ checkpointer: new MemorySaver() });
}

export const asksForConfirmation: Turn = {
  chunks: [{ content: "" }, callChunk("call-1", "confirm", '{"what":'), argsChunk('"it"}')],
};

const Answers = Annotation.Root({
  ...MessagesAnnotation.spec,
  answers: Annotation<unknown[]>({ reducer: (left, right) => [...left, ...right], default: () => [] }),
});

export function asking(...questions: string[]) {
  let graph = new StateGraph(Answers) as StateGraph<
    typeof Answers.spec,
    typeof Answers.State,
    unknown,
    string
  >;
  for (const question of questions) {
    graph = graph
      .addNode(question, async () => ({ answers: [{ [question]: interrupt({ message: question }) }] }))
      .addEdge(START, question)
      .addEdge(question, END) as never;
  }
  return graph.compile({ checkpointer: new MemorySaver() });
}

const weather = tool(async ({ city }) => `sunny in ${city}`, {
  name: "weather",
  description: "The weather of a city",
  schema: z.object({ city: z.string() }),
});

/** A call that is streamed on its own, its result, and an answer: what every adapter is made for. */
export function toolUser() {
  const call: Turn = {
    chunks: [callChunk("w1", "weather", ""), argsChunk('{"city":'), argsChunk('"Bern"}'), { content: "" }],
  };
  const model = new ScriptedModel([call, text("Sun", "ny"), text("Still sunny")]);
  return new StateGraph(MessagesAnnotation)
    .addNode("think", async (state) => ({ messages: [await model.invoke(state.messages)] }))
    .addNode("act", new ToolNode([weather]))
    .addEdge(START, "think")
    .addConditionalEdges("think", toolsCondition, { tools: "act", [END]: END })
    .addEdge("act", "think")
    .compile({ checkpointer: new MemorySaver() });
}

const Counted = Annotation.Root({
  ...MessagesAnnotation.spec,
  count: Annotation<number>({ reducer: (left, right) => left + right, default: () => 0 }),
  log: Annotation<string[]>({ reducer: (left, right) => [...left, ...right], default: () => [] }),
  note: Annotation<string>(),
});
export const counting = () =>
  new StateGraph(Counted)
    .addNode("work", async () => ({ count: 1, log: ["worked"], messages: [new AIMessage("Worked")] }))
    .addEdge(START, "work")
    .addEdge("work", END)
    .compile({ checkpointer: new MemorySaver() });

export const configured = () =>
  new StateGraph(MessagesAnnotation, z.object({ user: z.string().optional() }))
    .addNode("look", async (_state, config: LangGraphRunnableConfig) => ({
      messages: [new AIMessage(`Hello ${config.context?.user}`)],
    }))
    .addEdge(START, "look")
    .addEdge("look", END)
    .compile({ checkpointer: new MemorySaver() });

export const plainConfig = () =>
  new StateGraph(MessagesAnnotation)
    .addNode("look", async () => ({ messages: [new AIMessage("Seen")] }))
    .addEdge(START, "look")
    .addEdge("look", END)
    .compile({ checkpointer: new MemorySaver() });
