import { EventType, type Message } from "@ag-ui/client";
import { LangGraphAgent, type ProcessedEvents } from "ag-ui-langgraph";
import { type DevServer, startDevServer } from "../support/dev-server";
import { comparable, fold } from "../support/fold";
import * as graphs from "../support/graphs";
import { comparableEvents, ofType, type Played, play, user } from "../support/play";

type GraphName = keyof typeof graphs;

let server: DevServer;
beforeAll(async () => {
  server = await startDevServer();
}, 60_000);
afterAll(() => server.stop());

const byName = new Map(Object.entries(graphs));
const inProcess = (name: GraphName, threadId: string) => {
  const graph = byName.get(name);
  if (!graph) throw new Error(`there is no graph ${name}`);
  return new LangGraphAgent({ graph, threadId });
};
const onServer = (graph: GraphName, threadId: string) =>
  new LangGraphAgent({ deploymentUrl: server.url, graphId: graph, threadId });
const homes = [
  ["in process", inProcess],
  ["on a server", onServer],
] as const;

async function inBothHomes(graph: GraphName, scenario: (agent: LangGraphAgent) => Promise<Played>) {
  const threadId = crypto.randomUUID();
  return [await scenario(inProcess(graph, threadId)), await scenario(onServer(graph, threadId))] as const;
}

describe.each<GraphName>([
  "chat",
  "tools",
  "nested",
  "counter",
  "customEvents",
  "oneInterrupt",
  "nestedInterrupt",
])("%s", (graph) => {
  it("gives the same events in process and on a server", async () => {
    const [here, there] = await inBothHomes(graph, (agent) => play(agent, [user("hi")]));
    expect(comparableEvents(there)).toEqual(comparableEvents(here));
  });
});

