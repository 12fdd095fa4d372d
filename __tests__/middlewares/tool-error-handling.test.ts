import { EventType } from "@ag-ui/client";
import type { ToolMessage } from "@langchain/core/messages";
import type { StructuredToolInterface } from "@langchain/core/tools";
import { tool } from "@langchain/core/tools";
import { Command, MemorySaver } from "@langchain/langgraph";
import { LangGraphAgent } from "ag-ui-langgraph";
import {
  frontendToolsMiddleware,
  type ToolErrorHandlingOptions,
  ToolException,
  toolErrorHandlingMiddleware,
  withToolErrorHandling,
} from "ag-ui-langgraph/middlewares";
import { type AgentMiddleware, createAgent, createMiddleware, toolRetryMiddleware } from "langchain";
import { z } from "zod";
import { ofType, play as runAgent, user } from "../support/play";
import { ScriptedModel } from "../support/scripted-model";
import { argsFor, given, KINDS, SAID, SWITCHES, searchThat } from "../support/tool-error-cells";

/** What a tool call comes to in a `createAgent` graph: its result, an interrupt, or the end of the run. */
async function play(
  tools: StructuredToolInterface[],
  middleware: AgentMiddleware[],
  args: Record<string, unknown> = {},
  name = "search",
) {
  const agent = createAgent({
    model: new ScriptedModel([
      { message: { content: "", tool_calls: [{ id: "call-1", name, args, type: "tool_call" }] } },
      { message: "Done." },
    ]),
    tools,
    middleware,
    checkpointer: new MemorySaver(),
  });
  const config = { configurable: { thread_id: "1" } };
  const callbacks: string[] = [];
  let state: { messages?: ToolMessage[] } = {};
  const input = { messages: [{ type: "human", content: "hi" }] };
  try {
    const events = agent.graph.streamEvents(input as never, { version: "v2", ...config });
    for await (const { event, data } of events) {
      if (event.startsWith("on_tool_")) callbacks.push(event.slice("on_tool_".length));
      if (event === "on_chain_end") state = data.output;
    }
  } catch (fatal) {
    return { fatal: fatal as Error, callbacks };
  }
  const [task] = (await agent.graph.getState(config)).tasks;
  if (task?.interrupts.length) {
    const resumed = await agent.graph.invoke(new Command({ resume: "yes" }) as never, config);
    return { interrupts: task.interrupts, resumed: resultIn(resumed), callbacks };
  }
  return { result: resultIn(state), callbacks };
}

const resultIn = (state: { messages?: unknown[] }) =>
  (state.messages as ToolMessage[]).find((message) => message.type === "tool");

const passing = createMiddleware({ name: "Passing", wrapToolCall: (request, handler) => handler(request) });
/** As older versions of `createAgent` wrap what passes a middleware. */
const wrapping = createMiddleware({
  name: "Wrapping",
  wrapToolCall: async (request, handler) => {
    try {
      return await handler(request);
    } catch (error) {
      if ((error as { is_bubble_up?: boolean } | undefined)?.is_bubble_up) throw error;
      throw Object.assign(new Error(error instanceof Error ? error.message : String(error)), {
        "~brand": "MiddlewareError",
        name: error instanceof Error ? error.name : "WrappingError",
        ...(error instanceof Error ? { cause: error } : {}),
      });
    }
  },
});
const frontend = frontendToolsMiddleware();
const retry = () => toolRetryMiddleware({ maxRetries: 1, initialDelayMs: 0, onFailure: "error" });
const ours = toolErrorHandlingMiddleware;

const places: [string, (options: ToolErrorHandlingOptions) => AgentMiddleware[]][] = [
  ["alone", (options) => [ours(options)]],
  ["before one that passes", (options) => [ours(options), passing]],
  ["after one that passes", (options) => [passing, ours(options)]],
  ["before one whose agent wraps", (options) => [ours(options), wrapping]],
  ["before frontendToolsMiddleware", (options) => [ours(options), frontend]],
  ["after frontendToolsMiddleware", (options) => [frontend, ours(options)]],
  ["before a retry", (options) => [ours(options), retry()]],
];

const cells = KINDS.flatMap((kind) => SWITCHES.map((setting) => ({ kind, setting, option: setting.name })));

