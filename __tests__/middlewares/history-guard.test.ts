import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { Annotation, END, MemorySaver, START, StateGraph } from "@langchain/langgraph";
import {
  frontendToolsMiddleware,
  type HistoryGuardOptions,
  historyGuardMiddleware,
  toolFailureMiddleware,
} from "ag-ui-langgraph/middlewares";
import { type AgentMiddleware, createAgent } from "langchain";
import { z } from "zod";
import { resultsOnWire } from "../../examples/demo/wire";
import { chatModel, type Provider } from "../../examples/model";
import { startAnthropicStub } from "../../examples/providers/anthropic";
import { startOpenAIStub } from "../../examples/providers/openai";
import type { ProviderStub } from "../../examples/providers/server";
import type { HistoryRepair } from "../../src/types";

const STUBS = { anthropic: startAnthropicStub, openai: startOpenAIStub } as const;
type Strict = keyof typeof STUBS;
const STRICT: Strict[] = ["anthropic", "openai"];

const lookup = tool(async () => "found", { name: "lookup", description: "looks", schema: z.object({}) });

let stub: ProviderStub | undefined;
afterEach(() => stub?.close());

async function agentWith(provider: Strict, middleware: AgentMiddleware[]) {
  stub = await STUBS[provider]({ script: () => ({ text: "Here I am." }) });
  const agent = createAgent({
    model: chatModel({ provider, baseUrl: stub.url, apiKey: "stub" }),
    tools: [lookup],
    middleware,
    checkpointer: new MemorySaver(),
  });
  const config = { configurable: { thread_id: "1" } };
  return {
    requests: stub.requests,
    ask: (messages: BaseMessage[], state: object = {}) =>
      agent.graph.invoke({ messages, ...state } as never, config) as Promise<{ messages: BaseMessage[] }>,
  };
}

const user = (id: string, content = id) => new HumanMessage({ id, content });
const calls = (id: string, ...ids: string[]) =>
  new AIMessage({
    id,
    content: "",
    tool_calls: ids.map((call) => ({ id: call, name: "lookup", args: {}, type: "tool_call" as const })),
  });
const result = (
  id: string,
  call: string,
  fields: Partial<ConstructorParameters<typeof ToolMessage>[0]> = {},
) => new ToolMessage({ id, tool_call_id: call, name: "lookup", content: `result ${id}`, ...fields });

/** Histories that a strict provider refuses, and the results that it must be shown, by call. */
const BROKEN: Record<string, { history: BaseMessage[]; kind: HistoryRepair["kind"]; shown: string[] }> = {
  "a call without a result": {
    history: [user("u1"), calls("c1", "a"), user("u2")],
    kind: "dangling-call",
    shown: ["a"],
  },
  "a call without a result at the end": {
    history: [user("u1"), calls("c1", "a", "b"), result("r", "b")],
    kind: "dangling-call",
    shown: ["a", "b"],
  },
  "a result without a call": { history: [user("u1"), result("r1", "x")], kind: "orphan-result", shown: [] },
  "two results for one call": {
    history: [user("u1"), calls("c1", "a"), result("r1", "a"), result("r2", "a"), user("u2")],
    kind: "duplicate-result",
    shown: ["a"],
  },
  "results out of place": {
    history: [user("u1"), calls("c1", "a", "b"), result("r2", "b"), user("u2"), result("r1", "a")],
    kind: "result-moved",
    shown: ["a", "b"],
  },
  "a call id that providers refuse": {
    history: [user("u1"), calls("c1", "functions.lookup:0"), result("r1", "functions.lookup:0"), user("u2")],
    kind: "call-id-mapped",
    shown: [expect.stringMatching(/^[\w-]{1,64}$/)],
  },
};

const callIds = (provider: Provider, request: unknown) =>
  (resultsOnWire(provider, request) as Record<string, string>[]).map(
    (shown) => shown.tool_use_id ?? shown.tool_call_id,
  );

