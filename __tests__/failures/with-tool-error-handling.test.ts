import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import { AIMessage, type ToolMessage } from "@langchain/core/messages";
import { RunnableLambda } from "@langchain/core/runnables";
import { DynamicStructuredTool, StructuredTool, Tool, tool } from "@langchain/core/tools";
import {
  Command,
  END,
  GraphInterrupt,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
} from "@langchain/langgraph";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import { ToolException, withToolErrorHandling } from "ag-ui-langgraph";
import { z } from "zod";
import { argsFor, given, KINDS, PAUSE, SAID, SWITCHES, searchThat } from "../support/tool-error-cells";

/** What happens to a tool, in order, as a callback handler sees it. */
class Watcher extends BaseCallbackHandler {
  name = "watcher";
  seen: string[] = [];
  override handleToolStart() {
    this.seen.push("start");
  }
  override handleToolEnd() {
    this.seen.push("end");
  }
  override handleToolError() {
    this.seen.push("error");
  }
}

const toolCall = (args: Record<string, unknown>) => ({
  type: "tool_call" as const,
  id: "call-1",
  name: "search",
  args,
});

const textOf = (content: unknown) =>
  typeof content === "string" ? content : (content as { text: string }[]).map(({ text }) => text).join("");

const settled = async (run: Promise<unknown>) => {
  try {
    return { output: await run };
  } catch (thrown) {
    return { thrown };
  }
};

const formats = [{}, { responseFormat: "content_and_artifact" }];
const cells = KINDS.flatMap((kind) => SWITCHES.map((setting) => ({ kind, setting, option: setting.name })));

describe.each(cells)("$kind, options $option", ({ kind, setting }) => {
  const options = { handleToolError: setting.handler, handleValidationError: setting.handler };
  const expected = given(kind, setting);
  const isThrown = expected === undefined || expected instanceof Error;
  // no callback fires for arguments that do not fit: LangChain checks them before
  const callbacksSee = kind === "schema failure" ? [] : ["start", isThrown ? "error" : "end"];

  const expectThrown = (thrown: unknown) => {
    if (expected instanceof Error) {
      expect(thrown).toBeInstanceOf(TypeError);
      expect((thrown as Error).message).toContain(expected.message);
    } else if (kind === "interrupt") {
      expect(thrown).toBe(PAUSE);
    } else {
      expect(typeof thrown === "string" ? thrown : (thrown as Error).message).toContain(SAID[kind]);
    }
  };

  test.each(formats)("invoked with arguments only: %p", async (format) => {
    const watcher = new Watcher();
    const search = withToolErrorHandling(searchThat(kind, format), options);
    const { output, thrown } = await settled(search.invoke(argsFor(kind), { callbacks: [watcher] }));
    if (isThrown) expectThrown(thrown);
    else expect({ output, thrown }).toEqual({ output: expected });
    expect(watcher.seen).toEqual(callbacksSee);
  });

  test.each(formats)("invoked with a tool call: %p", async (format) => {
    for (const how of ["invoke", "call"] as const) {
      const watcher = new Watcher();
      const search = withToolErrorHandling(searchThat(kind, format), options);
      const { output, thrown } = await settled(
        search[how](toolCall(argsFor(kind)), { callbacks: [watcher] }),
      );
      if (isThrown) expectThrown(thrown);
      else {
        expect(thrown).toBeUndefined();
        expect(output).toMatchObject({
          type: "tool",
          status: "error",
          content: expected,
          name: "search",
          tool_call_id: "call-1",
          additional_kwargs: { error: textOf(expected) },
        });
      }
      expect(watcher.seen).toEqual(callbacksSee);
    }
  });

  test("in LangGraph's tool node", async () => {
    const search = withToolErrorHandling(searchThat(kind), options);
    const graph = new StateGraph(MessagesAnnotation)
      .addNode("tools", new ToolNode([search]))
      .addEdge(START, "tools")
      .addEdge("tools", END)
      .compile({ checkpointer: new MemorySaver() });
    const call = { ...toolCall(argsFor(kind)) };
    const config = { configurable: { thread_id: "1" } };
    const seen: string[] = [];
    let state: { messages: unknown[] } = { messages: [] };
    const events = graph.streamEvents(
      { messages: [new AIMessage({ content: "", tool_calls: [call] })] },
      { version: "v2", ...config },
    );
    for await (const { event, data } of events) {
      if (event.startsWith("on_tool_")) seen.push(event.slice("on_tool_".length));
      if (event === "on_chain_end") state = data.output;
    }
    expect(seen).toEqual(callbacksSee);
    if (kind === "interrupt") {
      expect((await graph.getState(config)).tasks[0]?.interrupts).toMatchObject([{ value: "sure?" }]);
      const resumed = await graph.invoke(new Command({ resume: "yes" }), config);
      expect(resumed.messages.at(-1)).toMatchObject({ status: "success", content: "decided: yes" });
      return;
    }
    const result = state.messages.at(-1) as ToolMessage;
    expect(result).toMatchObject({ status: "error", tool_call_id: "call-1", name: "search" });
    if (!isThrown) expect(result.content).toEqual(expected);
    else if (expected instanceof Error) expect(result.content).toContain(expected.message);
    // LangGraph's tool node loses what is thrown and is no error
    else expect(result.content).toContain(kind === "string" ? "undefined" : SAID[kind]);
  });
});

