import { type AIMessage, BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { Annotation, MemorySaver, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { createAgent } from "langchain";
import { z } from "zod";
import type { GraphClient } from "../../src/graphs/client";
import { createLocalClient, type RunnableGraph } from "../../src/graphs/local";
import type { StreamRow } from "../../src/types";
import {
  chat,
  concatenating,
  configured,
  counter,
  endless,
  forgetful,
  oneInterrupt,
  waits,
} from "../support/graphs";
import { rowsOf, runStream } from "../support/home-rows";
import { ScriptedModel } from "../support/scripted-model";

const unhandled: unknown[] = [];
const note = (reason: unknown) => unhandled.push(reason);
beforeAll(() => process.on("unhandledRejection", note));
afterAll(() => process.off("unhandledRejection", note));
afterEach(async () => {
  await new Promise((resolve) => setImmediate(resolve));
  expect(unhandled.splice(0)).toEqual([]);
});

let threads = 0;
const newThread = () => `thread-${++threads}`;
const hello = { messages: [{ type: "human", id: "h1", content: "Hi" }] };

function last<T>(items: readonly T[]): T {
  return items.at(-1) as T;
}

/** Reads until the graph's node is in the middle of its work. */
async function untilWaiting(rows: AsyncGenerator<StreamRow>): Promise<{ runId: string }> {
  let runId = "";
  for (;;) {
    const { value, done } = await rows.next();
    if (done) throw new Error("the run ended before the node waited");
    if (value.event === "metadata") runId = (value.data as { run_id: string }).run_id;
    if (value.event === "custom") return { runId };
  }
}

async function rest(rows: AsyncGenerator<StreamRow>): Promise<string[]> {
  const events: string[] = [];
  for await (const row of rows) events.push(row.event);
  return events;
}

function waiting(client: GraphClient, threadId: string, extra: object = {}) {
  return runStream(client, threadId, "waits", { input: {}, streamMode: ["custom", "values"], ...extra });
}

/** A node that waits for its abort, and tells when it got it. */
function stoppable() {
  let stopped = () => {};
  const aborted = new Promise<void>((resolve) => {
    stopped = resolve;
  });
  const State = Annotation.Root({ done: Annotation<boolean>() });
  const graph = new StateGraph(State)
    .addNode("wait", async (_state, config) => {
      config.writer?.("waiting");
      await new Promise((_, reject) => {
        config.signal?.addEventListener("abort", () => {
          stopped();
          reject(new Error("stopped"));
        });
      });
      return { done: true };
    })
    .addEdge(START, "wait")
    .compile({ checkpointer: new MemorySaver() });
  return { client: createLocalClient(graph), aborted };
}

describe("a run is stopped", () => {
  test("by cancel, with the run's id from the first row", async () => {
    const { client, aborted } = stoppable();
    const thread = newThread();
    const rows = waiting(client, thread);
    const { runId } = await untilWaiting(rows);
    await client.runs.cancel(thread, runId, true);
    expect(await rest(rows)).toEqual([]);
    await aborted;
    expect(await client.runs.list(thread)).toEqual([]);
  });

  test("by cancel through another client of the same graph", async () => {
    const thread = newThread();
    const rows = waiting(createLocalClient(waits), thread);
    const { runId } = await untilWaiting(rows);
    await createLocalClient(waits).runs.cancel(thread, runId, true);
    expect(await rest(rows)).toEqual([]);
  });

  test("by an error in the callback that is told the run's id", async () => {
    const client = createLocalClient(waits);
    const onRunCreated = () => {
      throw new Error("not today");
    };
    await expect(waiting(client, newThread(), { onRunCreated }).next()).rejects.toThrow("not today");
  });

  test("by an abort of the payload's signal", async () => {
    const { client, aborted } = stoppable();
    const abort = new AbortController();
    const rows = waiting(client, newThread(), { signal: abort.signal });
    await untilWaiting(rows);
    abort.abort(new Error("the client left"));
    expect(await rest(rows)).toEqual([]);
    await aborted;
  });

  test("by return, also while a row is awaited", async () => {
    const { client, aborted } = stoppable();
    const rows = waiting(client, newThread());
    await untilWaiting(rows);
    const pending = rows.next();
    expect(await rows.return(undefined)).toEqual({ done: true, value: undefined });
    expect(await pending).toEqual({ done: true, value: undefined });
    await aborted;
  });

  test("by throw", async () => {
    const { client, aborted } = stoppable();
    const rows = waiting(client, newThread());
    await untilWaiting(rows);
    await expect(rows.throw(new Error("the reader broke"))).rejects.toThrow("the reader broke");
    await aborted;
  });

  test("by leaving a for-await loop", async () => {
    const { client, aborted } = stoppable();
    for await (const row of waiting(client, newThread())) if (row.event === "custom") break;
    await aborted;
  });

  test("before it began: nothing runs", async () => {
    const abort = new AbortController();
    abort.abort();
    const created = jest.fn();
    const client = createLocalClient(waits);
    const rows = waiting(client, newThread(), { signal: abort.signal, onRunCreated: created });
    expect(await rest(rows)).toEqual([]);
    const unread = waiting(client, newThread(), { onRunCreated: created });
    await unread.return(undefined);
    expect(await rest(unread)).toEqual([]);
    expect(created).not.toHaveBeenCalled();
  });

  test("though its node does not listen: the stream ends, the node's result is dropped", async () => {
    let goOn = () => {};
    const gate = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const State = Annotation.Root({ done: Annotation<boolean>() });
    const deaf = new StateGraph(State)
      .addNode("work", async (_state, config) => {
        config.writer?.("working");
        await gate;
        return { done: true };
      })
      .addEdge(START, "work")
      .compile({ checkpointer: new MemorySaver() });
    const client = createLocalClient(deaf);
    const thread = newThread();
    const rows = waiting(client, thread);
    const { runId } = await untilWaiting(rows);
    await client.runs.cancel(thread, runId, true);
    expect(await rest(rows)).toEqual([]);
    goOn();
    expect((await client.threads.getState(thread)).values).toEqual({});
  });

  test("and cancelling what is over, unknown or another thread's does nothing", async () => {
    const { client } = stoppable();
    const thread = newThread();
    const rows = waiting(client, thread);
    const { runId } = await untilWaiting(rows);
    await client.runs.cancel("another thread", runId);
    await client.runs.cancel(thread, "unknown");
    expect(await client.runs.list(thread)).toMatchObject([
      { run_id: runId, thread_id: thread, status: "running" },
    ]);
    await rows.return(undefined);
    await client.runs.cancel(thread, runId, true);
  });

  test("and the thread goes on with the next run", async () => {
    const client = createLocalClient(waits);
    const thread = newThread();
    const rows = waiting(client, thread);
    await untilWaiting(rows);
    await rows.return(undefined);
    const next = waiting(client, thread);
    await untilWaiting(next);
    await next.return(undefined);
  });
});

describe("two runs on one thread", () => {
  test("the second one is refused while the first one goes on", async () => {
    const client = createLocalClient(waits);
    const thread = newThread();
    const first = waiting(client, thread);
    await untilWaiting(first);
    await expect(waiting(client, thread).next()).rejects.toMatchObject({
      name: "ThreadBusyError",
      status: 422,
    });
    expect(await client.threads.get(thread)).toMatchObject({ status: "busy" });
    await first.return(undefined);
    expect(await client.threads.get(thread)).toMatchObject({ status: "idle" });
  });

  test("interrupt ends the first one", async () => {
    const client = createLocalClient(waits);
    const thread = newThread();
    const first = waiting(client, thread);
    await untilWaiting(first);
    const second = waiting(client, thread, { multitaskStrategy: "interrupt" });
    await untilWaiting(second);
    expect(await rest(first)).toEqual([]);
    await second.return(undefined);
  });

  test("enqueue waits for the first one, and can be left while it waits", async () => {
    const client = createLocalClient(waits);
    const thread = newThread();
    const first = waiting(client, thread);
    await untilWaiting(first);
    const left = waiting(client, thread, { multitaskStrategy: "enqueue" });
    const never = left.next();
    const done = left.return(undefined);
    const second = waiting(client, thread, { multitaskStrategy: "enqueue" });
    const started = untilWaiting(second);
    await first.return(undefined);
    await Promise.all([started, never, done]);
    await second.return(undefined);
  });

  test("many runs at once, each on its own thread, lose no token", async () => {
    const client = createLocalClient(chat);
    const runs = Array.from({ length: 40 }, () =>
      rowsOf(client, newThread(), "chat", {
        input: hello,
        streamMode: ["messages-tuple", "events", "values", "tasks"],
      }),
    );
    for (const rows of await Promise.all(runs)) {
      const tokens = rows
        .filter(({ event }) => event === "messages")
        .map(({ data }) => (data as [AIMessage])[0].content);
      expect(tokens).toEqual(["Hello", " world"]);
    }
  });
});

describe("reading along with a run", () => {
  test("gives its rows from then on, and its end", async () => {
    const client = createLocalClient(waits);
    const thread = newThread();
    const rows = waiting(client, thread);
    const { runId } = await untilWaiting(rows);
    const joined = rest(client.runs.joinStream(thread, runId) as AsyncGenerator<StreamRow>);
    await client.runs.cancel(thread, runId);
    expect(await joined).toEqual([]);
    await rows.return(undefined);
  });

  test("can be left without stopping the run", async () => {
    const client = createLocalClient(waits);
    const thread = newThread();
    const rows = waiting(client, thread);
    const { runId } = await untilWaiting(rows);
    const abort = new AbortController();
    const joined = rest(
      client.runs.joinStream(thread, runId, { signal: abort.signal }) as AsyncGenerator<StreamRow>,
    );
    abort.abort();
    expect(await joined).toEqual([]);
    expect(await client.runs.list(thread)).toHaveLength(1);
    await rows.return(undefined);
  });

  test("both readers get every row, also the slow one", async () => {
    const client = createLocalClient(counter);
    const thread = newThread();
    const rows = runStream(client, thread, "counter", { input: hello, streamMode: ["values"] });
    const first = await rows.next();
    const runId = (first.value as { data: { run_id: string } }).data.run_id;
    const joined = client.runs.joinStream(thread, runId) as AsyncGenerator<StreamRow>;
    const along = rest(joined);
    const own = await rest(rows);
    expect(own.filter((event) => event === "values")).toHaveLength(3);
    expect(own).toEqual(expect.arrayContaining(await along));
  });

  test("a run that is over or unknown has no rows", async () => {
    const client = createLocalClient(chat);
    expect(await rest(client.runs.joinStream(newThread(), "unknown") as AsyncGenerator<StreamRow>)).toEqual(
      [],
    );
  });
});

describe("a run's input", () => {
  test("plain messages are instances in the graph, with all that they carry", async () => {
    const client = createLocalClient(concatenating);
    const thread = newThread();
    const messages = [
      { type: "human", id: "h", content: [{ type: "text", text: "Hi" }], name: "Ada" },
      { type: "ai", id: "a", content: "", tool_calls: [{ id: "c", name: "f", args: { x: 1 } }] },
      {
        type: "tool",
        id: "t",
        tool_call_id: "c",
        name: "f",
        content: "boom",
        status: "error",
        additional_kwargs: { error: "boom", "ag-ui": '{"lc":1}' },
      },
    ];
    await rowsOf(client, thread, "concatenating", { input: { messages } });
    const values = (await client.threads.getState(thread)).values as { messages: BaseMessage[] };
    const [human, ai, result] = values.messages;
    expect(human).toBeInstanceOf(HumanMessage);
    expect(human).toMatchObject({ id: "h", name: "Ada", content: [{ type: "text", text: "Hi" }] });
    expect(ai).toMatchObject({ id: "a", tool_calls: [{ id: "c", name: "f", args: { x: 1 } }] });
    expect(result).toBeInstanceOf(ToolMessage);
    expect(result).toMatchObject({
      id: "t",
      name: "f",
      tool_call_id: "c",
      status: "error",
      content: "boom",
      additional_kwargs: { error: "boom", "ag-ui": '{"lc":1}' },
    });
    // The caller's own objects are left as they were.
    expect(messages[0]).not.toBeInstanceOf(BaseMessage);
  });

  test("remove markers replace the history", async () => {
    const client = createLocalClient(chat);
    const thread = newThread();
    await rowsOf(client, thread, "chat", { input: hello });
    const messages = [
      { type: "remove", id: "__remove_all__", content: "" },
      { type: "human", id: "h9", content: "Anew" },
    ];
    await rowsOf(client, thread, "chat", { input: { messages } });
    const values = (await client.threads.getState(thread)).values as { messages: BaseMessage[] };
    expect(values.messages.map(({ id }) => id)).toEqual(["h9", "said-1"]);
  });

  test("what is no message reaches the graph's reducer as it is, which says so in the error row", async () => {
    const rows = await rowsOf(createLocalClient(chat), newThread(), "chat", {
      input: { messages: [{ type: "odd" }] },
    });
    expect(last(rows)).toMatchObject({
      event: "error",
      data: { message: expect.stringContaining("coerce") },
    });
  });

  test("a command resumes and repairs in one call", async () => {
    const client = createLocalClient(oneInterrupt);
    const thread = newThread();
    await rowsOf(client, thread, "one_interrupt", { input: {} });
    const update = { answers: ["noted"] };
    await rowsOf(client, thread, "one_interrupt", { command: { resume: false, update } });
    expect((await client.threads.getState(thread)).values).toEqual({ answers: ["noted", false] });
  });

  test("a command with a destination that cannot be sent is told", async () => {
    const command = { goto: { node: "first", input: {} } };
    const rows = await rowsOf(createLocalClient(counter), newThread(), "counter", { command });
    expect(rows.map(({ event }) => event)).toEqual(["metadata", "error"]);
    expect(last(rows).data).toMatchObject({
      error: "TypeError",
      message: expect.stringContaining("command.goto"),
    });
  });

  test("a recursion limit that the graph was bound with counts, one of the run wins", async () => {
    const bound = createLocalClient(endless.withConfig({ recursionLimit: 3 }));
    const own = await rowsOf(bound, newThread(), "endless", { input: {} });
    expect(last(own).data).toMatchObject({ message: expect.stringContaining("limit of 3") });
    const given = await rowsOf(bound, newThread(), "endless", { input: {}, config: { recursion_limit: 5 } });
    expect(last(given).data).toMatchObject({ message: expect.stringContaining("limit of 5") });
  });

  test("the thread of the call wins over one in the configuration", async () => {
    const client = createLocalClient(configured);
    const thread = newThread();
    await rowsOf(client, thread, "configured", {
      input: {},
      config: { configurable: { thread_id: "other" } },
    });
    expect((await client.threads.getState(thread)).values).toMatchObject({ seen: { thread_id: thread } });
    expect((await client.threads.getState("other")).values).toEqual({});
  });
});

describe("threads", () => {
  test("a thread that was never run has empty values and no checkpoint", async () => {
    const client = createLocalClient(chat);
    const { thread_id } = await client.threads.create({ threadId: newThread(), metadata: { who: "Ada" } });
    expect(await client.threads.getState(thread_id)).toEqual({
      values: {},
      next: [],
      tasks: [],
      metadata: undefined,
      created_at: null,
      checkpoint: null,
      parent_checkpoint: null,
    });
    expect(await client.threads.getHistory(thread_id)).toEqual([]);
    expect(await client.threads.get(thread_id)).toMatchObject({ thread_id, status: "idle", values: {} });
  });

  test("a graph without a checkpointer has no state, and runs from its input alone", async () => {
    const client = createLocalClient(forgetful);
    const thread = newThread();
    await rowsOf(client, thread, "forgetful", { input: hello });
    const rows = await rowsOf(client, thread, "forgetful", { input: hello });
    expect((last(rows).data as { messages: unknown[] }).messages).toHaveLength(2);
    expect(await client.threads.getState(thread)).toBeNull();
    expect(await client.threads.getHistory(thread)).toEqual([]);
    await expect(client.threads.updateState(thread, { values: {} })).rejects.toThrow(
      "without a checkpointer",
    );
  });

  test("history: newest first, limited, and before a checkpoint", async () => {
    const client = createLocalClient(counter);
    const thread = newThread();
    for (let turn = 0; turn < 4; turn++)
      await rowsOf(client, thread, "counter", { input: { log: [`${turn}`] } });
    const history = await client.threads.getHistory(thread, { limit: 100 });
    expect(await client.threads.getHistory(thread)).toEqual(history.slice(0, 10));
    expect(history).toHaveLength(16);
    const [, , third, fourth] = history;
    const before = { configurable: { checkpoint_id: third?.checkpoint.checkpoint_id } };
    expect(await client.threads.getHistory(thread, { limit: 1, before })).toEqual([fourth]);
    const metadata = { source: "input" };
    expect(await client.threads.getHistory(thread, { metadata })).toHaveLength(4);
  });

  test("a fork: state updated at a checkpoint, and a run from there", async () => {
    const client = createLocalClient(chat);
    const thread = newThread();
    await rowsOf(client, thread, "chat", { input: hello });
    const history = await client.threads.getHistory(thread);
    const start = history.find(({ next }) => next.includes("speak"));
    const fork = (await client.threads.updateState(thread, {
      values: { messages: [{ type: "human", id: "h1", content: "Changed" }] },
      checkpointId: start?.checkpoint.checkpoint_id as string,
      asNode: "__start__",
    })) as unknown as { checkpoint: { checkpoint_id: string; thread_id: string } };
    expect(fork.checkpoint).toMatchObject({ thread_id: thread, checkpoint_id: expect.any(String) });
    await rowsOf(client, thread, "chat", { input: null, checkpointId: fork.checkpoint.checkpoint_id });
    const values = (await client.threads.getState(thread)).values as { messages: BaseMessage[] };
    expect(values.messages.map(({ content }) => content)).toEqual(["Changed", "Hello world"]);
  });

  test("the state at a checkpoint, by id and by checkpoint", async () => {
    const client = createLocalClient(counter);
    const thread = newThread();
    await rowsOf(client, thread, "counter", { input: {} });
    const [, earlier] = await client.threads.getHistory(thread);
    const checkpoint = earlier?.checkpoint;
    if (!checkpoint?.checkpoint_id) throw new Error("no checkpoint");
    expect((await client.threads.getState(thread, checkpoint.checkpoint_id)).values).toEqual(earlier?.values);
    expect((await client.threads.getState(thread, checkpoint)).next).toEqual(["second"]);
  });
});

describe("assistants", () => {
  test("there is one, named as the graph or as one says", async () => {
    const unnamed = createLocalClient(chat);
    expect(await unnamed.assistants.search()).toMatchObject([
      { assistant_id: "chat", graph_id: "chat", config: {} },
    ]);
    const named = createLocalClient(chat, { graphId: "support" });
    expect(await named.assistants.get("whatever")).toMatchObject({
      assistant_id: "support",
      name: "support",
    });
  });

  test("its schemas have the keys of the graph's channels and of its context", async () => {
    const { assistants } = createLocalClient(configured);
    const schemas = await assistants.getSchemas("configured");
    expect(Object.keys(schemas.input_schema?.properties ?? {})).toEqual(["seen"]);
    expect(Object.keys(schemas.output_schema?.properties ?? {})).toEqual(["seen"]);
    expect(Object.keys(schemas.context_schema?.properties ?? {})).toEqual(["user"]);
  });

  test("input and output of their own are told apart, what is not known is left out", async () => {
    const graph = new StateGraph({
      state: Annotation.Root({
        a: Annotation<string>(),
        b: Annotation<string>(),
        secret: Annotation<string>(),
      }),
      input: Annotation.Root({ a: Annotation<string>() }),
      output: Annotation.Root({ b: Annotation<string>() }),
    })
      .addNode("n", async () => ({ b: "x" }))
      .addEdge(START, "n")
      .compile();
    const schemas = await createLocalClient(graph).assistants.getSchemas("x");
    expect(Object.keys(schemas.input_schema?.properties ?? {})).toEqual(["a"]);
    expect(Object.keys(schemas.output_schema?.properties ?? {})).toEqual(["b"]);
    expect(schemas.context_schema).toBeUndefined();
  });

  test("its graph has nodes and edges", async () => {
    const { nodes, edges } = await createLocalClient(counter).assistants.getGraph("counter");
    expect(nodes.map(({ id }) => id)).toEqual(["__start__", "first", "second", "__end__"]);
    expect(edges).toContainEqual(expect.objectContaining({ source: "first", target: "second" }));
  });
});

describe("what is a graph", () => {
  test("an agent of createAgent runs, with its tools and its checkpointer", async () => {
    const model = new ScriptedModel((messages) =>
      ToolMessage.isInstance(messages.at(-1))
        ? { message: { content: "It is sunny." } }
        : { message: { content: "", tool_calls: [{ id: "c1", name: "weather", args: {} }] } },
    );
    const weather = tool(async () => "sunny", {
      name: "weather",
      description: "weather",
      schema: z.object({}),
    });
    const agent = createAgent({ model, tools: [weather], checkpointer: new MemorySaver() });
    const client = createLocalClient(agent, { graphId: "agent" });
    const thread = newThread();
    const rows = await rowsOf(client, thread, "agent", {
      input: hello,
      streamMode: ["values", "messages-tuple"],
    });
    expect(rows.some(({ event }) => event === "error")).toBe(false);
    const values = (await client.threads.getState(thread)).values as { messages: BaseMessage[] };
    expect(values.messages.map(({ type }) => type)).toEqual(["human", "ai", "tool", "ai"]);
    const { input_schema } = await client.assistants.getSchemas("agent");
    expect(Object.keys(input_schema?.properties ?? {})).toContain("messages");
  });

  test.each([
    ["a graph that was not compiled", new StateGraph(MessagesAnnotation)],
    ["nothing", undefined],
    ["a string", "chat"],
    ["an object", {}],
  ])("%s is refused", (_, graph) => {
    expect(() => createLocalClient(graph as unknown as RunnableGraph)).toThrow(
      "`graph` has to be a compiled graph",
    );
  });
});
