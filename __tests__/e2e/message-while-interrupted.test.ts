import { EventType, type Message, type RunAgentParameters, type UserMessage } from "@ag-ui/client";
import { LangGraphAgent, type LangGraphAgentConfig } from "ag-ui-langgraph";
import { type DevServer, startDevServer } from "../support/dev-server";
import { asksBoth, asksInTool, asksOnce } from "../support/graphs";
import { ofType, type Played, play, user } from "../support/play";

const graphs = { asksOnce, asksBoth, asksInTool };
type GraphName = keyof typeof graphs;
type Options = Partial<LangGraphAgentConfig>;

let server: DevServer;
beforeAll(async () => {
  server = await startDevServer();
}, 60_000);
afterAll(() => server.stop());

const answersIt: Options = { resumeWithUserMessage: true };
const answer = (resume: unknown): RunAgentParameters => ({ forwardedProps: { command: { resume } } });

const asked = (played: Played) =>
  (ofType(played, EventType.CUSTOM) as unknown as { name: string; value: unknown }[]).flatMap(
    ({ name, value }) => (name === "on_interrupt" ? [value] : []),
  );
const said = (messages: readonly Message[]) =>
  messages.map(({ role, content, ...rest }) =>
    "toolCalls" in rest && rest.toolCalls?.length ? "calls" : `${role}: ${content ?? ""}`,
  );

