import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { Client } from "@langchain/langgraph-sdk";
import { LangGraphAgent, type NodeError } from "ag-ui-langgraph";
import { type DevServer, startDevServer } from "../support/dev-server";
import { play, user } from "../support/play";

let devServer: DevServer;
let older: OlderServer;
beforeAll(async () => {
  devServer = await startDevServer();
  older = await startOlderServer(devServer.url);
}, 60_000);
afterAll(async () => {
  await older.close();
  await devServer.stop();
});

interface OlderServer {
  url: string;
  /** The modes that each run asked for. */
  asked: string[][];
  /** How it refuses what it does not know. */
  refusal: { status: number; body: object };
  close(): Promise<void>;
}

/** The dev server as it was before it knew the `tasks` mode. */
async function startOlderServer(target: string): Promise<OlderServer> {
  const asked: string[][] = [];
  const older = { asked, refusal: { status: 422, body: {} } } as unknown as OlderServer;
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request);
    // what nothing here depends on takes the dev server seconds
    if (request.url?.endsWith("/schemas")) return response.writeHead(404).end();
    if (request.url?.endsWith("/runs/stream")) {
      const { stream_mode } = JSON.parse(body) as { stream_mode: string[] };
      asked.push(stream_mode);
      if (stream_mode.includes("tasks")) {
        response.writeHead(older.refusal.status, { "content-type": "application/json" });
        return response.end(JSON.stringify(older.refusal.body));
      }
    }
    response.writeHead(307, { location: `${target}${request.url}` }).end();
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  older.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  older.close = () =>
    new Promise((closed) => {
      server.closeAllConnections();
      server.close(() => closed());
    });
  return older;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const part of request) body += part;
  return body;
}

function agentOn(url: string, graphId: string) {
  // Without the SDK's retries, which wait for seconds between tries.
  const client = new Client({ apiUrl: url, callerOptions: { maxRetries: 0 } });
  const threadId = crypto.randomUUID();
  return new LangGraphAgent({ client, deploymentUrl: url, graphId, threadId, logger: false });
}

const modes = ["events", "values", "updates", "messages-tuple", "custom"];
const recordsOf = (events: object[]) =>
  (events as { name?: string; value?: NodeError }[])
    .filter(({ name }) => name === "node_error")
    .map(({ value }) => value);

describe.each([
  [422, { detail: '"tasks" is not one of the stream modes' }],
  [400, { success: false, error: { issues: [{ path: ["stream_mode", 5], code: "invalid_enum_value" }] } }],
])("a server that answers %p to a mode that it does not know", (status, body) => {
  beforeEach(() => {
    older.asked.length = 0;
    older.refusal = { status, body };
  });

  it("runs without it, from the second run on at once, also for clones of the agent", async () => {
    const agent = agentOn(older.url, "chat");
    const first = await play(agent, [user("one")]);
    const second = await play(agent.clone(), [user("two")]);
    expect(older.asked).toEqual([[...modes, "tasks"], modes, modes]);
    expect([first.error, second.error]).toEqual([undefined, undefined]);
    expect(first.messages.map(({ content }) => content)).toEqual(["one", "Hello world"]);
  });

  it("records the outermost node of a failure: callbacks tell that it did not come to its end", async () => {
    const { events, error } = await play(agentOn(older.url, "failsThreeDeep"), [user("hi")]);
    expect(error?.message).toBe("the order is refused");
    expect(recordsOf(events)).toEqual([
      {
        node: "outer",
        path: ["outer"],
        errorType: "RefusedError",
        errorMessage: "the order is refused",
        errorCode: "UNKNOWN_ERROR",
        attemptCount: 1,
      },
    ]);
  });
});

it("a request that is refused for another reason is refused with that reason, and not asked again for good", async () => {
  older.asked.length = 0;
  older.refusal = { status: 422, body: { detail: "Thread is already running a task." } };
  const agent = agentOn(older.url, "chat");
  const { error } = await play(agent, [user("hi")]);
  expect(error).toEqual({
    code: "HTTP_422",
    message: "The LangGraph deployment answered 422: Thread is already running a task.",
  });
  expect(older.asked).toEqual([[...modes, "tasks"]]);
});

it("what the application asks for is asked for as it is", async () => {
  older.asked.length = 0;
  const forwardedProps = { streamMode: ["values", "events"] };
  const { error } = await play(agentOn(older.url, "chat"), [user("hi")], { forwardedProps });
  expect(error).toBeUndefined();
  expect(older.asked).toEqual([["values", "events"]]);
});
