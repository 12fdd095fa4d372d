import type { Message, RunAgentParameters } from "@ag-ui/client";
import type { LangGraphAgentConfig } from "ag-ui-langgraph";
import { Conversation, lines } from "../support/conversation";
import { type DevServer, startDevServer } from "../support/dev-server";
import { protocol1 } from "../support/fold";
import * as graphs from "../support/pausing-graphs";
import { MAY_LOSE_PRIVATE, user } from "../support/play";

type GraphName = keyof typeof graphs;
type Options = Partial<LangGraphAgentConfig>;

let server: DevServer;
beforeAll(async () => {
  server = await startDevServer({
    graphs: Object.fromEntries(
      Object.keys(graphs).map((name) => [name, `__tests__/support/pausing-graphs.ts:${name}`]),
    ),
  });
}, 60_000);
afterAll(() => server.stop());

/** By graph: what is said up to the question, and after the answer. */
const cases: [GraphName, string[], string[]][] = [
  [
    "agentAsNode",
    ["assistant I am banker. +pay"],
    ["assistant I am banker. +pay", "tool paid: yes", "assistant banker is done."],
  ],
  [
    "twoDeep",
    ["assistant I am banker. +pay"],
    ["assistant I am banker. +pay", "tool paid: yes", "assistant banker is done."],
  ],
  [
    "twoTools",
    ["assistant I am banker. +look +pay", "tool a fact"],
    ["assistant I am banker. +look +pay", "tool a fact", "tool paid: yes", "assistant banker is done."],
  ],
  [
    "twoAgents",
    ["assistant I am banker. +pay", "assistant I am writer. +pay"],
    [
      "assistant I am banker. +pay",
      "tool paid: yes",
      "assistant banker is done.",
      "assistant I am writer. +pay",
      "tool paid: yes",
      "assistant writer is done.",
    ],
  ],
  [
    "writtenByHand",
    ["assistant I think. +confirm"],
    ["assistant I think. +confirm", "assistant You say yes"],
  ],
];

const byName = new Map<string, unknown>(Object.entries(graphs));
const homes = [
  ["in process", (name: GraphName) => ({ graph: byName.get(name), graphId: name }), cases],
  // The others go the same ways, and a server takes its time.
  [
    "on a server",
    (name: GraphName) => ({ deploymentUrl: server.url, graphId: name }),
    cases.filter(([name]) => name.startsWith("two")),
  ],
] as const;

const confirm = { name: "confirm", description: "Asks the user", parameters: { type: "object" } };

const conversationIn = (home: object, options: Options = {}) =>
  new Conversation({
    threadId: crypto.randomUUID(),
    emitInterruptOutcome: true,
    logger: false,
    ...home,
    ...options,
  } as LangGraphAgentConfig);