test("each option is for its own kind of failure", async () => {
  const never = () => {
    throw new Error("not for this option");
  };
  const throwing = withToolErrorHandling(searchThat("ToolException"), { handleValidationError: never });
  await expect(throwing.invoke({ query: "cats" })).rejects.toThrow("no hits");
  const choosy = withToolErrorHandling(searchThat("schema failure"), { handleToolError: never });
  await expect(choosy.invoke({ query: 7 })).rejects.toThrow(SAID["schema failure"]);
});

test("arguments of another tool that do not fit, inside of a tool, are an error like any other", async () => {
  const inner = searchThat("schema failure");
  const outer = tool(async () => inner.invoke({ query: 7 }), { name: "outer", schema: z.object({}) });
  const handled = withToolErrorHandling(outer, { handleValidationError: true, handleToolError: true });
  await expect(handled.invoke({})).rejects.toThrow(SAID["schema failure"]);
});

test("interrupts pass, whatever else they look like", async () => {
  const interrupts = Object.assign(new GraphInterrupt([]), { name: "ToolException" });
  const search = tool(() => Promise.reject(interrupts), { name: "search", schema: z.object({}) });
  const handled = withToolErrorHandling(search, { handleToolError: true, handleValidationError: true });
  await expect(handled.invoke({})).rejects.toBe(interrupts);
});

describe("what a tool throws, with handleToolError: true", () => {
  class ForeignException extends Error {
    override name = "ToolException";
  }
  class NoHits extends ToolException {
    override name = "NoHits";
  }
  class Hostile extends ToolException {
    override get message(): string {
      throw new Error("do not read me");
    }
  }
  const unreadable = new Proxy(new Error("x"), {
    get() {
      throw new Error("do not read me");
    },
  });
  const throwing = (thrown: unknown) =>
    withToolErrorHandling(
      new DynamicStructuredTool({
        name: "search",
        description: "",
        schema: z.object({}),
        func: async () => {
          throw thrown;
        },
      }),
      { handleToolError: true },
    );

  test.each<[string, unknown, string]>([
    ["an exception without a text", new ToolException(), "Tool execution error"],
    ["one with a blank text", new ToolException(" \n"), "Tool execution error"],
    ["one whose text cannot be read", new Hostile(), "Tool execution error"],
    ["one whose text is none", { name: "ToolException", message: { a: 1 } }, "Tool execution error"],
    ["a subclass with a name of its own", new NoHits("no hits"), "no hits"],
    ["one of another copy of the package", new ForeignException("no hits"), "no hits"],
    ["a plain object of that shape", { name: "ToolException", message: "no hits" }, "no hits"],
  ])("%s is handled", async (_, thrown, content) => {
    expect(await throwing(thrown).invoke({})).toBe(content);
    expect(await throwing(thrown).invoke(toolCall({}))).toMatchObject({
      content,
      status: "error",
      additional_kwargs: { error: content },
    });
  });

  test.each<[string, unknown]>([
    ["undefined", undefined],
    ["null", null],
    ["the word", "ToolException"],
    ["an object without a message", {}],
    ["an error that throws when it is looked at", unreadable],
  ])("%s is thrown on", async (_, thrown) => {
    const end = await settled(throwing(thrown).invoke({}));
    expect("thrown" in end && Object.is(end.thrown, thrown)).toBe(true);
  });
});

