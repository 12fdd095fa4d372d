import { type BaseEvent, EventType, type Message } from "@ag-ui/client";
import { dispatchCustomEvent } from "@langchain/core/callbacks/dispatch";
import {
  Annotation,
  END,
  type LangGraphRunnableConfig,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
} from "@langchain/langgraph";
import { ofType, play, user } from "../support/play";
import { RuntimeAgent } from "../support/runtime-agent";
import { ScriptedModel, type Turn } from "../support/scripted-model";

const Full = Annotation.Root({
  ...MessagesAnnotation.spec,
  copilotkit: Annotation<{ actions: { name: string }[]; context: unknown[] }>(),
  progress: Annotation<number>(),
});
type FullState = typeof Full.State;
type Node = (state: FullState, config: LangGraphRunnableConfig) => Promise<object>;

/** An agent over a graph whose nodes follow each other. */
function agentOver(...nodes: Node[]) {
  const named = nodes.map((run, at) => [`node-${at + 1}`, run] as const);
  let graph = new StateGraph(Full) as never as {
    addNode(name: string, run: Node): typeof graph;
    addEdge(from: string, to: string): typeof graph;
    compile(options: object): never;
  };
  let last: string = START;
  for (const [name, run] of named) {
    graph = graph.addNode(name, run).addEdge(last, name);
    last = name;
  }
  graph = graph.addEdge(last, END);
  return new RuntimeAgent({ graph: graph.compile({ checkpointer: new MemorySaver() }), logger: false });
}

function says(turn: Turn, metadata: Record<string, unknown> = {}): Node {
  const model = new ScriptedModel(() => turn, { metadata });
  return async ({ messages }) => ({ messages: [await model.invoke(messages)] });
}
const text = (content: string): Turn => ({ chunks: [{ content }, { content: "!" }] });
const calls: Turn = {
  chunks: [
    {
      content: "",
      tool_call_chunks: [{ type: "tool_call_chunk", index: 0, id: "c1", name: "write", args: '{"text":' }],
    },
    { content: "", tool_call_chunks: [{ type: "tool_call_chunk", index: 0, args: '"Hi"}' }] },
  ],
};
const deltas = (events: BaseEvent[]) =>
  (events as (BaseEvent & { delta?: string })[]).map(({ delta }) => delta);
const hi = [user("Hi")];

it("runs turn after turn, and hands the client's tools over in its own way", async () => {
  const seen: unknown[] = [];
  const agent = agentOver(async ({ copilotkit, messages }) => {
    seen.push({
      actions: copilotkit.actions.map(({ name }) => name),
      context: copilotkit.context,
      said: messages.map(({ content }) => content),
    });
    return { messages: [{ type: "ai", content: `Answer ${seen.length}` }] };
  });
  const tools = [{ name: "confirm", description: "", parameters: {} }];
  const context = [{ description: "page", value: "/cart" }];
  await play(agent, hi, { tools, context });
  const { messages } = await play(agent, [user("And?")], { tools, context });
  expect(seen).toEqual([
    { actions: ["confirm"], context, said: ["Hi"] },
    { actions: ["confirm"], context, said: ["Hi", "Answer 1", "And?"] },
  ]);
  expect(messages.map(({ content }) => content)).toEqual(["Hi", "Answer 1", "And?", "Answer 2"]);
});

it("leaves out the texts of a node, and shows those of the next", async () => {
  const agent = agentOver(
    says(text("Thinking"), { "copilotkit:emit-messages": false }),
    says(text("Said"), { "copilotkit:emit-messages": true }),
  );
  const played = await play(agent, hi);
  expect(deltas(ofType(played, EventType.TEXT_MESSAGE_CONTENT)).join("")).toBe("Said!");
  expect(ofType(played, EventType.TEXT_MESSAGE_START)).toHaveLength(1);
  expect(played.messages.map(({ content }) => content)).toEqual(["Hi", "Thinking!", "Said!"]);
});

