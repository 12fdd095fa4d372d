import type { BaseMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { Command, interrupt, MemorySaver } from "@langchain/langgraph";
import { frontendToolsMiddleware } from "ag-ui-langgraph/middlewares";
import { type AgentMiddleware, createAgent, createMiddleware } from "langchain";
import { z } from "zod";
import { chatModel } from "../../examples/model";
import { startAnthropicStub } from "../../examples/providers/anthropic";
import type { Script } from "../../examples/providers/script";
import type { ProviderStub } from "../../examples/providers/server";

const weather = tool(async ({ city }) => `sunny in ${city}`, {
  name: "weather",
  description: "the weather",
  schema: z.object({ city: z.string() }),
});
const explode = tool(
  async () => {
    throw new Error("boom");
  },
  { name: "explode", description: "fails", schema: z.object({}) },
);
const approve = tool(async () => `decided: ${interrupt("sure?")}`, {
  name: "approve",
  description: "asks a person",
  schema: z.object({}),
});
const handOver = tool(
  async (_, { toolCall }) =>
    new Command({
      update: {
        messages: [{ type: "tool", tool_call_id: toolCall.id, content: "handed over", name: "handOver" }],
      },
    }),
  { name: "handOver", description: "commands", schema: z.object({}) },
);

const declared = (name: string) => ({
  type: "function",
  function: { name, description: "of the client", parameters: { type: "object", properties: {} } },
});
const client = (...names: string[]) => ({ tools: names.map(declared), context: [] });
const calls = (...names: string[]) => ({
  toolCalls: names.map((name) => ({
    id: `call-${name}`,
    name,
    args: name === "weather" ? { city: "Bonn" } : {},
  })),
});
const config = { configurable: { thread_id: "1" } };

let stub: ProviderStub | undefined;
afterEach(() => stub?.close());

async function play(
  script: Script,
  { middleware, warnings }: { middleware?: AgentMiddleware[]; warnings?: string[] } = {},
) {
  stub = await startAnthropicStub({ script });
  const frontend = frontendToolsMiddleware({
    logger: { warn: (text) => (warnings ?? []).push(text) },
  });
  const agent = createAgent({
    model: chatModel({ provider: "anthropic", baseUrl: stub.url, apiKey: "stub" }),
    tools: [weather, explode, approve, handOver],
    checkpointer: new MemorySaver(),
    middleware: middleware ? middleware.map((each) => each ?? frontend) : [frontend],
  });
  // the graph, as a LangGraph server runs it: without the agent's own typing of the state
  const run = (input: unknown) =>
    agent.graph.invoke(input as never, config) as Promise<Record<string, unknown>>;
  return {
    run,
    ask: (text: string, agui: unknown) =>
      run({ messages: [{ type: "human", content: text }], "ag-ui": agui }),
    answer: (name: string, content: string, agui: unknown) =>
      run({ messages: [{ type: "tool", tool_call_id: `call-${name}`, name, content }], "ag-ui": agui }),
    requests: stub.requests as {
      tools: { name: string; description: string }[];
      messages: { content: unknown }[];
    }[],
  };
}

const told = (state: Record<string, unknown>) =>
  (state.messages as BaseMessage[]).map((message) =>
    message.type === "tool" ? `${message.name}: ${message.content}` : `${message.type}: ${message.text}`,
  );

test("backend, frontend and throwing tool in one turn; the client's result goes on", async () => {
  const { ask, answer, requests } = await play([
    calls("weather", "locate", "explode"),
    { text: "All done." },
  ]);
  const agui = client("locate");
  const waiting = await ask("hi", agui);
  expect(told(waiting)).toEqual([
    "human: hi",
    "ai: ",
    "weather: sunny in Bonn",
    "explode: Error: boom\n Please fix your mistakes.",
  ]);
  expect((waiting.messages as BaseMessage[]).at(-1)).toMatchObject({
    status: "error",
    additional_kwargs: { error: "boom" },
  });
  expect(requests).toHaveLength(1);
  expect(requests[0]?.tools.map(({ name }) => name)).toEqual([
    "weather",
    "explode",
    "approve",
    "handOver",
    "locate",
  ]);

  const done = await answer("locate", "50.7, 7.1", agui);
  expect(told(done).slice(-2)).toEqual(["locate: 50.7, 7.1", "ai: All done."]);
  expect(requests[1]?.messages.at(-1)?.content).toHaveLength(3);
});

test("two frontend calls: the model waits for both", async () => {
  const { ask, answer, requests } = await play([calls("locate", "scroll"), { text: "All done." }]);
  const agui = client("locate", "scroll");
  await ask("hi", agui);
  await answer("scroll", "scrolled", agui);
  expect(requests).toHaveLength(1);
  expect(told(await answer("locate", "here", agui)).at(-1)).toBe("ai: All done.");
});

test("CopilotKit's actions are tools of the client too", async () => {
  const { run, requests } = await play([calls("locate")]);
  const state = await run({
    messages: [{ type: "human", content: "hi" }],
    copilotkit: { actions: [declared("locate")] },
  });
  expect(told(state)).toEqual(["human: hi", "ai: "]);
  expect(requests[0]?.tools.at(-1)?.name).toBe("locate");
});

test("without tools of the client all is as without the middleware", async () => {
  const { ask, requests } = await play([calls("weather", "unknown"), { text: "All done." }]);
  expect(told(await ask("hi", undefined))).toEqual([
    "human: hi",
    "ai: ",
    "weather: sunny in Bonn",
    "unknown: Error: unknown is not a valid tool, try one of [weather, explode, approve, handOver].",
    "ai: All done.",
  ]);
  expect(requests[0]?.tools).toHaveLength(4);
});

test("the agent's own tool wins over one of the client, with one warning", async () => {
  const warnings: string[] = [];
  const { ask, requests } = await play([calls("weather"), { text: "Sunny." }, { text: "Still sunny." }], {
    warnings,
  });
  const agui = client("weather", "locate");
  expect(told(await ask("hi", agui)).at(-1)).toBe("ai: Sunny.");
  await ask("and now?", agui);
  expect(requests[0]?.tools.filter(({ name }) => name === "weather")).toMatchObject([
    { description: "the weather" },
  ]);
  expect(warnings).toEqual([`the agent's own tool "weather" hides the client's tool of the same name`]);
});

test("an interrupt inside a tool passes, and its answer goes on", async () => {
  const { ask, run } = await play([calls("approve", "locate"), { text: "All done." }]);
  const stopped = await ask("hi", client("locate"));
  expect(stopped.__interrupt__).toMatchObject([{ value: "sure?" }]);
  expect(told(await run(new Command({ resume: "yes" }))).at(-1)).toBe("approve: decided: yes");
});

test("a command of a tool passes", async () => {
  const { ask } = await play([calls("handOver"), { text: "All done." }]);
  expect(told(await ask("hi", client("locate"))).slice(-2)).toEqual([
    "handOver: handed over",
    "ai: All done.",
  ]);
});

test("arguments that fail the schema are told without a stack", async () => {
  const { ask } = await play([
    { toolCalls: [{ id: "call-weather", name: "weather", args: { town: "Bonn" } }] },
    { text: "Sorry." },
  ]);
  const state = await ask("hi", client("locate"));
  const [, , failed] = state.messages as BaseMessage[];
  expect(failed?.content).toContain(
    'Error invoking tool \'weather\' with kwargs {"town":"Bonn"} with error:',
  );
  expect(JSON.stringify(failed)).not.toMatch(/\bat .*:\d+:\d+|node_modules/);
  expect(told(state).at(-1)).toBe("ai: Sorry.");
});

test("what the model's provider refuses is not swallowed", async () => {
  const { ask } = await play([{ refusal: { status: 400, message: "prompt is too long" } }]);
  await expect(ask("hi", client("locate"))).rejects.toThrow("prompt is too long");
});

describe("next to other middlewares", () => {
  const seen: string[] = [];
  const watching = createMiddleware({
    name: "Watching",
    wrapToolCall: async (request, handler) => {
      const result = await handler(request);
      seen.push(`${request.toolCall.name}: ${"content" in result ? result.content : "left open"}`);
      return result;
    },
    wrapModelCall: (request, handler) => handler({ ...request, systemPrompt: "Be brief." }),
  });
  const broken = createMiddleware({
    name: "Broken",
    wrapToolCall: () => {
      throw new Error("the middleware broke");
    },
  });
  // stands for the middleware under test, which `play` makes
  const ours = undefined as unknown as AgentMiddleware;

  test.each<[string, AgentMiddleware[], string[]]>([
    [
      "before",
      [watching, ours],
      ["weather: sunny in Bonn", "explode: Error: boom\n Please fix your mistakes.", "locate: left open"],
    ],
    ["after", [ours, watching], ["weather: sunny in Bonn"]],
  ])("one that watches, %s it", async (_, middleware, expected) => {
    seen.length = 0;
    const { ask, answer } = await play([calls("weather", "locate", "explode"), { text: "All done." }], {
      middleware,
    });
    await ask("hi", client("locate"));
    expect(seen.sort()).toEqual(expected.sort());
    expect(told(await answer("locate", "here", client("locate"))).at(-1)).toBe("ai: All done.");
  });

  test.each([[[broken, ours]], [[ours, broken]]])(
    "one that breaks ends the run, as it does by itself",
    async (middleware) => {
      const { ask } = await play([calls("weather")], { middleware });
      await expect(ask("hi", client("locate"))).rejects.toThrow("the middleware broke");
    },
  );
});
