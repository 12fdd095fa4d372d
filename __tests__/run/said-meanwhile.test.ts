import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { Annotation, END, MemorySaver, messagesStateReducer, START, StateGraph } from "@langchain/langgraph";
import type { Client, ThreadState } from "@langchain/langgraph-sdk";
import { createLocalClient } from "../../src/graphs/local";
import { saidBesideAnswers, storeSaid } from "../../src/run/said-meanwhile";
import type { MessageChannel, State } from "../../src/types";
import { rowsOf } from "../support/home-rows";
import { user } from "../support/play";

const before = [
  { type: "human", id: "u", content: "pay" },
  { type: "ai", id: "a", content: "", tool_calls: [{ id: "c", name: "pay", args: {} }] },
];
const results = [
  { type: "tool", id: "t", tool_call_id: "c", content: "paid" },
  { type: "ai", id: "end", content: "Done." },
];
const said = [user("hurry", "said")];

/** A thread with a call, its result and an answer, and what it holds once `said` is stored. */
async function stored(
  reducer: (left: BaseMessage[], right: never) => BaseMessage[],
  channel: MessageChannel,
  route: (messages: BaseMessage[]) => string = () => END,
) {
  const graph = new StateGraph(
    Annotation.Root({
      messages: Annotation<BaseMessage[]>({ reducer: reducer as never, default: () => [] }),
    }),
  )
    .addNode("work", async () => ({}))
    .addEdge(START, "work")
    .addConditionalEdges("work", ({ messages }) => route(messages), [END])
    .compile({ checkpointer: new MemorySaver() });
  const client = createLocalClient(graph, { graphId: "graph" }) as Client;
  await rowsOf(client, "thread", "graph", { input: { messages: [...before, ...results] } } as never);
  const after = (await client.threads.getState("thread")) as ThreadState<State>;
  const changed = await storeSaid(client, said, before, after, channel);
  const { values } = await client.threads.getState<State>("thread");
  return { changed, ids: values.messages.map(({ id }: BaseMessage) => id) };
}

const append = (left: BaseMessage[], right: never) => left.concat(right);

describe("what was said while calls waited", () => {
  it("comes behind their results", async () => {
    expect((await stored(messagesStateReducer as never, "merges")).ids).toEqual([
      "u",
      "a",
      "t",
      "said",
      "end",
    ]);
  });

  it("comes at the end where the graph's messages can only be appended", async () => {
    expect((await stored(append, "appends")).ids).toEqual(["u", "a", "t", "end", "said"]);
  });

  it("comes once where nobody knew that they can only be appended", async () => {
    expect((await stored(append, "merges")).ids).toEqual(["u", "a", "t", "end", "said"]);
  });

  it("comes behind their results where the graph's messages are replaced", async () => {
    const replace = (_left: BaseMessage[], right: never) => right;
    expect((await stored(replace, "replaces")).ids).toEqual(["u", "a", "t", "said", "end"]);
  });

  it("leaves the thread as it is where LangGraph does not take it", async () => {
    let steps = 0;
    const route = () => {
      if (++steps > 1) throw new Error("no way");
      return END;
    };
    const { changed, ids } = await stored(messagesStateReducer as never, "merges", route);
    expect(changed).toBeUndefined();
    expect(ids).toEqual(["u", "a", "t", "end"]);
  });
});

describe("what was said beside answers", () => {
  const messages = [
    ...before,
    { type: "human", id: "v", content: "and?" },
    new AIMessage({ id: "x", content: "" }),
  ];

  it("is what the user said before the answers of the step", () => {
    const tasks = [{ result: { messages: [new AIMessage({ id: "x", content: "" })] } }, { result: null }];
    expect(saidBesideAnswers(messages as never, tasks).map(({ id }) => id)).toEqual(["v"]);
  });

  it("is nothing where none was answered", () => {
    expect(saidBesideAnswers(messages as never, [{ result: null }, {}])).toEqual([]);
  });
});
