import { type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { END, MemorySaver, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import { createAgent } from "langchain";
import { z } from "zod";
import { type ChunkFields, ScriptedModel, type Turn } from "../scripted-model";

const call = (index: number, id: string, name: string): ChunkFields => ({
  content: "",
  tool_call_chunks: [{ type: "tool_call_chunk", index, id, name, args: "{}" }],
});

const nothing = z.object({});
const lookup = tool(async () => "a fact", { name: "lookup", description: "Looks it up", schema: nothing });

/** The ids of calls must be new ones on every thread. */
let turns = 0;

const hasResult = (messages: readonly BaseMessage[]) => messages.at(-1)?.getType() === "tool";

/** Looks a fact up, and says it: both for itself. */
const researcher = createAgent({
  name: "researcher",
  model: new ScriptedModel((messages): Turn => {
    if (hasResult(messages)) return { chunks: [{ content: "I found " }, { content: "a fact." }] };
    return { chunks: [{ content: "Looking." }, call(0, `lookup-${++turns}`, "lookup")] };
  }),
  tools: [lookup],
} as never);

/** An agent without a name. */
const writer = createAgent({
  model: new ScriptedModel(() => ({ chunks: [{ content: "A text." }] })),
  tools: [],
} as never);

interface Invokable {
  invoke(input: { messages: BaseMessage[] }): Promise<{ messages: BaseMessage[] }>;
}

const asTool = (name: string, agent: unknown) =>
  tool(
    async () => {
      const { messages } = await (agent as Invokable).invoke({ messages: [new HumanMessage("Do it")] });
      return messages.at(-1)?.text;
    },
    { name, description: `Asks the ${name} agent`, schema: nothing },
  );

const delegates = [asTool("research", researcher), asTool("write", writer)];

const boss = () =>
  new ScriptedModel((messages): Turn => {
    if (hasResult(messages)) return { chunks: [{ content: "All " }, { content: "done." }] };
    turns += 1;
    return {
      chunks: [
        { content: "I ask both." },
        call(0, `research-${turns}`, "research"),
        call(1, `write-${turns}`, "write"),
      ],
    };
  });

/** An agent whose tools are agents, each in a task of its own. */
export const supervisor = createAgent({
  name: "boss",
  model: boss(),
  tools: delegates,
  checkpointer: new MemorySaver(),
} as never);

const deskModel = boss();

/** The same with both agents in one task. */
export const desk = new StateGraph(MessagesAnnotation)
  .addNode("think", async ({ messages }) => ({ messages: [await deskModel.invoke(messages)] }))
  .addNode("act", new ToolNode(delegates))
  .addEdge(START, "think")
  .addNode("say", async ({ messages }) => ({ messages: [await deskModel.invoke(messages)] }))
  .addEdge("think", "act")
  .addEdge("act", "say")
  .addEdge("say", END)
  .compile({ checkpointer: new MemorySaver(), name: "desk" });

const answers = new StateGraph(MessagesAnnotation)
  .addNode("tools", new ToolNode([lookup]))
  .addEdge(START, "tools")
  .addEdge("tools", END)
  .compile();

const asker = new ScriptedModel(
  (): Turn => ({ chunks: [{ content: "I look." }, call(0, `asked-${++turns}`, "lookup")] }),
);

/** The call is the graph's own, its result is given by a subgraph. */
export const helped = new StateGraph(MessagesAnnotation)
  .addNode("ask", async ({ messages }) => ({ messages: [await asker.invoke(messages)] }))
  .addNode("helper", answers)
  .addEdge(START, "ask")
  .addEdge("ask", "helper")
  .addEdge("helper", END)
  .compile({ checkpointer: new MemorySaver(), name: "helped" });