describe.each(homes)("%s", (_home, home, played) => {
  const begin = async (name: GraphName, options: Options = {}, tools: RunAgentParameters["tools"] = []) => {
    const conversation = conversationIn(home(name), options);
    await conversation.run([user("hi")], { tools });
    return conversation;
  };

  describe.each(played)("%s", (name, asked, done) => {
    it("keeps what was said when it asks, and goes on from there", async () => {
      const conversation = await begin(name);
      expect(conversation.lines()).toEqual(["user hi", ...asked]);
      const before = conversation.ids();
      await conversation.answer();
      expect(conversation.lines()).toEqual(["user hi", ...done]);
      expect(conversation.ids()).toEqual(expect.arrayContaining(before));
      expect(await conversation.stored()).toEqual(conversation.ids());
    });

    it("shows it to a client that comes back, and puts what the user says meanwhile behind the results", async () => {
      const conversation = await begin(name);
      const other = await conversation.reload();
      expect(other.messages.map(({ id }) => id)).toEqual(conversation.ids());
      conversation.agent.setMessages(other.messages);
      await conversation.run([user("wait")]);
      expect(conversation.lines()).toEqual(["user hi", ...asked, "user wait"]);
      await conversation.answer();
      const results = done.findLastIndex((line) => line.startsWith("tool"));
      const behind = results === -1 ? asked.length : results + 1;
      const whole = ["user hi", ...done.toSpliced(behind, 0, "user wait")];
      expect(conversation.lines()).toEqual(whole);
      // Where a graph's last step has several nodes, LangGraph takes messages with the next run only.
      if (name === "twoAgents") whole.push(...whole.splice(behind + 1, 1));
      else expect(await conversation.stored()).toEqual(conversation.ids());
      await conversation.run([user("more")]);
      const lines = conversation.lines().filter((line) => !line.includes("was never answered"));
      expect(lines.slice(0, whole.length + 1)).toEqual([...whole, "user more"]);
      const stored = await conversation.stored();
      expect(conversation.ids().slice(0, stored.length)).toEqual(stored);
    });
  });

  it("takes no result from the client to bring earlier ones into order", async () => {
    const conversation = await begin("asksFirst");
    await conversation.answer();
    await conversation.run([user("more")]);
    const asked = "assistant I am banker. +pay +look";
    expect(conversation.lines().slice(-3)).toEqual(["user more", asked, "tool a fact"]);
    const other = await conversation.reload();
    expect(other.messages.map(({ id }) => id)).toEqual(conversation.ids());
  });

  it("keeps the order of two agents that are answered one after the other", async () => {
    for (const first of [0, 1]) {
      const conversation = await begin("twoAgents");
      await conversation.answer([String(conversation.pending[first])]);
      const half = conversation.ids();
      expect(conversation.lines()).toHaveLength(5);
      const other = await conversation.reload();
      expect(other.messages.map(({ id }) => id)).toEqual(half);
      await conversation.answer();
      expect(conversation.lines()).toHaveLength(7);
      expect(conversation.ids().filter((id) => half.includes(id))).toEqual(half);
      expect(await conversation.stored()).toEqual(conversation.ids());
    }
  });

  describe("a call of the subgraph that is for the client", () => {
    const asked = "assistant I am banker. +confirm +pay";
    const done = ["user hi", asked, "tool sure", "tool paid: yes", "assistant banker is done."];

    const confirmed = async () => {
      const conversation = await begin("withClientTool", {}, [confirm]);
      expect(conversation.lines()).toEqual(["user hi", asked]);
      const [toolCallId] = conversation.starts;
      const result: Message = { id: "result", role: "tool", toolCallId: String(toolCallId), content: "sure" };
      return { conversation, result };
    };

    it("keeps its result until the thread can take it, and then goes on with it", async () => {
      const { conversation, result } = await confirmed();
      await conversation.run([result], { tools: [confirm] });
      expect(conversation.lines()).toEqual(["user hi", asked, "tool sure"]);
      await conversation.answer();
      expect(conversation.lines()).toEqual(done);
      expect(await conversation.stored()).toEqual(conversation.ids());
    });

    it("takes its result with the answer, too", async () => {
      const { conversation, result } = await confirmed();
      conversation.agent.addMessage(result);
      await conversation.answer();
      expect(conversation.lines()).toEqual(done);
      await conversation.run([user("more")], { tools: [confirm] });
      expect(conversation.lines()).toEqual([...done, "user more", asked]);
    });

    it("may have its result after the answer", async () => {
      const { conversation, result } = await confirmed();
      await conversation.answer();
      expect(conversation.lines()).toEqual(["user hi", asked, "tool paid: yes"]);
      await conversation.run([result], { tools: [confirm] });
      expect(conversation.lines()).toEqual(done);
      expect(await conversation.stored()).toEqual(conversation.ids());
    });
  });

  it("forgets what a node said that LangGraph will run again", async () => {
    const conversation = conversationIn(home("speaksAndAsks"));
    await conversation.run([user("hi")], {}, { differs: "LangGraph runs the node again" });
    expect(conversation.lines()).toEqual(["user hi"]);
    await conversation.answer();
    expect(conversation.lines()).toEqual(["user hi", "assistant Let me see."]);
    expect(await conversation.stored()).toEqual(conversation.ids());
  });

  it("keeps what an agent says to itself out of the thread, and shows it where it is labelled", async () => {
    const conversation = conversationIn(home("privateAgent"));
    // Clients that cannot be told whose a message is lose it with the snapshot.
    await conversation.run([user("hi")], {}, MAY_LOSE_PRIVATE);
    const own = protocol1 ? ["assistant I am banker. +pay"] : [];
    expect(conversation.lines()).toEqual(["user hi", ...own]);
    await conversation.answer(undefined, MAY_LOSE_PRIVATE);
    const paid = protocol1 ? ["tool paid: yes"] : [];
    expect(conversation.lines()).toEqual(["user hi", ...own, ...paid, "assistant banker is done."]);
    expect(await conversation.stored()).toHaveLength(2);
    await conversation.run([user("more")], {}, MAY_LOSE_PRIVATE);
    expect(await conversation.stored()).toHaveLength(3);
  });

  it("does the same for an agent that a tool runs", async () => {
    const conversation = conversationIn(home("agentInTool"));
    await conversation.run([user("hi")], {}, MAY_LOSE_PRIVATE);
    const asked = ["user hi", "assistant I ask. +ask"];
    const own = protocol1 ? ["assistant I am banker. +pay"] : [];
    expect(conversation.lines()).toEqual([...asked, ...own]);
    await conversation.answer(undefined, MAY_LOSE_PRIVATE);
    const said = conversation.lines();
    for (const line of [...asked, ...own, "tool banker is done.", "assistant All is done."])
      expect(said.filter((other) => other === line)).toHaveLength(1);
    expect(await conversation.stored()).toHaveLength(4);
  });

  it("gives a graph without messages none of its subgraph's", async () => {
    const conversation = await begin("withoutMessages");
    const before = conversation.lines();
    expect((await conversation.reload()).messages).toEqual([]);
    await conversation.answer();
    expect(conversation.lines().slice(0, before.length)).toEqual(before);
    expect(await conversation.stored()).toEqual([]);
  });

  it("shows nothing of a hidden subgraph that asks", async () => {
    for (const hideSubgraphs of [true, ["banker"]] as const) {
      const conversation = await begin("twoAgents", { hideSubgraphs: hideSubgraphs as true });
      const writers = hideSubgraphs === true ? [] : ["assistant I am writer. +pay"];
      expect(conversation.lines()).toEqual(["user hi", ...writers]);
      expect(lines((await conversation.reload()).messages)).toEqual(["user hi", ...writers]);
      await conversation.answer();
      expect(JSON.stringify(conversation.lines())).not.toContain("banker");
    }
  });

  it("starts again before a message that the user changes instead", async () => {
    const conversation = await begin("agentAsNode");
    conversation.agent.setMessages([]);
    await conversation.run([user("ho", "user-hi")]);
    expect(conversation.lines()).toEqual(["user ho", "assistant I am banker. +pay"]);
    await conversation.answer();
    expect(await conversation.stored()).toEqual(conversation.ids());
    expect(conversation.lines()).toHaveLength(4);
  });
});

it("shows the question again after an answer that was cut off", async () => {
  const conversation = conversationIn({ graph: graphs.agentAsNode });
  const { agent } = conversation;
  await conversation.run([user("hi")]);
  const resume = conversation.pending.map((interruptId) => ({
    interruptId,
    status: "resolved",
    payload: "yes",
  }));
  const answering = agent.runAgent({ resume } as RunAgentParameters, {
    onToolCallResultEvent: () => agent.abortRun(),
  });
  await answering;
  const cut = ["user hi", "assistant I am banker. +pay", "tool paid: yes"];
  expect(conversation.lines()).toEqual(cut);
  agent.pendingInterrupts = [];
  await conversation.run([user("again")]);
  expect(conversation.lines()).toEqual([...cut, "user again"]);
  expect(conversation.pending).toHaveLength(1);
  await conversation.answer();
  expect(conversation.lines()).toEqual([...cut, "user again", "assistant banker is done."]);
  expect(await conversation.stored()).toEqual(conversation.ids());
});
