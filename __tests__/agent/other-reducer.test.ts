import type { Message } from "@ag-ui/client";
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { Annotation, MemorySaver, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { Client } from "@langchain/langgraph-sdk";
import { LangGraphAgent } from "ag-ui-langgraph";
import { type DevServer, startDevServer } from "../support/dev-server";
import { concatenating } from "../support/graphs";
import { play, user } from "../support/play";

let server: DevServer;
beforeAll(async () => {
  server = await startDevServer();
});
afterAll(() => server.stop());

const dangling: Message = {
  id: "calls",
  role: "assistant",
  toolCalls: [{ id: "call", type: "function", function: { name: "lookup", arguments: "{}" } }],
};

const warnings: string[] = [];
const logger = { debug() {}, warn: (message: string) => void warnings.push(message) };
beforeEach(() => void warnings.splice(0));

describe.each([
  ["in process", (threadId: string) => new LangGraphAgent({ graph: concatenating, threadId, logger })],
  [
    "on a server",
    (threadId: string) =>
      new LangGraphAgent({ deploymentUrl: server.url, graphId: "concatenating", threadId, logger }),
  ],
])("a graph whose messages are only appended, %s", (where, agentFor) => {
  it("keeps its history as it is where a repair would be needed, and never doubles it", async () => {
    const agent = agentFor(crypto.randomUUID());
    await play(agent, [user("one"), dangling]);
    const contents = async () => {
      const { values } = await agent.client.threads.getState<{ messages: { content: string }[] }>(
        agent.threadId,
      );
      return values.messages.map(({ content }) => content);
    };
    expect(await contents()).toEqual(["one", "", "Yes."]);
    for (const text of ["two", "three"]) {
      const { error } = await play(agent, [user(text)]);
      expect(error).toBeUndefined();
    }
    expect(await contents()).toEqual(["one", "", "Yes.", "two", "Yes.", "three", "Yes."]);
    expect(warnings).toHaveLength(where === "in process" ? 0 : 1);
  });
});

it("repairs a thread on a server whose graph has LangGraph's reducer", async () => {
  const threadId = crypto.randomUUID();
  const client = new Client({ apiUrl: server.url });
  await client.threads.create({ threadId, graphId: "chat" });
  const ai = { type: "ai", id: "calls", content: "", tool_calls: [{ id: "call", name: "lookup", args: {} }] };
  const human = { type: "human", id: "one", content: "one" };
  await client.threads.updateState(threadId, { values: { messages: [human, ai] }, asNode: "speak" });
  const agent = new LangGraphAgent({ deploymentUrl: server.url, graphId: "chat", threadId, logger });
  agent.setMessages([{ id: "one", role: "user", content: "one" }, dangling]);
  const { messages } = await play(agent, [user("two")]);
  expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "user", "assistant"]);
  expect(warnings).toEqual([]);
});

it.each(["system", "user"] as const)(
  "a message of the %s that leads what is new reaches the graph, after one that leads the whole",
  async (role) => {
    const heard: unknown[] = [];
    const graph = new StateGraph(MessagesAnnotation)
      .addNode("speak", ({ messages }) => {
        heard.push(messages.map(({ content }) => content));
        return { messages: [new AIMessage("Yes.")] };
      })
      .addEdge(START, "speak")
      .compile({ checkpointer: new MemorySaver() });
    const agent = new LangGraphAgent({ graph, logger });
    await play(
      agent,
      [
        { id: "s1", role: "system", content: "the client's own" },
        { id: "m2", role, content: "first" },
        user("one"),
      ],
      {},
      { differs: "the graph has a system message of its own" },
    );
    await play(agent, [{ id: "m3", role, content: "second" }, user("two")]);
    expect(heard).toEqual([
      ["first", "one"],
      ["first", "one", "Yes.", "second", "two"],
    ]);
  },
);

it.each([
  ["without a reducer", Annotation<BaseMessage[]>()],
  ["by a reducer", Annotation<BaseMessage[]>({ reducer: (_, right) => right, default: () => [] })],
])("a graph in this process whose messages are replaced %s keeps the conversation", async (_how, channel) => {
  const graph = new StateGraph(Annotation.Root({ messages: channel }))
    .addNode("speak", async ({ messages }) => ({
      messages: [
        ...messages,
        new AIMessage({ id: `re-${messages.length}`, content: `after ${messages.length}` }),
      ],
    }))
    .addEdge(START, "speak")
    .compile({ checkpointer: new MemorySaver() });
  const agent = new LangGraphAgent({ graph, logger });
  await play(agent, [user("one")]);
  const { messages } = await play(agent, [user("two")]);
  expect(messages.map(({ content }) => content)).toEqual(["one", "after 1", "two", "after 3"]);
});