describe.each([
  ["in process", (graphId: GraphName) => ({ graph: graphs[graphId] as never })],
  ["on a server", (graphId: GraphName) => ({ deploymentUrl: server.url, graphId })],
])("%s", (_home, home) => {
  const agentFor = (graph: GraphName, options: Options = {}) =>
    new LangGraphAgent({ ...home(graph), threadId: crypto.randomUUID(), logger: false, ...options } as never);

  /** As after a reload: nothing is left but the thread. */
  async function comeBack(agent: LangGraphAgent) {
    const fresh = agent.clone();
    fresh.setMessages([]);
    fresh.pendingInterrupts = [];
    await fresh.connectAgent();
    return fresh;
  }

  /** The next request to a host that makes an agent for each one: the client's messages come with it. */
  function nextRequest(agent: LangGraphAgent) {
    const fresh = agent.clone();
    fresh.pendingInterrupts = [];
    return fresh;
  }

  describe("by default a message that comes while a question is open", () => {
    it("is in the thread once, after the question was shown again and answered", async () => {
      const agent = agentFor("asksOnce");
      await play(agent, [user("go")]);
      const again = await play(agent, [user("wait")]);
      expect(asked(again)).toEqual(["Which?"]);
      expect(said(again.messages)).toEqual(["user: go", "user: wait"]);
      expect(again.events.at(-2)?.type).toBe(EventType.CUSTOM);
      expect(ofType(again, EventType.MESSAGES_SNAPSHOT)).toHaveLength(1);
      await agent.connectAgent();
      expect(said(agent.messages)).toEqual(["user: go", "user: wait"]);
      const done = await play(nextRequest(agent), [], answer("this"));
      const whole = ["user: go", "user: wait", 'assistant: Which? "this"'];
      expect(said(done.messages)).toEqual(whole);
      expect(said((await comeBack(agent)).messages)).toEqual(whole);
    });

    it("stands behind the result that it has waited for, also after a reload and in the next turn", async () => {
      const agent = agentFor("asksInTool");
      await play(agent, [user("pay")]);
      const again = await play(agent, [user("hurry")]);
      expect(asked(again)).toEqual(["Pay?"]);
      expect(said(again.messages)).toEqual(["user: pay", "calls", "user: hurry"]);
      const done = await play(nextRequest(agent), [], answer("ok"));
      const whole = [
        "user: pay",
        "calls",
        'tool: paid: "ok"',
        "user: hurry",
        'assistant: Heard "paid: "ok"".',
      ];
      expect(said(done.messages)).toEqual(whole);
      const back = await comeBack(agent);
      expect(said(back.messages)).toEqual(whole);
      const next = await play(back, [user("well?")]);
      expect(next.error).toBeUndefined();
      expect(said(next.messages)).toEqual([...whole, "user: well?", 'assistant: Heard "well?".']);
    });
  });

  describe("with resumeWithUserMessage a message that comes while a question is open", () => {
    it("answers it, and is in the thread once", async () => {
      const agent = agentFor("asksOnce", { ...answersIt, emitInterruptOutcome: true });
      await play(agent, [user("go")]);
      const done = await play(agent, [user("the red one")]);
      const whole = ["user: go", "user: the red one", 'assistant: Which? "the red one"'];
      expect(asked(done)).toEqual([]);
      expect(said(done.messages)).toEqual(whole);
      expect(said((await comeBack(agent)).messages)).toEqual(whole);
    });

    it("answers it with the text of its parts", async () => {
      const agent = agentFor("asksOnce", answersIt);
      await play(agent, [user("go")]);
      const content = [
        { type: "text", text: "this " },
        { type: "image", source: { type: "url", value: "https://example.com/cat.png" } },
        { type: "text", text: "one" },
      ] as UserMessage["content"];
      const done = await play(agent, [{ id: "parts", role: "user", content }]);
      expect(done.messages.at(-1)?.content).toBe('Which? "this one"');
      expect(done.messages.at(-2)).toMatchObject({ id: "parts", content });
    });

    it("keeps 42 a text, as the user has written it", async () => {
      const agent = agentFor("asksOnce", answersIt);
      await play(agent, [user("go")]);
      expect(said((await play(agent, [user("42")])).messages).at(-1)).toBe('assistant: Which? "42"');
    });

    it.each([
      ["an empty text", ""],
      ["blanks", " \n"],
      ["no words", [{ type: "image", source: { type: "url", value: "https://example.com/cat.png" } }]],
    ])("does not answer it with %s", async (_what, content) => {
      const agent = agentFor("asksOnce", { ...answersIt, emitInterruptOutcome: true });
      await play(agent, [user("go")]);
      const again = await play(
        agent,
        [{ id: "wordless", role: "user", content } as Message],
        {},
        { differs: "providers refuse an empty message" },
      );
      expect(asked(again)).toEqual(["Which?"]);
    });

    it("gives way to an answer that comes with it", async () => {
      const agent = agentFor("asksOnce", { ...answersIt, emitInterruptOutcome: true });
      await play(agent, [user("go")]);
      const [open] = agent.pendingInterrupts;
      const resume = [{ interruptId: String(open?.id), status: "resolved" as const, payload: "clicked" }];
      const done = await play(agent, [user("typed")], { resume });
      expect(said(done.messages)).toEqual(["user: go", "user: typed", 'assistant: Which? "clicked"']);
    });

    it("answers the last of two, and neither while both are open", async () => {
      const agent = agentFor("asksBoth", { ...answersIt, emitInterruptOutcome: true });
      await play(agent, [user("go")]);
      const [one, other] = agent.pendingInterrupts;
      const again = await play(agent, [user("both?")]);
      expect(asked(again).toSorted()).toEqual(["Left?", "Right?"]);
      expect(agent.pendingInterrupts.map(({ id }) => id).toSorted()).toEqual(
        [one?.id, other?.id].toSorted() as string[],
      );
      const resume = [{ interruptId: String(one?.id), status: "resolved" as const, payload: "clicked" }];
      await play(nextRequest(agent), [], { resume });
      const back = await comeBack(agent);
      expect(back.pendingInterrupts.map(({ id }) => id)).toEqual([other?.id]);
      const done = await play(back, [user("typed")]);
      expect(said(done.messages).toSorted()).toEqual(
        [
          `assistant: ${one?.message} "clicked"`,
          `assistant: ${other?.message} "typed"`,
          "user: both?",
          "user: go",
          "user: typed",
        ].toSorted(),
      );
    });

    it("answers a tool that asks, and stands behind its result", async () => {
      const agent = agentFor("asksInTool", answersIt);
      await play(agent, [user("pay")]);
      const done = await play(agent, [user("yes, pay")]);
      const whole = [
        "user: pay",
        "calls",
        'tool: paid: "yes, pay"',
        "user: yes, pay",
        'assistant: Heard "paid: "yes, pay"".',
      ];
      expect(done.error).toBeUndefined();
      expect(said(done.messages)).toEqual(whole);
      const back = await comeBack(agent);
      expect(said(back.messages)).toEqual(whole);
      const next = await play(back, [user("thanks")]);
      expect(said(next.messages)).toEqual([...whole, "user: thanks", 'assistant: Heard "thanks".']);
    });

    it("does not answer it a second time, by a run without a new message", async () => {
      const agent = agentFor("asksOnce", answersIt);
      await play(agent, [user("go")]);
      expect(asked(await play(nextRequest(agent), []))).toEqual(["Which?"]);
    });
  });
});