describe.each(homes)("%s", (_name, agentFor) => {
  const agent = (graph: GraphName) => agentFor(graph, crypto.randomUUID());

  it("streams a text under the id that it has in the checkpoint", async () => {
    const { messages, events, error } = await play(agent("chat"), [user("hi")]);
    const start = events.find(({ type }) => type === EventType.TEXT_MESSAGE_START) as { messageId?: string };
    expect(error).toBeUndefined();
    expect(messages.map(comparable)).toEqual([
      user("hi"),
      { id: start.messageId, role: "assistant", content: "Hello world" },
    ]);
  });

  it("ends with a snapshot of what the client has already folded", async () => {
    for (const graph of ["chat", "tools", "nested"] as const) {
      const { events, messages } = await play(agent(graph), [user("hi")]);
      const folded = await fold(
        events.filter(({ type }) => type !== EventType.MESSAGES_SNAPSHOT) as ProcessedEvents[],
        [user("hi")],
      );
      expect(folded.messages.map(comparable)).toEqual(messages.map(comparable));
    }
  });

  it("shows a failed tool as failed, live and in the snapshot, under one id", async () => {
    const played = await play(agent("tools"), [user("hi")]);
    const results = ofType(played, EventType.TOOL_CALL_RESULT) as { messageId?: string; metadata?: object }[];
    const failed = results.find(({ metadata }) => metadata);
    expect(failed?.metadata).toEqual({ status: "error", error: "error" });
    const stored = played.messages.find(({ id }) => id === failed?.messageId);
    expect(stored).toMatchObject({ role: "tool", toolCallId: "call_g", error: "error" });
    expect(results).toHaveLength(2);
  });

  it("sends each message once, turn after turn", async () => {
    const chat = agent("chat");
    await play(chat, [user("one")]);
    const { messages } = await play(chat, [user("two")]);
    expect(messages.map((message: Message) => message.content)).toEqual([
      "one",
      "Hello world",
      "two",
      "Hello world",
    ]);
  });

  it("leaves the state of the graph to the graph where the client only echoes it", async () => {
    const counter = agent("counter");
    await play(counter, [user("one")]);
    const { state } = await play(counter, [user("two")]);
    expect(state).toMatchObject({ count: 4, log: ["first", "second", "first", "second"] });
  });

  it("takes what the client changed in the state", async () => {
    const counter = agent("counter");
    counter.setState({ log: ["client"] });
    const { state } = await play(counter, [user("one")]);
    expect(state).toMatchObject({ count: 2, log: ["client", "first", "second"] });
  });

  it("shares a state that the graph's schema does not tell", async () => {
    const table = agent("setsTable");
    table.setState({ servings: 2 });
    expect((await play(table, [user("one")])).state).toMatchObject({ servings: 2, plates: 2 });
    table.setState({ ...table.state, servings: 6 });
    expect((await play(table, [user("two")])).state).toMatchObject({ servings: 6, plates: 6 });
  });

  it("ends a graph that throws with one RUN_ERROR, and goes on with the next run", async () => {
    const failing = agent("throws");
    const { error, events } = await play(failing, [user("hi")]);
    expect(error?.message).toBe("the order is refused");
    expect(events.at(-1)?.type).toBe(EventType.RUN_ERROR);
    expect((await play(failing, [user("again")])).error?.message).toBe("the order is refused");
  });

  it("tells the recursion limit by its code", async () => {
    const limited = { forwardedProps: { config: { recursion_limit: 3 } } };
    const { error } = await play(agent("endless"), [user("hi")], limited);
    expect(error?.code).toBe("GRAPH_RECURSION_LIMIT");
    expect(error?.message).toContain("Recursion limit of 3");
  });

  it("closes a text that breaks in the middle before RUN_ERROR", async () => {
    const { events, messages } = await play(agent("breaksInText"), [user("hi")]);
    const types = events.map(({ type }) => type).filter((type) => type !== EventType.RAW);
    expect(types.slice(-3)).toEqual([
      EventType.TEXT_MESSAGE_END,
      EventType.STEP_FINISHED,
      EventType.RUN_ERROR,
    ]);
    expect(messages.at(-1)).toMatchObject({ role: "assistant", content: "I was about to" });
  });

  it("announces an interrupt and resumes with the answer", async () => {
    const asking = agent("oneInterrupt");
    const asked = await play(asking, [user("hi")]);
    expect(ofType(asked, EventType.CUSTOM)).toMatchObject([
      { name: "on_interrupt", value: '{"question":"Go on?"}' },
    ]);
    const answered = await play(asking, [], { forwardedProps: { command: { resume: { yes: true } } } });
    expect(answered.state).toMatchObject({ answers: [{ yes: true }] });
  });

  it("answers two interrupts by their ids, also one after the other", async () => {
    const asking = agent("twoInterrupts");
    asking.emitInterruptOutcome = true;
    await play(asking, [user("hi")]);
    const [left, right] = asking.pendingInterrupts;
    const answer = (entries: typeof asking.pendingInterrupts) =>
      play(asking, [], {
        resume: entries.map(({ id, message }) => ({
          interruptId: id,
          status: "resolved",
          payload: `re: ${message}`,
        })),
      });
    expect([left?.message, right?.message].sort()).toEqual(["left?", "right?"]);
    const { state } = await answer(asking.pendingInterrupts);
    const { answers } = state as { answers: object[] };
    expect(answers).toEqual(expect.arrayContaining([{ left: "re: left?" }, { right: "re: right?" }]));
  });

  it("shows a pending interrupt again when a message comes instead of an answer, and loses nothing", async () => {
    const asking = agent("nestedInterrupt");
    await play(asking, [user("hi")]);
    const again = await play(asking, [user("wait")]);
    expect(ofType(again, EventType.CUSTOM)).toMatchObject([{ name: "on_interrupt", value: "sure?" }]);
    expect(again.messages.map(({ content }) => content)).toEqual(["hi", "wait"]);
    const done = await play(asking, [], { forwardedProps: { command: { resume: "yes" } } });
    expect(done.messages.map(({ content }) => content)).toEqual(["hi", "wait", "yes"]);
  });

  it("hands context and configuration over", async () => {
    const { state } = await play(agent("configured"), [user("hi")], {
      forwardedProps: { config: { configurable: { user: "ada" }, tags: ["t"] } },
    });
    expect(state).toMatchObject({ seen: { context: { user: "ada" }, tags: ["t"] } });
  });

  it("stops the graph when the run is aborted", async () => {
    const waiting = agent("waits");
    const events: string[] = [];
    const running = waiting.runAgent(
      { runId: "aborted" },
      {
        onEvent: ({ event }) => void events.push(event.type),
        onCustomEvent: () => waiting.abortRun(),
      },
    );
    await running;
    expect(events.at(-1)).toBe(EventType.RUN_FINISHED);
    const [task] = (await waiting.client.threads.getState(waiting.threadId)).tasks;
    expect(task).toMatchObject({ name: "wait" });
    expect(await waiting.client.runs.list(waiting.threadId, { status: "running" })).toEqual([]);
  });
});

describe("the assistant on a server", () => {
  it("is the graph's default one, however many there are, or the one that is configured", async () => {
    const client = onServer("chat", "any").client;
    const other = await client.assistants.create({
      graphId: "chat",
      name: "other",
      config: { tags: ["other"] },
    });
    const assistantOf = async (agent: LangGraphAgent) => (await agent.getAssistant()).assistant_id;
    expect(await assistantOf(onServer("chat", "any"))).not.toBe(other.assistant_id);
    const configured = new LangGraphAgent({
      deploymentUrl: server.url,
      graphId: "chat",
      assistantId: other.assistant_id,
    });
    expect(await assistantOf(configured)).toBe(other.assistant_id);
  });
});
