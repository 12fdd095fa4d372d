import { type CustomEvent, EventType } from "@ag-ui/client";
import { LangGraphAgent, type LangGraphAgentOptions, type NodeError } from "ag-ui-langgraph";
import { type DevServer, startDevServer } from "../support/dev-server";
import { protocol1 } from "../support/fold";
import * as graphs from "../support/graphs";
import { ofType, type Played, play, user } from "../support/play";

type GraphName = keyof typeof graphs;

let server: DevServer;
beforeAll(async () => {
  server = await startDevServer();
}, 60_000);
afterAll(() => server.stop());

const byName = new Map(Object.entries(graphs));
const inProcess = (name: GraphName, options: LangGraphAgentOptions, threadId: string) => {
  const graph = byName.get(name);
  if (!graph) throw new Error(`there is no graph ${name}`);
  return new LangGraphAgent({ graph, threadId, ...options });
};
/** A server takes seconds to tell the schema of each graph, which nothing here depends on. */
class AgentWithoutSchemas extends LangGraphAgent {
  override async getSchemaKeys() {
    return null;
  }
}

const onServer = (graphId: GraphName, options: LangGraphAgentOptions, threadId: string) =>
  new AgentWithoutSchemas({ deploymentUrl: server.url, graphId, threadId, ...options });

const records = (played: Played, name = "node_error") =>
  (ofType(played, EventType.CUSTOM) as CustomEvent[]).filter((event) => event.name === name);
const values = (played: Played, name?: string): NodeError[] =>
  records(played, name).map(({ value }) => value);

const refused = {
  errorType: "RefusedError",
  errorMessage: "the order is refused",
  errorCode: "E_REFUSED",
  attemptCount: 1,
};
const tooFar = {
  errorType: "RangeError",
  errorMessage: "too far",
  errorCode: "UNKNOWN_ERROR",
  attemptCount: 1,
};
const at = (...path: string[]) => ({ node: path.at(-1), path });

/** What the records of a run of a graph are; a server sends no codes. */
const expected: [what: string, graph: GraphName, records: object[]][] = [
  [
    "a node three subgraphs deep",
    "failsThreeDeep",
    [{ ...at("outer", "middle", "inner", "leaf"), ...refused }],
  ],
  [
    "a node that was tried three times, the last time that the one around it was tried",
    "failsAgain",
    [{ ...at("outer", "leaf"), ...refused, attemptCount: 3 }],
  ],
  ["one of many subgraphs side by side", "failsAmongMany", [{ ...at("worker", "leaf"), ...refused }]],
  ["a task of an entrypoint", "failsInTask", [{ ...at("outer", "flow", "charge"), ...refused }]],
  ["a node that runs a graph and fails by itself", "failsOuter", [{ ...at("outer"), ...tooFar }]],
  ["a graph that a node's function runs", "failsInFunction", [{ ...at("outer", "leaf"), ...refused }]],
  ["the same path twice, once", "failsOnThirdCall", [{ ...at("outer", "leaf"), ...refused }]],
  [
    "a node that caught a failure and fails of something else",
    "failsAfterCatching",
    [{ ...at("outer"), ...tooFar }],
  ],
  [
    "a failure that a node passes on in its own words",
    "failsInOtherWords",
    [{ ...at("outer", "leaf"), ...refused }],
  ],
  ["no failure that an outer retry healed", "healsInOuterRetry", []],
  [
    "no failure that an outer retry healed before another node failed of the same",
    "failsElsewhereAgain",
    [{ ...at("outer", "second"), ...tooFar, errorType: "Error", errorMessage: "no connection" }],
  ],
  ["no failure that a node caught", "catchesFailure", []],
  [
    "no failure that was handled before another node failed",
    "handlesFailure",
    [{ ...at("later"), ...tooFar }],
  ],
  ["no node that left with a command to the graph around it", "handsOver", [{ ...at("later"), ...tooFar }]],
  [
    "two nodes that fail side by side",
    "failsTwice",
    [
      { ...at("left"), ...refused },
      { ...at("right"), ...tooFar },
    ],
  ],
  [
    "two subgraphs that fail side by side",
    "failsTwiceDeep",
    [
      { ...at("left", "leaf"), ...refused },
      { ...at("right", "leaf"), ...tooFar },
    ],
  ],
  [
    "two nodes of a subgraph that fail side by side",
    "failsTwiceWithin",
    [
      { ...at("outer", "left"), ...refused },
      { ...at("outer", "right"), ...tooFar },
    ],
  ],
  ["no node that was cancelled because another failed", "cancelsSibling", [{ ...at("bad"), ...refused }]],
  ["the node whose router fails", "failsInRouter", [{ ...at("first"), ...refused, errorMessage: "no way" }]],
  ["no node where the graph fails before its first one", "failsBeforeNodes", []],
  [
    "a node that takes too long",
    "timesOut",
    [
      {
        ...at("slow"),
        ...tooFar,
        errorType: "NodeTimeoutError",
        errorMessage: expect.stringMatching(/timeout of 50ms/),
      },
    ],
  ],
  [
    "a node whose subgraph takes too long",
    "timesOutAround",
    [
      {
        ...at("outer"),
        ...tooFar,
        errorType: "NodeTimeoutError",
        errorMessage: expect.stringMatching(/timeout of 50ms/),
      },
    ],
  ],
  [
    "a graph that a tool runs, and the call that has no result",
    "failsInTool",
    [{ ...at("run_tools", "leaf"), ...refused, toolCallIds: ["call_1"] }],
  ],
  ["no failure that a tool node answered for", "failsInHandledTool", []],
  [
    "the node whose graph goes round for ever",
    "endlessWithin",
    [
      {
        ...at("outer"),
        errorType: "GraphRecursionError",
        errorMessage: expect.stringContaining("Recursion limit of 25"),
        errorCode: "GRAPH_RECURSION_LIMIT",
        attemptCount: 1,
      },
    ],
  ],
  ["no node where the run's own graph goes round for ever", "endless", []],
];