describe.each(STRICT)("%s", (provider) => {
  test.each(Object.entries(BROKEN))("%s", async (_, { history, kind, shown }) => {
    const repairs: HistoryRepair[] = [];
    const guard = historyGuardMiddleware({ onRepair: (repair) => repairs.push(repair) });
    const { ask, requests } = await agentWith(provider, [guard]);
    const { messages } = await ask(history);
    expect(messages.at(-1)?.text).toBe("Here I am.");
    expect(callIds(provider, requests[0])).toEqual(shown);
    expect(repairs.map((repair) => repair.kind)).toContain(kind);
    // the state has what it had, and the answer
    expect(messages.slice(0, -1).map(({ id, content }) => [id, content])).toEqual(
      history.map(({ id, content }) => [id, content]),
    );
  });

  test("a history that nothing is wrong with goes out as without the guard", async () => {
    const history = [
      user("u1"),
      calls("c1", "a", "b"),
      result("r1", "a"),
      result("r2", "b", { status: "error", content: "Error: boom" }),
      user("u2"),
    ];
    const guarded = await agentWith(provider, [historyGuardMiddleware({ onRepair: fail })]);
    await guarded.ask(history);
    await stub?.close();
    const plain = await agentWith(provider, []);
    await plain.ask(history);
    expect(guarded.requests).toEqual(plain.requests);
  });

  test.each([
    ["before", (guard: AgentMiddleware, failures: AgentMiddleware) => [guard, failures]],
    ["after", (guard: AgentMiddleware, failures: AgentMiddleware) => [failures, guard]],
  ])("%s the two other middlewares", async (_, order) => {
    const repairs: HistoryRepair[] = [];
    const guard = historyGuardMiddleware({ onRepair: (repair) => repairs.push(repair) });
    const middleware = order(guard as AgentMiddleware, toolFailureMiddleware() as AgentMiddleware);
    const agui = {
      tools: [{ type: "function", function: { name: "locate", description: "", parameters: {} } }],
      context: [],
    };
    const { ask, requests } = await agentWith(provider, [
      ...middleware.slice(0, 1),
      frontendToolsMiddleware() as AgentMiddleware,
      ...middleware.slice(1),
    ]);
    const failed = {
      status: "error",
      content: "no bookings",
      additional_kwargs: { error: "no bookings" },
    } as const;
    const asked = new AIMessage({
      id: "f1",
      content: "",
      tool_calls: [{ id: "f", name: "locate", args: {} }],
    });
    await ask(
      [
        user("u1"),
        calls("c1", "a", "b", "c"),
        result("r2", "b", failed),
        user("u2"),
        result("r1", "a"),
        asked,
        user("u3"),
      ],
      { "ag-ui": agui },
    );
    const shown = resultsOnWire(provider, requests[0]) as Record<string, unknown>[];
    expect(callIds(provider, requests[0])).toEqual(["a", "b", "c", "f"]);
    expect(shown[0]?.content).toBe("result r1");
    expect(shown[1]?.content).toBe("no bookings");
    if (provider === "anthropic") expect(shown[1]).toMatchObject({ is_error: true });
    expect(repairs.map(({ kind, toolCallId }) => [kind, toolCallId]).sort()).toEqual([
      ["dangling-call", "c"],
      ["dangling-call", "f"],
      ["result-moved", "a"],
      ["result-moved", "b"],
    ]);
    expect(requests).toHaveLength(1);
  });
});

/** What the model is sent of a history, by the guard alone. */
async function shownOf(history: BaseMessage[], options: HistoryGuardOptions) {
  const { ask, requests } = await agentWith("openai", [historyGuardMiddleware(options)]);
  await ask(history);
  return (requests[0] as { messages: { role: string; content?: unknown; tool_calls?: unknown[] }[] })
    .messages;
}

test("the unanswered call is taken out where that is asked for", async () => {
  const shown = await shownOf([user("u1"), calls("c1", "a"), user("u2")], { danglingCalls: "demote" });
  expect(shown.map(({ role }) => role)).toEqual(["user", "user"]);
});

test("a failure's content stays as it is where that is asked for", async () => {
  const failed = { status: "error", content: "half", additional_kwargs: { error: "boom" } } as const;
  const history = [user("u1"), calls("c1", "a"), result("r1", "a", failed)];
  expect((await shownOf(history, { toolErrorContent: "as-is" })).at(-1)?.content).toBe("half");
  await stub?.close();
  expect((await shownOf(history, {})).at(-1)?.content).toBe("boom\nhalf");
});

test("a call that was written as text becomes one of an allowed tool, at each call of the model", async () => {
  const text = new AIMessage({ id: "t1", content: "[lookup()]" });
  const names = ["lookup"].values();
  const { ask, requests } = await agentWith("openai", [historyGuardMiddleware({ allowedToolNames: names })]);
  await ask([user("u1"), text, result("r1", "a")]);
  await ask([user("u2")]);
  for (const request of requests as { messages: { tool_calls?: unknown[] }[] }[])
    expect(request.messages[1]?.tool_calls).toMatchObject([{ id: "a", function: { name: "lookup" } }]);
  expect(requests).toHaveLength(2);
});

test("without the guard the same thread is refused", async () => {
  const { ask } = await agentWith("openai", []);
  await expect(ask([user("u1"), calls("c1", "a"), user("u2")])).rejects.toThrow("tool_call_ids did not have");
});

test("a graph whose messages are only appended goes on, though its checkpoint stays broken", async () => {
  stub = await startOpenAIStub({ script: [{ text: "Here I am." }] });
  const inner = createAgent({
    model: chatModel({ provider: "openai", baseUrl: stub.url, apiKey: "stub" }),
    tools: [],
    middleware: [historyGuardMiddleware()],
  });
  const Appended = Annotation.Root({
    messages: Annotation<BaseMessage[]>({ reducer: (left, right) => left.concat(right), default: () => [] }),
  });
  const graph = new StateGraph(Appended)
    .addNode("answer", async ({ messages }) => ({
      messages: (await inner.invoke({ messages })).messages.slice(-1),
    }))
    .addEdge(START, "answer")
    .addEdge("answer", END)
    .compile({ checkpointer: new MemorySaver() });
  const config = { configurable: { thread_id: "1" } };
  const { messages } = await graph.invoke({ messages: [user("u1"), calls("c1", "a"), user("u2")] }, config);
  expect(messages.map(({ type, text }) => `${type}: ${text}`)).toEqual([
    "human: u1",
    "ai: ",
    "human: u2",
    "ai: Here I am.",
  ]);
});

function fail(repair: unknown): never {
  throw new Error(`Nothing was wrong, but it was repaired: ${JSON.stringify(repair)}`);
}
