import { EventType, type Message, type RunAgentParameters } from "@ag-ui/client";
import { LangGraphAgent, type LangGraphAgentConfig, type ProcessedEvents } from "ag-ui-langgraph";
import { type DevServer, startDevServer } from "../support/dev-server";
import { comparable, expectAccepted, fold, protocol1 } from "../support/fold";
import * as graphs from "../support/graphs";
import { MAY_LOSE_PRIVATE, ofType, type Played, play, user } from "../support/play";

type GraphName = keyof typeof graphs;
type Options = Partial<Pick<LangGraphAgentConfig, "hideSubgraphs" | "emitInterruptOutcome" | "threadId">>;
type Labelled = { subagentRunId?: string; name?: string } & Record<string, unknown>;

let server: DevServer;
beforeAll(async () => {
  server = await startDevServer();
}, 60_000);
afterAll(() => server.stop());

const byName = new Map<string, unknown>(Object.entries(graphs));
const homes = [
  [
    "in process",
    (graph: GraphName, options: Options = {}) =>
      new LangGraphAgent({ graph: byName.get(graph) as never, threadId: crypto.randomUUID(), ...options }),
  ],
  [
    "on a server",
    (graph: GraphName, options: Options = {}) =>
      new LangGraphAgent({
        deploymentUrl: server.url,
        graphId: graph,
        threadId: crypto.randomUUID(),
        ...options,
      }),
  ],
] as const;

const labelled = (events: readonly unknown[]) =>
  (events as Labelled[]).filter(({ subagentRunId }) => subagentRunId !== undefined);
const texts = (messages: readonly Message[]) =>
  messages.map(({ role, content }) => `${role}: ${String(content)}`);
const accepted = ({ events }: Played) => expectAccepted(events as ProcessedEvents[]);

const delegated = ["assistant: Looking.", "assistant: I found a fact.", "assistant: A text."];
const conversation = [
  "user: hi",
  "assistant: I ask both.",
  "tool: I found a fact.",
  "tool: A text.",
  "assistant: All done.",
];