describe.each(cells)("$kind, options $option", ({ kind, setting }) => {
  const options = { handleToolError: setting.handler, handleValidationError: setting.handler };
  const expected = given(kind, setting);
  const isHandled = expected !== undefined && !(expected instanceof Error);
  const args = argsFor(kind);

  const expectResult = (result: ToolMessage | undefined) => {
    expect(result).toMatchObject({ status: "error", tool_call_id: "call-1", name: "search" });
    if (isHandled) expect(result?.content).toEqual(expected);
    else expect(result?.content).toContain(SAID[kind as keyof typeof SAID]);
  };

  test.each(places)("the middleware, %s", async (where, middleware) => {
    const played = await play([searchThat(kind)], middleware(options), args);
    const isTried = where === "before a retry" && !isHandled ? 2 : 1;
    if (kind === "interrupt") {
      expect(played.interrupts).toMatchObject([{ value: "sure?" }]);
      expect(played.resumed).toMatchObject({ status: "success", content: "decided: yes" });
    } else if (expected instanceof Error) {
      expect(played.fatal?.name).toBe("TypeError");
      expect(played.fatal?.message).toContain(expected.message);
    } else {
      expect(played.fatal).toBeUndefined();
      expectResult(played.result);
      expect(played.result?.additional_kwargs.error).toContain(
        isHandled ? (Array.isArray(expected) ? "told in blocks." : expected) : SAID[kind],
      );
      expect(JSON.stringify(played.result)).not.toMatch(/\bat .*:\d+:\d+|node_modules/);
    }
    const once = kind === "schema failure" ? [] : ["start", isHandled ? "end" : "error"];
    expect(played.callbacks).toEqual(Array.from({ length: isTried }, () => once).flat());
  });

  test.each<[string, AgentMiddleware[]]>([
    ["no middleware", []],
    ["frontendToolsMiddleware", [frontend]],
    ["the middleware without options", [ours()]],
  ])("a tool that handles by itself, with %s", async (_, middleware) => {
    const search = withToolErrorHandling(searchThat(kind), options);
    const played = await play([search], middleware, args);
    expect(played.fatal).toBeUndefined();
    if (kind === "interrupt") {
      expect(played.resumed).toMatchObject({ status: "success", content: "decided: yes" });
    } else if (expected instanceof Error) {
      expect(played.result).toMatchObject({ status: "error" });
      expect(played.result?.content).toContain(expected.message);
    } else expectResult(played.result);
    expect(played.callbacks).toEqual(kind === "schema failure" ? [] : ["start", isHandled ? "end" : "error"]);
  });
});

describe("the default result is the one that createAgent gives", () => {
  test.each(["ToolException", "other error", "string"] as const)("%s", async (kind) => {
    const { result: usual } = await play([searchThat(kind)], [], argsFor(kind));
    const { result } = await play([searchThat(kind)], [ours()], argsFor(kind));
    expect(result?.content).toBe(usual?.content);
    expect(result?.additional_kwargs.error).toBe(SAID[kind]);
  });

  test("without the stack that it adds for arguments that do not fit", async () => {
    const { result: usual } = await play([searchThat("schema failure")], [], { query: 7 });
    const { result } = await play([searchThat("schema failure")], [ours()], { query: 7 });
    const withoutStack = String(usual?.content).replace(/\n {4}at [^\n]*/g, "");
    expect(result?.content).toBe(withoutStack);
  });

  test("an unknown tool", async () => {
    const played = await play([searchThat("string")], [ours({ handleToolError: true })], {}, "find");
    expect(played.result).toMatchObject({ status: "error", name: "find" });
  });
});

test("what another middleware throws by itself ends the run, as it does without", async () => {
  const broken = createMiddleware({
    name: "Broken",
    wrapToolCall: async (request, handler) => {
      await handler(request);
      throw new Error("the middleware broke");
    },
  });
  for (const middleware of [
    [ours({ handleToolError: true }), broken],
    [broken, ours({ handleToolError: true })],
  ]) {
    const { fatal } = await play([searchThat("ToolException")], middleware, { query: "cats" });
    expect(fatal?.message).toBe("the middleware broke");
  }
});

test("an exception that another middleware throws is handled", async () => {
  const refusing = createMiddleware({
    name: "Refusing",
    wrapToolCall: () => {
      throw new ToolException("not today");
    },
  });
  const { result } = await play([searchThat("string")], [ours({ handleToolError: true }), refusing]);
  expect(result).toMatchObject({
    status: "error",
    content: "not today",
    additional_kwargs: { error: "not today" },
  });
});

describe("a tool that only a middleware further inside knows", () => {
  const providing = (search: StructuredToolInterface) =>
    createMiddleware({
      name: "Providing",
      wrapModelCall: (request, handler) => handler({ ...request, tools: [...request.tools, search] }),
      wrapToolCall: (request, handler) => handler({ ...request, tool: search }),
    });
  const other = tool(() => "", { name: "other", schema: z.object({}) });

  test.each(SWITCHES)("options $name", async ({ handler, gives }) => {
    const options = { handleToolError: handler, handleValidationError: handler };
    for (const kind of ["ToolException", "schema failure"] as const) {
      const played = await play([other], [ours(options), providing(searchThat(kind))], argsFor(kind));
      const expected = gives[kind];
      if (expected instanceof Error) expect(played.fatal?.message).toContain(expected.message);
      else if (expected === undefined) expect(played.result?.content).toContain(SAID[kind]);
      else expect(played.result).toMatchObject({ status: "error", content: expected });
    }
  });

  test("other errors and interrupts", async () => {
    const options = { handleToolError: true, handleValidationError: true };
    const failed = await play([other], [ours(options), providing(searchThat("other error"))], {
      query: "cats",
    });
    expect(failed.result).toMatchObject({
      status: "error",
      content: "Error: boom\n Please fix your mistakes.",
    });
    const asked = await play([other], [ours(options), providing(searchThat("interrupt"))], { query: "cats" });
    expect(asked.resumed).toMatchObject({ content: "decided: yes" });
  });
});