describe("a function as an option", () => {
  const withHandler = (handler: (error: Error) => unknown) =>
    withToolErrorHandling(searchThat("ToolException"), { handleToolError: handler as () => string });

  test("gets the exception itself", async () => {
    const told: unknown[] = [];
    await withHandler((error) => told.push(error) && "").invoke({ query: "cats" });
    expect(told).toEqual([expect.any(ToolException)]);
  });

  test.each([
    ["another error", new Error("the handler broke")],
    ["another exception", new ToolException("worse")],
  ])("that throws %s: it is asked once, and that is thrown", async (_, thrown) => {
    let asked = 0;
    const search = withHandler(() => {
      asked++;
      throw thrown;
    });
    const watcher = new Watcher();
    await expect(search.invoke({ query: "cats" }, { callbacks: [watcher] })).rejects.toBe(thrown);
    expect(asked).toBe(1);
    expect(watcher.seen).toEqual(["start", "error"]);
  });

  test("that throws for arguments that do not fit: it is asked once", async () => {
    let asked = 0;
    const search = withToolErrorHandling(searchThat("schema failure"), {
      handleValidationError: (error) => {
        asked++;
        throw error;
      },
    });
    await expect(search.invoke({ query: 7 })).rejects.toThrow(SAID["schema failure"]);
    expect(asked).toBe(1);
  });

  test.each([
    ["nothing", undefined, ""],
    ["an object", { a: 1 }, '{"a":1}'],
    ["a list that is not of blocks", [1], "[1]"],
  ])("that returns %s: written as LangChain writes results", async (_, returned, content) => {
    const search = withHandler(() => returned);
    expect(await search.invoke({ query: "cats" })).toEqual(returned);
    expect(await search.invoke(toolCall({ query: "cats" }))).toMatchObject({ content, status: "error" });
  });

  test.each([
    ["an empty text", ""],
    ["an image only", [{ type: "image_url", image_url: { url: "https://example.org/a.png" } }]],
  ])("that returns %s: the client still gets the reason", async (_, returned) => {
    expect(await withHandler(() => returned).invoke(toolCall({ query: "cats" }))).toMatchObject({
      content: returned,
      additional_kwargs: { error: "no hits" },
    });
  });

  test("that returns a command: LangGraph gets it", async () => {
    const command = new Command({ goto: "elsewhere" });
    for (const format of formats) {
      const search = withToolErrorHandling(searchThat("ToolException", format), {
        handleToolError: (() => command) as never,
      });
      expect(await search.invoke(toolCall({ query: "cats" }))).toBe(command);
    }
  });
});

test("the text that the model reads is the one that the client gets", async () => {
  const search = withToolErrorHandling(searchThat("ToolException"), { handleToolError: "try again" });
  const result = await search.invoke(toolCall({ query: "cats" }));
  expect(JSON.stringify(result)).not.toContain("no hits");
});

test("a call without an id, in a tool node, stays a failure", async () => {
  for (const kind of ["ToolException", "schema failure"] as const) {
    const search = withToolErrorHandling(searchThat(kind), {
      handleToolError: true,
      handleValidationError: true,
    });
    const { id: _, ...call } = toolCall(argsFor(kind));
    const { messages } = await new ToolNode([search]).invoke({
      messages: [new AIMessage({ content: "", tool_calls: [call] })],
    });
    expect(messages).toMatchObject([{ status: "error", name: "search" }]);
    expect(typeof (await search.invoke(call))).toBe("string");
  }
});

