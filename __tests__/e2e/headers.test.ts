import type { AbstractAgent, Message } from "@ag-ui/client";
import { LangGraphAgent, type LangGraphAgentConfig } from "ag-ui-langgraph";
import { type DevServer, startDevServer } from "../support/dev-server";
import { play, user } from "../support/play";
import { type RecordingProxy, startRecordingProxy } from "../support/recording-proxy";

let server: DevServer;
let proxy: RecordingProxy;
beforeAll(async () => {
  server = await startDevServer();
  proxy = await startRecordingProxy(server.url);
}, 60_000);
afterAll(async () => {
  await proxy.close();
  await server.stop();
});

/** What must be told to the LangGraph server, and to nobody else. */
const secrets = (request: number) => ({
  authorization: `Bearer secret-${request}`,
  "x-trace": `trace-secret-${request}`,
});

let told: string[];
beforeEach(() => {
  told = [];
  proxy.requests.length = 0;
  for (const method of ["log", "info", "warn", "error", "debug"] as const)
    jest.spyOn(console, method).mockImplementation((...args) => void told.push(JSON.stringify(args)));
});

function agentFor(graphId: string, options: Partial<LangGraphAgentConfig> = {}) {
  const agent = new LangGraphAgent({
    deploymentUrl: proxy.url,
    graphId,
    threadId: crypto.randomUUID(),
    propertyHeaders: { "x-tenant": "acme" },
    ...options,
  });
  agent.subscribe({ onEvent: ({ event }) => void told.push(JSON.stringify(event)) });
  return agent;
}

let request = 0;

/** As CopilotKit's runtime makes an agent for each request: a clone that has the request's headers. */
function forRequest<Agent extends AbstractAgent>(agent: Agent): Agent & { headers: Record<string, string> } {
  proxy.requests.length = 0;
  const copy = agent.clone() as Agent & { headers: Record<string, string> };
  copy.headers = secrets(++request);
  return copy;
}

/** The ways of the requests that have come; each has the headers of the present request. */
function ways(): string[] {
  for (const { headers } of proxy.requests)
    expect(headers).toMatchObject({ ...secrets(request), "x-tenant": "acme" });
  return proxy.requests.map(({ route }) => route);
}

/** What the graph is told of the headers. */
const forwarded = () =>
  proxy.requests
    .filter(({ route }) => route.endsWith("/runs/stream"))
    .map(({ body }) => JSON.parse(body).config.configurable);
const onlyTrace = () => [{ copilotkit_forwarded_headers: { "x-trace": `trace-secret-${request}` } }];

function expectNothingTold() {
  expect(told.length).toBeGreaterThan(0);
  expect(told.filter((line) => line.includes("secret"))).toEqual([]);
}

describe("the headers of a request go with all that it asks of the server, and nowhere else", () => {
  it("when it starts a thread, looks it up, goes on, and starts again before a message", async () => {
    const agent = agentFor("echo");
    const first = forRequest(agent);
    await play(first, [user("one")]);
    expect(ways()).toEqual(
      expect.arrayContaining([
        "POST /assistants/search",
        "GET /assistants/:id/schemas",
        "GET /threads/:id",
        "POST /threads",
        "GET /threads/:id/state",
        "POST /threads/:id/runs/stream",
      ]),
    );
    expect(forwarded()).toEqual(onlyTrace());

    const second = forRequest(first);
    await play(second, [user("two")]);
    expect(ways()).toContain("POST /threads/:id/runs/stream");
    expect(forwarded()).toEqual(onlyTrace());

    const again = forRequest(second);
    const [one] = again.messages as [Message];
    again.setMessages([
      one,
      { id: "half-seen", role: "assistant", content: "re" },
      again.messages[2] as Message,
    ]);
    await play(again, []);
    expect(ways()).toContain("POST /threads/:id/history");
    expect(forwarded()).toEqual(onlyTrace());
    expectNothingTold();
  });

  it("when it answers an interrupt, and when it comes back to the thread", async () => {
    const agent = agentFor("asksOnce");
    const first = forRequest(agent);
    await play(first, [user("go")]);
    const answering = forRequest(first);
    await play(answering, [], { forwardedProps: { command: { resume: "yes" } } });
    expect(ways()).toContain("POST /threads/:id/runs/stream");
    expect(forwarded()).toEqual(onlyTrace());

    const back = forRequest(agent);
    await back.connectAgent();
    expect(ways()).toEqual(expect.arrayContaining(["GET /threads/:id/state", "GET /threads/:id/runs"]));
    expectNothingTold();
  });

  it("when it stores what was said while a tool asked", async () => {
    const agent = agentFor("asksInTool", { resumeWithUserMessage: true });
    const first = forRequest(agent);
    await play(first, [user("pay")]);
    const answering = forRequest(first);
    await play(answering, [user("yes")]);
    expect(ways()).toContain("POST /threads/:id/state");
    expectNothingTold();
  });

  it("when it joins a run that is going on, and when it stops one", async () => {
    const agent = agentFor("waits");
    const first = forRequest(agent);
    first.addMessage(user("hi"));
    let running: Promise<unknown> | undefined;
    await new Promise<void>((begun) => {
      running = first.runAgent({}, { onCustomEvent: () => begun() });
    });
    ways();

    const back = forRequest(agent);
    let following: Promise<unknown> | undefined;
    await new Promise<void>((joined) => {
      following = back.connectAgent({}, { onStateSnapshotEvent: () => joined() });
    });
    ways();
    back.abortRun();
    await Promise.all([following, running]);
    const ofThis = proxy.requests.filter(({ headers }) => headers["x-trace"] === secrets(request)["x-trace"]);
    expect(ofThis.map(({ route }) => route)).toEqual(
      expect.arrayContaining(["GET /threads/:id/runs/:id/stream", "POST /threads/:id/runs/:id/cancel"]),
    );
    expectNothingTold();
  });

  it("when the server refuses it", async () => {
    const agent = forRequest(agentFor("no-such-graph"));
    const { error } = await play(agent, [user("hi")]);
    expect(error?.message).toContain('No assistant found for graph "no-such-graph"');
    ways();
    expectNothingTold();
  });

  it("when everything of LangGraph's events is shown", async () => {
    const agent = forRequest(agentFor("echo", { rawEvents: "full" }));
    await play(agent, [user("one")]);
    ways();
    expectNothingTold();
  });
});

it("a headerFactory is asked at every request", async () => {
  let asked = 0;
  const agent = agentFor("echo", { headerFactory: () => ({ "x-request": String(++asked) }) });
  await play(agent, [user("one")]);
  const numbers = proxy.requests.map(({ headers }) => headers["x-request"]);
  expect(new Set(numbers).size).toBe(proxy.requests.length);
});