it("leaves out the calls of a node", async () => {
  const agent = agentOver(says(calls, { "copilotkit:emit-tool-calls": false }), says(text("Done")));
  const played = await play(agent, hi);
  for (const type of [EventType.TOOL_CALL_START, EventType.TOOL_CALL_ARGS, EventType.TOOL_CALL_END])
    expect(ofType(played, type)).toEqual([]);
  expect(deltas(ofType(played, EventType.TEXT_MESSAGE_CONTENT)).join("")).toBe("Done!");
});

it("predicts state from the raw events of a call", async () => {
  const predicted = [{ state_key: "draft", tool: "write", tool_argument: "text" }];
  const agent = agentOver(says(calls, { "copilotkit:emit-intermediate-state": predicted }));
  const played = await play(agent, hi);
  expect(ofType(played, EventType.CUSTOM)).toEqual([
    expect.objectContaining({ name: "PredictState", value: predicted }),
  ]);
  expect(deltas(ofType(played, EventType.TOOL_CALL_ARGS)).join("")).toBe('{"text":"Hi"}');
});

it("sends what the graph emits by hand, which it writes to the subscriber itself", async () => {
  const agent = agentOver(async (_state, config) => {
    await dispatchCustomEvent(
      "copilotkit_manually_emit_message",
      { message_id: "by-hand", message: "Welcome" },
      config,
    );
    await dispatchCustomEvent(
      "copilotkit_manually_emit_tool_call",
      { id: "call-by-hand", name: "show", args: "{}" },
      config,
    );
    await dispatchCustomEvent("copilotkit_manually_emit_intermediate_state", { progress: 50 }, config);
    await dispatchCustomEvent("copilotkit_exit", {}, config);
    return { progress: 100 };
  });
  const played = await play(agent, hi, {}, { differs: "the thread has nothing of it" });
  expect(deltas(ofType(played, EventType.TEXT_MESSAGE_CONTENT))).toEqual(["Welcome"]);
  expect(ofType(played, EventType.TOOL_CALL_START)).toEqual([
    expect.objectContaining({ toolCallId: "call-by-hand", toolCallName: "show" }),
  ]);
  expect(ofType(played, EventType.CUSTOM)).toEqual([expect.objectContaining({ name: "Exit", value: true })]);
  const progress = ofType(played, EventType.STATE_SNAPSHOT).map(
    (event) => (event as BaseEvent & { snapshot: { progress?: number } }).snapshot.progress,
  );
  expect(progress).toContain(50);
  expect(progress.at(-1)).toBe(100);
});

it("drops the client's reasoning, which comes back with the next snapshot", async () => {
  const said: unknown[] = [];
  const agent = agentOver(async ({ messages }) => {
    said.push(messages.map(({ type }) => type));
    return { messages: [{ type: "ai", content: "Yes" }] };
  });
  await play(agent, [...hi, { id: "r1", role: "reasoning", content: "Hm" } as Message]);
  expect(said).toEqual([["human"]]);
});

it("is cloned for every request, with headers of its own", async () => {
  const headers: unknown[] = [];
  const agent = agentOver(async (_state, { configurable }) => {
    headers.push(configurable?.copilotkit_forwarded_headers);
    return { messages: [{ type: "ai", content: "Yes" }] };
  });
  const requests = ["one", "two"].map(async (id) => {
    const copy = agent.clone();
    copy.threadId = `thread-${id}`;
    copy.headers = { "x-request": id, authorization: "secret" };
    return play(copy, [user(id)]);
  });
  const played = await Promise.all(requests);
  expect(headers).toEqual([{ "x-request": "one" }, { "x-request": "two" }]);
  expect(played.map(({ messages }) => messages.map(({ content }) => content))).toEqual([
    ["one", "Yes"],
    ["two", "Yes"],
  ]);
  expect(agent.messages).toEqual([]);
  expect(agent.headers).toEqual({});
});
