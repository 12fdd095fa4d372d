import type { GraphClient } from "../../src/graphs/client";
import { createLocalClient, type RunnableGraph } from "../../src/graphs/local";
import type { LocalRunPayload } from "../../src/graphs/local-run-payload";
import { type DevServer, startDevServer } from "../support/dev-server";
import * as graphs from "../support/graphs";
import { comparable, comparableRows, comparableStates, rowsOf, serverClient } from "../support/home-rows";

const served: Record<string, RunnableGraph> = graphs;
type GraphName = keyof typeof graphs;

let server: DevServer;
let onServer: GraphClient;

beforeAll(async () => {
  // A server that is busy sends message rows late or not at all, unless its callbacks are awaited.
  server = await startDevServer({ env: { LANGCHAIN_CALLBACKS_BACKGROUND: "false" } });
  onServer = serverClient(server.url);
}, 60_000);

afterAll(() => server.stop());

function inProcess(name: GraphName): GraphClient {
  return createLocalClient(served[name] as RunnableGraph, { graphId: name });
}

const modes = ["events", "values", "updates", "messages-tuple", "tasks", "custom"];

function says(id: string, content: string) {
  return { messages: [{ type: "human", id, content, additional_kwargs: {}, response_metadata: {} }] };
}

const hello = says("h1", "Hi");
const configuration = { configurable: { tone: "kind" }, tags: ["t1"] };

async function runIn(client: GraphClient, name: GraphName, payloads: LocalRunPayload[]) {
  const { thread_id } = await client.threads.create({ graphId: name });
  const runs = [];
  for (const payload of payloads) {
    runs.push(
      await rowsOf(client, thread_id, name, { streamMode: modes, streamSubgraphs: true, ...payload }),
    );
  }
  const state = await client.threads.getState(thread_id, undefined, { subgraphs: true });
  const history = await client.threads.getHistory(thread_id);
  return { runs, state, history };
}

async function both(name: GraphName, payloads: LocalRunPayload[]) {
  const [remote, local] = await Promise.all([
    runIn(onServer, name, payloads),
    runIn(inProcess(name), name, payloads),
  ]);
  return { remote, local };
}

const plays: [string, GraphName, ...LocalRunPayload[]][] = [
  ["a streamed text", "chat", { input: hello }],
  ["two turns of one thread", "chat", { input: hello }, { input: says("h2", "Again") }],
  ["parallel tools, one of which fails", "tools", { input: hello }],
  ["reducers of the graph's own", "counter", { input: { ...hello, count: 5, log: ["start"] } }],
  ["messages that are only appended", "concatenating", { input: hello }],
  [
    "context, configuration and tags",
    "configured",
    { input: {}, context: { user: "Ada" }, config: configuration },
  ],
  ["no context", "configured", { input: {} }],
  ["custom events", "customEvents", { input: {} }],
  ["subgraphs", "nested", { input: hello }],
  ["subgraphs that are not streamed", "nested", { input: hello, streamSubgraphs: false }],
  ["an interrupt", "oneInterrupt", { input: {} }],
  ["an interrupt that is answered", "oneInterrupt", { input: {} }, { command: { resume: "yes" } }],
  ["two interrupts", "twoInterrupts", { input: {} }],
  [
    "an interrupt in a subgraph, answered with 0",
    "nestedInterrupt",
    { input: hello },
    { command: { resume: 0 } },
  ],
  [
    "a command that updates",
    "counter",
    { input: hello },
    { command: { update: { count: 2 }, goto: "second" } },
  ],
  ["a stop before a node", "chat", { input: hello, interruptBefore: ["speak"] }, { input: null }],
  ["an error with a code", "throws", { input: { how: "error" } }],
  ["a thrown object", "throws", { input: { how: "object" } }],
  ["an error in a subgraph", "nestedFailure", { input: hello }],
  ["a model that breaks in mid text", "breaksInText", { input: hello }],
];

describe("the same in this process and on a LangGraph server", () => {
  let played: Awaited<ReturnType<typeof both>>[];

  // A server's stream closes half a second after its last row: all at once is sooner than one by one.
  beforeAll(async () => {
    played = await Promise.all(plays.map(([, name, ...payloads]) => both(name, payloads)));
  }, 60_000);

  test.each(plays.map(([title], index) => [title, index] as const))("%s", (_, index) => {
    const { remote, local } = played[index] as (typeof played)[number];
    expect(local.runs.map(comparableRows)).toEqual(remote.runs.map(comparableRows));
    expect(comparableStates([local.state])).toEqual(comparableStates([remote.state]));
    expect(comparableStates(local.history)).toEqual(comparableStates(remote.history));
  });
});

describe("the last row of a run that fails", () => {
  async function lastRows(name: GraphName, payload: LocalRunPayload) {
    const { remote, local } = await both(name, [payload]);
    return { remote: remote.runs[0]?.at(-1), local: local.runs[0]?.at(-1) };
  }

  test("names LangGraph's recursion limit, with its code in this process", async () => {
    const { remote, local } = await lastRows("endless", { input: {}, config: { recursion_limit: 4 } });
    expect(comparable(local)).toEqual(comparable({ event: "error", data: remote?.data }));
    expect(local?.data).toMatchObject({ error: "GraphRecursionError", code: "GRAPH_RECURSION_LIMIT" });
    expect(remote?.data).toEqual({
      error: "GraphRecursionError",
      message: expect.stringContaining("limit of 4"),
    });
  });

  test("says in both homes that two nodes failed, and which in this process", async () => {
    const { remote, local } = await lastRows("throwsTwice", { input: {} });
    expect(comparable(local)).toEqual(comparable({ event: "error", data: remote?.data }));
    expect(local?.data).toMatchObject({
      error: "AggregateError",
      cause: { errors: [{ message: "left failed" }, { message: "right failed" }] },
    });
  });

  test("has a thrown string as it is, where a server quotes it", async () => {
    const { remote, local } = await lastRows("throws", { input: { how: "string" } });
    expect(local?.data).toEqual({ error: "Error", message: "a bare string", cause: "a bare string" });
    expect(remote?.data).toEqual({ error: "Error", message: '"a bare string"' });
  });

  test("has the code of the error that a node threw", async () => {
    const { local } = await lastRows("throws", { input: { how: "error" } });
    expect(local?.data).toMatchObject({
      error: "OrderError",
      message: "the order is refused",
      code: "E_ORDER",
    });
  });
});