describe.each(homes)("%s", (_home, agentFor) => {
  it("labels what nested graphs say for clients that understand it, and no others", async () => {
    const played = await play(agentFor("nested"), [user("hi")]);
    accepted(played);
    expect(texts(played.messages)).toEqual(["user: hi", "assistant: From within"]);
    const names = (ofType(played, EventType.SUBAGENT_STARTED) as unknown as Labelled[]).map(
      ({ name }) => name,
    );
    expect(names).toEqual(protocol1 ? ["team", "worker"] : []);
    expect(labelled(played.events).length > 0).toBe(protocol1);
    expect(labelled(played.messages)).toHaveLength(protocol1 ? 1 : 0);
  });

  it("ends with a snapshot of what agents in tools have said, where it is labelled", async () => {
    const agent = agentFor("supervisor");
    const played = await play(agent, [user("hi")], {}, MAY_LOSE_PRIVATE);
    accepted(played);
    const live = await fold(
      played.events.filter(({ type }) => type !== EventType.MESSAGES_SNAPSHOT) as ProcessedEvents[],
      [user("hi")],
    );
    const said = texts(played.messages);
    if (protocol1) expect(live.messages.map(comparable)).toEqual(played.messages.map(comparable));
    for (const text of delegated) expect(said.includes(text)).toBe(protocol1);
    expect(texts(played.messages.filter((message) => !labelled([message]).length))).toEqual(conversation);
  });

  it("does not give the thread what its nested agents said to themselves", async () => {
    const agent = agentFor("supervisor");
    const first = await play(agent, [user("hi")], {}, MAY_LOSE_PRIVATE);
    const before = first.messages.map((message) => ({ ...message }));
    const second = await play(agent, [user("more")], {}, MAY_LOSE_PRIVATE);
    accepted(second);
    expect(second.messages.slice(0, before.length)).toEqual(before);
    const { values } = await agent.client.threads.getState<{ messages: { content: unknown }[] }>(
      agent.threadId,
    );
    const stored = values.messages.map(({ content }) => content);
    expect(stored).toEqual([
      ...conversation.map((text) => text.slice(text.indexOf(" ") + 1)),
      "more",
      ...conversation.slice(1).map((text) => text.slice(text.indexOf(" ") + 1)),
    ]);
  });

  it("hides agents, live and in the snapshot, also of the next run", async () => {
    const agent = agentFor("supervisor", { hideSubgraphs: true });
    const first = await play(agent, [user("hi")]);
    accepted(first);
    expect(texts(first.messages)).toEqual(conversation);
    expect(labelled(first.events)).toEqual([]);
    expect(JSON.stringify(first.events)).not.toContain("Looking");
    const second = await play(agent, [user("more")]);
    expect(texts(second.messages)).toEqual([...conversation, "user: more", ...conversation.slice(1)]);
  });

  it("hides what a subgraph has added to the thread, also later and after a reload", async () => {
    const agent = agentFor("nested", { hideSubgraphs: ["worker"] });
    const first = await play(agent, [user("hi")]);
    accepted(first);
    expect(texts(first.messages)).toEqual(["user: hi"]);
    expect(JSON.stringify(first.events)).not.toContain("within");
    const second = await play(agent, [user("more")]);
    expect(texts(second.messages)).toEqual(["user: hi", "user: more"]);
    const again = agent.clone();
    again.setMessages([]);
    await again.connectAgent();
    expect(texts(again.messages)).toEqual(["user: hi", "user: more"]);
  });

  it.each<[GraphName, Options["hideSubgraphs"]]>([
    ["nested", true],
    ["nested", ["team"]],
    ["nested", ["worker"]],
    ["mixed", true],
    ["mixed", ["team"]],
  ])(
    "hides what %s has added to the thread from a host that was started again: %j",
    async (graph, hidden) => {
      const shown = (turn: string) =>
        graph === "mixed" ? [`user: ${turn}`, "assistant: Of all"] : [`user: ${turn}`];
      const before = agentFor(graph, { hideSubgraphs: hidden });
      expect(texts((await play(before, [user("hi")])).messages)).toEqual(shown("hi"));
      const { threadId } = before;
      const reloaded = agentFor(graph, { hideSubgraphs: hidden, threadId });
      await reloaded.connectAgent();
      expect(texts(reloaded.messages)).toEqual(shown("hi"));
      const withHistory = agentFor(graph, { hideSubgraphs: hidden, threadId });
      withHistory.setMessages(before.messages);
      const second = await play(withHistory, [user("more")]);
      accepted(second);
      expect(texts(second.messages)).toEqual([...shown("hi"), ...shown("more")]);
      const withNews = agentFor(graph, { hideSubgraphs: hidden, threadId });
      const third = await play(withNews, [user("and?")]);
      expect(texts(third.messages).toSorted()).toEqual(
        [...shown("hi"), ...shown("more"), ...shown("and?")].toSorted(),
      );
    },
  );

  it("reads the thread's checkpoints only for what it has not seen", async () => {
    const agent = agentFor("nested", { hideSubgraphs: true });
    const reads = jest.spyOn(agent.client.threads, "getHistory");
    await play(agent, [user("hi")]);
    agent.setMessages([]);
    await play(agent, [user("more")]);
    expect(reads).not.toHaveBeenCalled();
  });

  it("suspends the subagent that interrupts, and names it on the interrupt", async () => {
    const agent = agentFor("nestedInterrupt", { emitInterruptOutcome: true });
    const asked = await play(agent, [user("hi")]);
    accepted(asked);
    const [interrupt] = agent.pendingInterrupts as unknown as Labelled[];
    const [finished] = ofType(asked, EventType.SUBAGENT_FINISHED) as unknown as Labelled[];
    if (!protocol1) return expect([interrupt?.subagentRunId, finished]).toEqual([undefined, undefined]);
    expect(finished?.outcome).toEqual({ type: "suspended", interruptIds: [interrupt?.id] });
    expect(interrupt?.subagentRunId).toBe(finished?.subagentRunId);
    const resume = [{ interruptId: String(interrupt?.id), status: "resolved" as const, payload: "yes" }];
    const answered = await play(agent, [], { resume } as RunAgentParameters);
    accepted(answered);
    const [resumed] = ofType(answered, EventType.SUBAGENT_STARTED) as unknown as Labelled[];
    expect(resumed?.subagentRunId).toBe(interrupt?.subagentRunId);
  });

  it("says of a subgraph that fails that it has failed", async () => {
    const played = await play(agentFor("nestedFailure"), [user("hi")]);
    accepted(played);
    const failures = ofType(played, EventType.SUBAGENT_ERROR);
    expect(failures).toMatchObject(protocol1 ? [{ message: "too deep" }] : []);
    expect(played.error?.message).toBe("too deep");
  });
});