describe("a handler that throws", () => {
  const throwing = (thrown: unknown, asked: unknown[] = []) =>
    ours({
      handleToolError: (error) => {
        asked.push(error);
        throw thrown;
      },
    });

  test.each<[string, unknown, string]>([
    ["an error", new TypeError("the handler broke"), "TypeError: the handler broke"],
    ["an exception", new ToolException("worse"), "ToolException: worse"],
    ["a string", "worse", "worse"],
    ["nothing", undefined, "undefined"],
  ])("%s: the run goes on with the default result for that", async (_, thrown, said) => {
    for (const others of [[], [passing], [frontend]]) {
      const asked: unknown[] = [];
      const { result } = await play([searchThat("ToolException")], [throwing(thrown, asked), ...others], {
        query: "cats",
      });
      expect(result).toMatchObject({ status: "error", content: `${said}\n Please fix your mistakes.` });
      expect(asked).toHaveLength(1);
    }
  });
});

test("interrupts pass a retry that would swallow them, if the retry comes after", async () => {
  const swallowing = toolRetryMiddleware({ maxRetries: 1, initialDelayMs: 0 });
  const { interrupts, resumed } = await play([searchThat("interrupt")], [ours(), swallowing], {
    query: "cats",
  });
  expect(interrupts).toMatchObject([{ value: "sure?" }]);
  expect(resumed).toMatchObject({ content: "decided: yes" });
});

test("a run that was stopped is no failed tool", async () => {
  const stop = new AbortController();
  const waiting = tool(
    () => {
      stop.abort(new Error("stopped"));
      throw new ToolException("too late");
    },
    { name: "search", schema: z.object({}) },
  );
  // the run is over before the tool is
  let tell: (ended: unknown) => void = () => {};
  const ended = new Promise((resolve) => {
    tell = resolve;
  });
  const watching = createMiddleware({
    name: "Watching",
    wrapToolCall: async (request, handler) => {
      try {
        const result = await handler(request);
        tell("with a result");
        return result;
      } catch (error) {
        tell(error);
        throw error;
      }
    },
  });
  const agent = createAgent({
    model: new ScriptedModel([
      { message: { content: "", tool_calls: [{ id: "a", name: "search", args: {}, type: "tool_call" }] } },
    ]),
    tools: [waiting],
    middleware: [watching, ours()],
  });
  await expect(
    agent.invoke({ messages: [{ type: "human", content: "hi" }] } as never, { signal: stop.signal }),
  ).rejects.toThrow("stopped");
  expect(await ended).toMatchObject({ message: "stopped" });
});

describe("the client gets the text that the model reads, live and in the snapshot", () => {
  const ask = { handleToolError: true, handleValidationError: "mind the schema" };
  test.each<[string, StructuredToolInterface, AgentMiddleware[], string]>([
    ["the middleware, an exception", searchThat("ToolException"), [ours(ask)], "no hits"],
    [
      "a tool by itself, an exception",
      withToolErrorHandling(searchThat("ToolException"), ask),
      [],
      "no hits",
    ],
    ["the middleware, wrong arguments", searchThat("schema failure"), [ours(ask)], "mind the schema"],
    ["the middleware, another error", searchThat("other error"), [ours(ask)], "boom"],
  ])("%s", async (_, search, middleware, error) => {
    const args = error === "mind the schema" ? { query: 7 } : { query: "cats" };
    const graph = createAgent({
      model: new ScriptedModel([
        { message: { content: "", tool_calls: [{ id: "call-1", name: "search", args, type: "tool_call" }] } },
        { message: "Done." },
      ]),
      tools: [search],
      middleware,
      checkpointer: new MemorySaver(),
    });
    const played = await runAgent(new LangGraphAgent({ graph }), [user("hi")]);
    const results = ofType(played, EventType.TOOL_CALL_RESULT);
    expect(results).toMatchObject([{ toolCallId: "call-1", metadata: { status: "error", error } }]);
    const failed = played.messages.filter(({ role }) => role === "tool");
    expect(failed).toMatchObject([{ toolCallId: "call-1", error }]);
  });
});
