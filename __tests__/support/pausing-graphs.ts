import type { BaseMessage } from "@langchain/core/messages";
import { AIMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import {
  Annotation,
  type CompiledStateGraph,
  interrupt,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
} from "@langchain/langgraph";
import { frontendToolsMiddleware } from "ag-ui-langgraph/middlewares";
import { createAgent } from "langchain";
import { z } from "zod";
import { type ChunkFields, ScriptedModel, type Turn } from "./scripted-model";

type Node = CompiledStateGraph<never, never>;

const nothing = z.object({});
const pay = tool(async () => `paid: ${interrupt("Pay?")}`, {
  name: "pay",
  description: "Pays",
  schema: nothing,
});
const look = tool(async () => "a fact", { name: "look", description: "Looks it up", schema: nothing });

/** The ids of calls must be new ones on every thread. */
let turns = 0;

const calling = (text: string, ...names: string[]): Turn => ({
  chunks: [
    { content: text },
    ...names.map(
      (name, index): ChunkFields => ({
        content: "",
        tool_call_chunks: [{ type: "tool_call_chunk", index, id: `${name}-${++turns}`, name, args: "{}" }],
      }),
    ),
  ],
});

const answered = (messages: readonly BaseMessage[]) => messages.at(-1)?.getType() === "tool";

/** An agent whose tool asks before it pays. */
const agentThat = (name: string, ...calls: string[]) =>
  createAgent({
    name,
    model: new ScriptedModel((messages) =>
      answered(messages)
        ? { chunks: [{ content: `${name} ` }, { content: "is done." }] }
        : calling(`I am ${name}.`, ...calls),
    ),
    tools: [pay, look],
    middleware: [frontendToolsMiddleware()],
  } as never) as unknown as { graph: Node; invoke(input: object): Promise<{ messages: BaseMessage[] }> };

/** What the client declares reaches the agents only where the graph has the key. */
const WithTools = Annotation.Root({ ...MessagesAnnotation.spec, "ag-ui": Annotation<unknown> });

const graphOf = (
  nodes: Record<string, Node>,
  options: object = { checkpointer: new MemorySaver() },
  state: object = MessagesAnnotation,
): Node => {
  const builder = new StateGraph(state as typeof MessagesAnnotation) as StateGraph<
    never,
    never,
    never,
    string
  >;
  for (const [name, node] of Object.entries(nodes)) builder.addNode(name, node as never).addEdge(START, name);
  return builder.compile(options) as unknown as Node;
};

const banker = agentThat("banker", "pay");
const writer = agentThat("writer", "pay");

export const agentAsNode = graphOf({ banker: banker.graph });
export const twoAgents = graphOf({ writer: writer.graph, banker: banker.graph });
export const twoDeep = graphOf({ office: graphOf({ banker: banker.graph }, {}) });
/** One of its two tools does not ask. */
export const twoTools = graphOf({ banker: agentThat("banker", "look", "pay").graph });
/** The tool that does not ask has its result before the other one, which comes first. */
export const asksFirst = graphOf({ banker: agentThat("banker", "pay", "look").graph });
/** One of its calls is for the client. */
export const withClientTool = graphOf(
  { banker: agentThat("banker", "confirm", "pay").graph },
  undefined,
  WithTools,
);

const thinker = new ScriptedModel(() => calling("I think.", "confirm"));
const byHand = new StateGraph(MessagesAnnotation)
  .addNode("think", async ({ messages }) => ({ messages: [await thinker.invoke(messages)] }))
  .addNode("ask", async () => ({ messages: [new AIMessage(`You say ${interrupt("Go on?")}`)] }))
  .addEdge(START, "think")
  .addEdge("think", "ask")
  .compile();
/** A subgraph written by hand, whose call nobody but the client answers. */
export const writtenByHand = graphOf({ helper: byHand as unknown as Node });

const speaker = new ScriptedModel(() => ({ chunks: [{ content: "Let me " }, { content: "see." }] }));
const inOneNode = new StateGraph(MessagesAnnotation)
  .addNode("both", async ({ messages }) => {
    const said = await speaker.invoke(messages);
    interrupt("Go on?");
    return { messages: [said] };
  })
  .addEdge(START, "both")
  .compile();
/** The node that speaks asks as well: LangGraph runs all of it again. */
export const speaksAndAsks = graphOf({ helper: inOneNode as unknown as Node });

/** The graph gets no more of the agent's messages than the last. */
export const privateAgent = new StateGraph(MessagesAnnotation)
  .addNode("delegate", async ({ messages }) => ({
    messages: (await banker.invoke({ messages })).messages.slice(-1),
  }))
  .addEdge(START, "delegate")
  .compile({ checkpointer: new MemorySaver() });

const ask = tool(async () => (await banker.invoke({ messages: ["Pay it"] })).messages.at(-1)?.text, {
  name: "ask",
  description: "Asks the banker",
  schema: nothing,
});
/** The agent is run by a tool of another agent. */
export const agentInTool = createAgent({
  name: "boss",
  model: new ScriptedModel((messages) =>
    answered(messages) ? { chunks: [{ content: "All is done." }] } : calling("I ask.", "ask"),
  ),
  tools: [ask],
  checkpointer: new MemorySaver(),
} as never);

/** The graph has no messages at all. */
export const withoutMessages = new StateGraph(Annotation.Root({ topic: Annotation<string> }))
  .addNode("banker", banker.graph as never)
  .addEdge(START, "banker")
  .compile({ checkpointer: new MemorySaver() });