describe("all shapes of tools", () => {
  class Counting extends StructuredTool {
    name = "counting";
    description = "a class";
    #runs = 0;
    #schema = z.object({ fail: z.boolean() });
    get schema() {
      return this.#schema;
    }
    get runs() {
      return this.#runs;
    }
    protected async _call({ fail }: { fail: boolean }) {
      this.#runs++;
      if (fail) throw new ToolException("counted");
      return "fine";
    }
  }
  class Echo extends Tool {
    name = "echo";
    description = "takes a text";
    protected async _call(input: string) {
      if (input === "fail") throw new ToolException("echoed");
      return input;
    }
  }
  const options = { handleToolError: true, handleValidationError: true };

  test("a class of its own, with private fields", async () => {
    const counting = new Counting();
    const wrapped = withToolErrorHandling(counting, options);
    expect(wrapped).toBeInstanceOf(Counting);
    expect(wrapped).toMatchObject({ name: "counting", description: "a class" });
    expect(wrapped.schema).toBe(counting.schema);
    expect(await wrapped.invoke({ fail: true })).toBe("counted");
    expect(await wrapped.invoke({ fail: false })).toBe("fine");
    expect([counting.runs, wrapped.runs]).toEqual([2, 2]);
  });

  test("one that takes a text", async () => {
    const wrapped = withToolErrorHandling(new Echo(), options);
    expect(await wrapped.invoke("hi")).toBe("hi");
    expect(await wrapped.invoke("fail")).toBe("echoed");
    expect(await wrapped.invoke(toolCall({ input: "fail" }))).toMatchObject({ status: "error" });
  });

  test("a function with a JSON schema, direct or not", async () => {
    const search = tool(() => Promise.reject(new ToolException("no hits")), {
      name: "search",
      description: "searches",
      returnDirect: true,
      metadata: { team: "search" },
      schema: { type: "object", properties: { query: { type: "string" } }, required: ["query"] },
    });
    const wrapped = withToolErrorHandling(search, options);
    expect(wrapped).toMatchObject({ returnDirect: true, metadata: { team: "search" } });
    expect(wrapped.func).toBe(search.func);
    expect(await wrapped.invoke({ query: "cats" })).toBe("no hits");
    expect(await wrapped.invoke({} as never)).toBe("Tool input validation error");
    expect(wrapped.toJSON()).toEqual(search.toJSON());
  });

  test("one that streams: what it yields is seen, what it throws is handled", async () => {
    const events: unknown[] = [];
    const streaming = tool(
      async function* () {
        yield "searching";
        throw new ToolException("no hits");
      },
      { name: "search", schema: z.object({}), responseFormat: "content_and_artifact" },
    );
    const watcher = Object.assign(new Watcher(), { handleToolEvent: (chunk: unknown) => events.push(chunk) });
    const wrapped = withToolErrorHandling(streaming, options);
    expect(await wrapped.invoke({}, { callbacks: [watcher] })).toBe("no hits");
    expect(events).toEqual(["searching"]);
    expect(watcher.seen).toEqual(["start", "end"]);
  });

  test("a runnable as a tool", async () => {
    const runnable = RunnableLambda.from<{ query: string }, string>(({ query }) => {
      if (query === "cats") throw new ToolException("no hits");
      return query;
    }).asTool({ name: "search", schema: z.object({ query: z.string() }) });
    const wrapped = withToolErrorHandling(runnable, options);
    expect(await wrapped.invoke({ query: "dogs" })).toBe("dogs");
    expect(await wrapped.invoke({ query: "cats" })).toBe("no hits");
    expect(await wrapped.invoke(toolCall({ query: "cats" }))).toMatchObject({
      status: "error",
      tool_call_id: "call-1",
    });
  });

  test("one that is wrapped already: the inner options come first", async () => {
    const inner = Object.freeze(
      withToolErrorHandling(searchThat("ToolException"), { handleToolError: "inner" }),
    );
    const outer = withToolErrorHandling(inner, { handleToolError: "outer", handleValidationError: "outer" });
    const watcher = new Watcher();
    expect(await outer.invoke({ query: "cats" }, { callbacks: [watcher] })).toBe("inner");
    expect(await outer.invoke({ query: 7 })).toBe("outer");
    const off = withToolErrorHandling(searchThat("ToolException"));
    const around = withToolErrorHandling(off, { handleToolError: "outer" });
    expect(await around.invoke({ query: "cats" }, { callbacks: [watcher] })).toBe("outer");
    expect(watcher.seen).toEqual(["start", "end", "start", "end"]);
  });

  test("the given tool stays as it is", async () => {
    const search = Object.freeze(searchThat("ToolException"));
    const wrapped = withToolErrorHandling(search, options);
    expect(await wrapped.invoke({ query: "cats" })).toBe("no hits");
    await expect(search.invoke({ query: "cats" })).rejects.toThrow("no hits");

    const named = searchThat("ToolException");
    withToolErrorHandling(named, options).description = "another";
    expect(named.description).toBe("searches");
  });

  test("what succeeds passes, with its artifact", async () => {
    const search = tool(async () => ["found", { hits: 3 }], {
      name: "search",
      schema: z.object({}),
      responseFormat: "content_and_artifact",
    });
    expect(await withToolErrorHandling(search, options).invoke(toolCall({}))).toMatchObject({
      content: "found",
      artifact: { hits: 3 },
      status: "success",
    });
  });
});
