import { type BaseEvent, EventType, type RunAgentInput } from "@ag-ui/client";
import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { Annotation, END, MemorySaver, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { LangGraphAgent, type ProcessedEvents } from "ag-ui-langgraph";
import { firstValueFrom, toArray } from "rxjs";
import { chat, forgetful } from "../support/graphs";
import { ofType, play, user } from "../support/play";

const input = (fields: Partial<RunAgentInput> = {}): RunAgentInput => ({
  threadId: "thread",
  runId: "run",
  messages: [user("hi")],
  tools: [],
  context: [],
  state: {},
  forwardedProps: {},
  ...fields,
});

const eventsOf = (agent: LangGraphAgent, run: RunAgentInput): Promise<ProcessedEvents[]> =>
  firstValueFrom(agent.run(run).pipe(toArray()));

describe("two runs on one agent at once", () => {
  it("do not mix", async () => {
    const agent = new LangGraphAgent({ graph: chat });
    const runs = await Promise.all(
      ["a", "b", "c"].map((id) => eventsOf(agent, input({ threadId: `thread-${id}`, runId: `run-${id}` }))),
    );
    for (const [index, id] of ["a", "b", "c"].entries()) {
      const events = runs[index] ?? [];
      const ends = events.filter(
        ({ type }) => type === EventType.RUN_STARTED || type === EventType.RUN_FINISHED,
      );
      expect(ends).toMatchObject([{ runId: `run-${id}` }, { runId: `run-${id}`, threadId: `thread-${id}` }]);
      const text = events.filter(({ type }) => type === EventType.TEXT_MESSAGE_CONTENT);
      expect(text).toMatchObject([{ delta: "Hello" }, { delta: " world" }]);
    }
  });
});

describe("unsubscribing", () => {
  it("stops the graph", async () => {
    let stopped = () => {};
    const isStopped = new Promise<void>((resolve) => {
      stopped = resolve;
    });
    const graph = new StateGraph(Annotation.Root({ done: Annotation<boolean>() }))
      .addNode(
        "wait",
        async (_state, config: LangGraphRunnableConfig) => {
          config.writer?.("waiting");
          await new Promise((_, reject) => config.signal?.addEventListener("abort", reject));
          return { done: true };
        },
        { retryPolicy: { maxAttempts: 1 } },
      )
      .addEdge(START, "wait")
      .addEdge("wait", END)
      .compile();
    const agent = new LangGraphAgent({ graph });
    const subscription = agent.run(input()).subscribe((event) => {
      if (event.type !== EventType.CUSTOM) return;
      const cancel = agent.client.runs.cancel.bind(agent.client.runs);
      agent.client.runs.cancel = async (threadId, runId) => {
        await cancel(threadId, runId, true);
        stopped();
      };
      subscription.unsubscribe();
    });
    await isStopped;
    expect(await agent.client.runs.list("thread", { status: "running" })).toEqual([]);
  });
});

describe("a subclass", () => {
  it("leaves out events by not dispatching them, and the spans stay whole", async () => {
    class Silent extends LangGraphAgent {
      override dispatchEvent(event: ProcessedEvents): boolean {
        if (event.type === EventType.TEXT_MESSAGE_START) return false;
        return super.dispatchEvent(event);
      }
    }
    const { messages, events } = await play(
      new Silent({ graph: chat, threadId: "silent" }),
      [user("hi")],
      {},
      { differs: "only the snapshot has the text" },
    );
    expect(events.some(({ type }) => type.startsWith("TEXT_MESSAGE"))).toBe(false);
    expect(messages.at(-1)).toMatchObject({ content: "Hello world" });
  });

  it("writes to the subscriber by itself", async () => {
    class Exits extends LangGraphAgent {
      override dispatchEvent(event: ProcessedEvents): boolean {
        if (event.type !== EventType.STEP_STARTED) return super.dispatchEvent(event);
        this.subscriber.next({ type: EventType.CUSTOM, name: "Step", value: this.activeRun?.id });
        return true;
      }
    }
    const played = await play(new Exits({ graph: chat, threadId: "exits" }), [user("hi")], { runId: "mine" });
    expect(ofType(played, EventType.CUSTOM)).toMatchObject([{ name: "Step", value: "mine" }]);
    expect(ofType(played, EventType.STEP_FINISHED)).toEqual([]);
  });

  it("puts more into the state, and shows less of it", async () => {
    class Shaped extends LangGraphAgent {
      override langGraphDefaultMergeState(...args: Parameters<LangGraphAgent["langGraphDefaultMergeState"]>) {
        return { ...super.langGraphDefaultMergeState(...args), lang: "de" };
      }
      override getStateSnapshot(state: Parameters<LangGraphAgent["getStateSnapshot"]>[0]) {
        const { messages: _, ...shown } = super.getStateSnapshot(state);
        return shown;
      }
    }
    const graph = new StateGraph(Annotation.Root({ ...MessagesAnnotation.spec, lang: Annotation<string>() }))
      .addNode("look", async ({ lang }) => ({ lang: lang.toUpperCase() }))
      .addEdge(START, "look")
      .addEdge("look", END)
      .compile({ checkpointer: new MemorySaver() });
    const { state } = await play(new Shaped({ graph }), [user("hi")]);
    expect(state).toEqual({ lang: "DE" });
  });
});

describe("a node that throws what is no error", () => {
  it("ends the run without telling what it was", async () => {
    const graph = new StateGraph(Annotation.Root({ done: Annotation<boolean>() }))
      .addNode("call", async () => {
        throw { status: 401, config: { headers: { authorization: "Bearer secret" } } };
      })
      .addEdge(START, "call")
      .compile();
    const played = await play(new LangGraphAgent({ graph, logger: false }), [user("hi")]);
    expect(played.error?.message).toBe("The graph threw an object without a message");
    expect(JSON.stringify(played.events)).not.toContain("secret");
  });
});

describe("a graph without a checkpointer", () => {
  it("has the client's history as its only memory", async () => {
    const agent = new LangGraphAgent({ graph: forgetful });
    await play(agent, [user("one")]);
    const { messages } = await play(agent, [user("two")]);
    expect(messages.map(({ content }) => content)).toEqual(["one", "Hello world", "two", "Hello world"]);
  });
});

describe("clone", () => {
  it("has headers and runs of its own, and the same graph", async () => {
    const agent = new LangGraphAgent({ deploymentUrl: "http://127.0.0.1:9", graphId: "graph" });
    const copy = agent.clone();
    copy.headers.authorization = "Bearer one";
    expect(agent.headers).toEqual({});
    expect(copy.client).not.toBe(agent.client);
    const local = new LangGraphAgent({ graph: chat });
    const { messages } = await play(local.clone(), [user("hi")]);
    expect(messages.at(-1)).toMatchObject({ content: "Hello world" });
  });
});

describe("bad input", () => {
  it.each([
    ["null messages", { messages: null }],
    ["null entries", { messages: [null, user("hi")] }],
    ["a text for tools", { tools: "x" }],
    ["an object for messages", { messages: {} }],
    ["a text for answers", { resume: "x" }],
    ["nothing as an answer", { resume: [null] }],
    ["no state, tools or context", { state: undefined, tools: undefined, context: undefined }],
    ["null everywhere", { state: null, tools: null, context: null, forwardedProps: null }],
    ["an unknown role", { messages: [{ id: "x", role: "wizard", content: "?" }, user("hi")] }],
    ["missing ids", { messages: [{ role: "user", content: "hi" }] }],
    ["null contents", { messages: [{ id: "n", role: "user", content: null }, user("hi")] }],
  ])("%s: the run goes on, or says what was wrong", async (_what, fields) => {
    const agent = new LangGraphAgent({ graph: chat, logger: false });
    const events: BaseEvent[] = await eventsOf(
      agent,
      input({ threadId: crypto.randomUUID(), ...(fields as object) }),
    );
    expect(events[0]?.type).toBe(EventType.RUN_STARTED);
    expect(
      events.filter(({ type }) => type === EventType.RUN_FINISHED || type === EventType.RUN_ERROR),
    ).toHaveLength(1);
    expect(events.at(-1)?.type).toBe(EventType.RUN_FINISHED);
  });

  it("takes a history of 10,000 messages", async () => {
    const agent = new LangGraphAgent({ graph: chat, logger: false });
    const messages = Array.from({ length: 10_000 }, (_, index) =>
      index % 2 ? { id: `a${index}`, role: "assistant" as const, content: "yes" } : user(`u${index}`),
    );
    const events = await eventsOf(agent, input({ messages: [...messages, user("hi")] }));
    expect(events.at(-1)?.type).toBe(EventType.RUN_FINISHED);
  });
});