const odd: [how: string, errorType: string, errorMessage: string | RegExp][] = [
  ["text", "Error", "a bare text"],
  ["nothing", "TypeError", /undefined/],
  ["null", "TypeError", /null/],
  ["object", "Error", "The graph threw an object without a message"],
  ["message only", "Error", "only a message"],
  ["number", "Error", "7"],
  ["cyclic", "Error", "cyclic"],
  ["trapped", "Error", "a trap"],
  ["frozen", "RefusedError", "frozen"],
  ["proxy", "Error", "a trap"],
  ["huge", "Error", /^x{2000}…$/],
  ["stack", "Error", "in short"],
];

describe.each([
  ["in process", inProcess],
  ["on a server", onServer],
] as const)("%s", (_home, agentFor) => {
  const agent = (graph: GraphName, options: LangGraphAgentOptions = {}) =>
    agentFor(graph, { logger: false, ...options }, crypto.randomUUID());
  const told = (record: object) =>
    agentFor === inProcess ? record : { ...record, errorCode: "UNKNOWN_ERROR" };

  /** All at once: on a server each run takes its time to end. */
  let played: Map<string, Played>;
  const playOne = async (key: string, graph: GraphName, state: object = {}): Promise<[string, Played]> => {
    const one = agent(graph);
    one.setState(state);
    return [key, await play(one, [user("hi")])];
  };
  beforeAll(async () => {
    const runs = expected.map(([what, graph]) => playOne(what, graph));
    const oddRuns = odd.map(([how]) => playOne(how, "throwsOddly", { how }));
    played = new Map(await Promise.all([...runs, ...oddRuns]));
  }, 60_000);
  const runOf = (key: string): Played => {
    const found = played.get(key);
    if (!found) throw new Error(`${key} was not played`);
    return found;
  };

  it.each(expected)("records %s", (what, _graph, expectedRecords) => {
    const run = runOf(what);
    expect(values(run)).toEqual(expectedRecords.map(told));
    const names = run.events.map((event) => (event as CustomEvent).name ?? event.type);
    if (expectedRecords.length > 0) expect(names.at(-1)).toBe(EventType.RUN_ERROR);
    // a subgraph is told to have failed after the record that says of what
    const ended = names.indexOf(EventType.SUBAGENT_ERROR);
    if (ended !== -1 && expectedRecords.length > 0) expect(names.indexOf("node_error")).toBeLessThan(ended);
  });

  it.each(odd)("records what can be said where a node throws %s", (how, errorType, errorMessage) => {
    const run = runOf(how);
    const message = typeof errorMessage === "string" ? errorMessage : expect.stringMatching(errorMessage);
    expect(values(run)).toMatchObject([{ ...at("odd"), errorType, errorMessage: message }]);
    expect(run.error?.message).toEqual(message);
    expect(JSON.stringify(run.events)).not.toMatch(/host\/path|secret state/);
  });

  it("says in RUN_ERROR what the first of several failures was", async () => {
    const { error } = await play(agent("failsTwice"), [user("hi")]);
    expect(error?.message).toBe("the order is refused");
    expect(error?.code).toBe(agentFor === inProcess ? "E_REFUSED" : undefined);
  });

  it("records an error object that two runs throw in both", async () => {
    const runs = [agent("throwsSameError"), agent("throwsSameError")];
    const played = await Promise.all(runs.map((run) => play(run, [user("hi")])));
    const record = told({ ...at("check"), ...refused, errorMessage: "the same object" });
    expect(played.map((run) => values(run))).toEqual([[record], [record]]);
  });

  it("records nothing of a run that its client stops", async () => {
    const waiting = agent("waitsForStop");
    const events: { type: string; name?: string }[] = [];
    await waiting.runAgent(
      { runId: "stopped" },
      {
        onEvent: ({ event }) => void events.push(event),
        onCustomEvent: ({ event }) => void (event.name === "custom" && waiting.abortRun()),
      },
    );
    expect(events.at(-1)?.type).toBe(EventType.RUN_FINISHED);
    expect(events.filter(({ name }) => name === "node_error")).toEqual([]);
  });

  it("records nothing of a run that somebody else stops", async () => {
    const waiting = agent("waitsForStop");
    const events: { type: string; name?: string }[] = [];
    const stop = async () => {
      const [run] = await waiting.client.runs.list(waiting.threadId, { status: "running" });
      await waiting.client.runs.cancel(waiting.threadId, run?.run_id ?? "", false, "rollback");
    };
    let stopped: Promise<void> | undefined;
    await waiting.runAgent(
      { runId: "stopped" },
      {
        onEvent: ({ event }) => void events.push(event),
        onCustomEvent: ({ event }) => {
          if (event.name === "custom") stopped = stop();
        },
      },
    );
    await stopped;
    expect(events.filter(({ name }) => name === "node_error")).toEqual([]);
  });

  it("reports attempts that are made again where it is asked to", async () => {
    const silent = await play(agent("failsAgain"), [user("hi")]);
    expect(records(silent, "node_retry")).toEqual([]);
    const retries = values(
      await play(agent("failsAgain", { nodeRetries: true }), [user("hi")]),
      "node_retry",
    );
    const outer = { ...at("outer"), ...refused, attemptCount: 2 };
    // why an attempt of a node itself failed, no server tells
    const unsaid = { errorType: "Error", errorMessage: expect.stringMatching(/does not say/) };
    const leaf = { ...at("outer", "leaf"), ...refused, ...(agentFor === onServer && unsaid) };
    const twice = [2, 3].map((attemptCount) => ({ ...leaf, attemptCount }));
    expect(retries).toEqual([...twice, outer, ...twice].map(told));
    const healed = await play(agent("healsInOuterRetry", { nodeRetries: true }), [user("hi")]);
    expect(values(healed, "node_retry")).toEqual([told({ ...outer, errorMessage: "not yet" })]);
    expect(healed.error).toBeUndefined();
  });

  it("names the node that runs a hidden subgraph, not what is in it", async () => {
    const played = await play(agent("failsThreeDeep", { hideSubgraphs: ["middle"] }), [user("hi")]);
    expect(values(played)).toEqual([told({ ...at("outer", "middle"), ...refused })]);
  });

  it("records the outermost node where the application does not stream subgraphs", async () => {
    const forwardedProps = { streamSubgraphs: false };
    const played = await play(agent("failsThreeDeep"), [user("hi")], { forwardedProps });
    expect(values(played)).toEqual([told({ ...at("outer"), ...refused })]);
  });

  it("asks for no mode that the application did not ask for", async () => {
    const forwardedProps = { streamMode: ["values", "updates"] };
    const played = await play(agent("failsThreeDeep"), [user("hi")], { forwardedProps });
    expect(played.error?.message).toBe("the order is refused");
    expect(records(played)).toEqual([]);
  });

  it("sends nothing of what a node was given, in RAW events neither", async () => {
    const secret = "what nobody is to read";
    const failing = agent("failsThreeDeep");
    failing.setState({ how: secret });
    const { events } = await play(failing, [user("hi")]);
    const others = events.filter(({ type }) => type !== EventType.STATE_SNAPSHOT);
    expect(JSON.stringify(others)).not.toContain(secret);
  });

  it("sends no RAW event more than without the mode that tells of failures", async () => {
    const rawOf = async (parameters: object) => {
      const { events } = await play(agent("failsThreeDeep"), [user("hi")], parameters);
      const raw = events.filter(({ type }) => type === EventType.RAW) as { event?: { event?: string } }[];
      return raw.map(({ event }) => event?.event);
    };
    const streamMode = ["events", "values", "updates", "messages-tuple", "custom"];
    expect(await rawOf({})).toEqual(await rawOf({ forwardedProps: { streamMode } }));
  });

  it("goes on after the failure, and shows its record to who connects before that", async () => {
    const failing = agent("failsOnDemand");
    const { events } = await play(failing, [user("fail")]);
    expect(events.at(-1)?.type).toBe(EventType.RUN_ERROR);
    const connected: { type: string; name?: string; value?: unknown }[] = [];
    const collect = { onEvent: ({ event }: { event: object }) => void connected.push(event as never) };
    await failing.connectAgent({ runId: "connected" }, collect);
    const { attemptCount: _, ...stored } = { ...at("outer"), ...refused, errorMessage: "as you say" };
    const shown = connected.filter(({ name }) => name === "node_error").map(({ value }) => value);
    // the checkpoint keeps no code in either home
    expect(shown).toEqual([{ ...stored, errorCode: "UNKNOWN_ERROR" }]);
    expect(connected.at(-1)?.type).toBe(EventType.RUN_FINISHED);

    const next = await play(failing, [user("go on")]);
    expect(next.error).toBeUndefined();
    expect(next.messages.map(({ content }) => content)).toEqual(["fail", "go on", "done"]);
    connected.length = 0;
    await failing.connectAgent({ runId: "connected-again" }, collect);
    expect(connected.filter(({ name }) => name === "node_error")).toEqual([]);
  });

  const subagents = protocol1 ? describe : describe.skip;
  subagents("for clients of protocol 1.0", () => {
    interface Attributed {
      type: string;
      subagentRunId?: string;
      name?: string;
      message?: string;
    }
    const attributed = (played: Played, type: string) =>
      (played.events as Attributed[])
        .filter((event) => event.type === type && event.subagentRunId !== undefined)
        .map(({ subagentRunId = "", message }) => [subagentRunId.replace(/:[^|]*/g, ""), message]);

    it("a failed subgraph ends in SUBAGENT_ERROR with what it failed of, behind the record that names it", async () => {
      const played = await play(agent("failsTwiceDeep"), [user("hi")]);
      expect(attributed(played, EventType.SUBAGENT_ERROR)).toEqual([
        ["left", "the order is refused"],
        ["right", "too far"],
      ]);
      const ids = (played.events as Attributed[])
        .filter(({ type, name }) => type === EventType.SUBAGENT_ERROR || name === "node_error")
        .map(({ subagentRunId }) => subagentRunId);
      expect(ids.slice(0, 2)).toEqual(ids.slice(2));
    });

    it("tells no more of a thrown object than its message, where a subgraph ends neither", async () => {
      const throwing = agent("throwsOddlyWithin");
      throwing.setState({ how: "object" });
      const { events } = await play(throwing, [user("hi")]);
      expect(events.filter(({ type }) => type === EventType.SUBAGENT_ERROR)).toMatchObject([
        { message: "The graph threw an object without a message" },
      ]);
      expect(JSON.stringify(events)).not.toContain("secret state");
    });

    it("a subgraph that hands over has not failed", async () => {
      const handing = agent("handsOver");
      handing.setState({ how: "finish" });
      const played = await play(handing, [user("hi")]);
      expect(attributed(played, EventType.SUBAGENT_FINISHED)).toEqual([["team", undefined]]);
      expect(attributed(played, EventType.SUBAGENT_ERROR)).toEqual([]);
    });

    it("a subgraph whose failure was caught or healed has failed all the same", async () => {
      const caught = await play(agent("catchesFailure"), [user("hi")]);
      expect(attributed(caught, EventType.SUBAGENT_ERROR)).toEqual([["outer", "the order is refused"]]);
      expect(caught.events.at(-1)?.type).toBe(EventType.RUN_FINISHED);
      const healed = await play(agent("healsInOuterRetry"), [user("hi")]);
      expect(attributed(healed, EventType.SUBAGENT_ERROR)).toEqual([["outer", "not yet"]]);
      expect(attributed(healed, EventType.SUBAGENT_FINISHED)).toHaveLength(1);
    });
  });
});
