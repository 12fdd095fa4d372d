import { EventType } from "@ag-ui/client";
import { Client } from "@langchain/langgraph-sdk";
import { LangGraphAgent } from "ag-ui-langgraph";
import {
  type Answer,
  type BrokenDeployment,
  brokenStream,
  json,
  shortStream,
  startBrokenDeployment,
} from "../support/broken-deployment";
import { play, user } from "../support/play";

const deployments: BrokenDeployment[] = [];
afterEach(() => Promise.all(deployments.splice(0).map((deployment) => deployment.close())));

async function agentOn(answers: Record<string, Answer>) {
  const deployment = await startBrokenDeployment(answers);
  deployments.push(deployment);
  // Without the SDK's retries, which wait for seconds between tries.
  const client = new Client({
    apiUrl: deployment.url,
    apiKey: "secret-key",
    callerOptions: { maxRetries: 0 },
  });
  const agent = new LangGraphAgent({
    client,
    deploymentUrl: deployment.url,
    graphId: "graph",
    threadId: "thread",
  });
  return { agent, requests: deployment.requests };
}

const stream = "POST /threads/thread/runs/stream";

describe.each([401, 403, 404, 500])("a deployment that answers %p", (status) => {
  it.each([
    ["to the assistant's look-up", "POST /assistants/search"],
    ["to the thread's state", "GET /threads/thread/state"],
    ["to the run", stream],
  ])("%s ends the run with its cause, and loses nothing", async (_where, route) => {
    if (status === 404 && route.endsWith("/state")) return;
    const { agent } = await agentOn({ [route]: json({ detail: "no entry" }, status) });
    const { events, error, messages } = await play(agent, [user("hi")]);
    expect(events.map(({ type }) => type)).toEqual([EventType.RUN_STARTED, EventType.RUN_ERROR]);
    expect(error).toEqual({
      code: `HTTP_${status}`,
      message: `The LangGraph deployment answered ${status}: no entry`,
    });
    expect(JSON.stringify(events)).not.toContain("secret-key");
    expect(messages).toEqual([user("hi")]);
  });

  it("creates a thread only on 404", async () => {
    const { agent, requests } = await agentOn({
      "GET /threads/thread": json({ detail: "no entry" }, status),
      "POST /threads": json({ thread_id: "thread" }),
      [stream]: brokenStream([]),
    });
    await play(agent, [user("hi")]);
    expect(requests.includes("POST /threads")).toBe(status === 404);
  });
});

it("names the graph that no assistant was found for", async () => {
  const { agent } = await agentOn({ "POST /assistants/search": json([]) });
  expect((await play(agent, [user("hi")])).error?.message).toContain('No assistant found for graph "graph"');
});

it("tells a deployment that nobody listens at", async () => {
  const { agent, requests } = await agentOn({});
  await deployments.splice(0)[0]?.close();
  const { events, error } = await play(agent, [user("hi")]);
  expect(requests).toEqual([]);
  expect(events.map(({ type }) => type)).toEqual([EventType.RUN_STARTED, EventType.RUN_ERROR]);
  expect(error).toMatchObject({ code: "UNREACHABLE" });
});

it("closes what is open when the stream breaks in the middle, and the next run works", async () => {
  const chunk = { type: "AIMessageChunk", id: "said", content: "half a", tool_call_chunks: [] };
  const rows = [
    { event: "metadata", data: { run_id: "server-run" } },
    { event: "messages", data: [chunk, { langgraph_node: "speak", langgraph_checkpoint_ns: "speak:1" }] },
  ];
  const { agent } = await agentOn({ [stream]: brokenStream(rows) });
  for (let turn = 0; turn < 2; turn++) {
    const { events, error } = await play(agent, [user(`turn ${turn}`)]);
    expect(events.map(({ type }) => type).filter((type) => type !== EventType.RAW)).toEqual([
      EventType.RUN_STARTED,
      EventType.STEP_STARTED,
      EventType.TEXT_MESSAGE_START,
      EventType.TEXT_MESSAGE_CONTENT,
      EventType.TEXT_MESSAGE_END,
      EventType.STEP_FINISHED,
      EventType.RUN_ERROR,
    ]);
    expect(error).toMatchObject({ code: "STREAM_BROKEN" });
  }
});

describe("a deployment that does not answer", () => {
  const never: Answer = () => {};

  it.each([
    ["the thread's state", "GET /threads/thread/state"],
    ["the run", stream],
  ])("%s: abortRun ends the run at once", async (_what, route) => {
    let asked = () => {};
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const { agent } = await agentOn({
      [route]: (...args) => {
        asked();
        never(...args);
      },
    });
    const running = play(agent, [user("hi")]);
    await isAsked;
    agent.abortRun();
    expect((await running).events.at(-1)?.type).toBe(EventType.RUN_FINISHED);
  });

  it("cancels the run on the server as soon as its id is known", async () => {
    let open = () => {};
    let cancelled = () => {};
    const isCancelled = new Promise<void>((resolve) => {
      cancelled = resolve;
    });
    let asked = () => {};
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const { agent } = await agentOn({
      [stream]: (_request, response) => {
        open = () => {
          response.writeHead(200, {
            "content-type": "text/event-stream",
            "content-location": "/threads/thread/runs/server-run",
          });
          response.write('event: metadata\ndata: {"run_id":"server-run"}\n\n');
        };
        asked();
      },
      "POST /threads/thread/runs/server-run/cancel": (request, response) => {
        json({})(request, response);
        cancelled();
      },
    });
    const running = play(agent, [user("hi")]);
    await isAsked;
    agent.abortRun();
    await running;
    open();
    await isCancelled;
  });
});

describe("a stream that ends before its run", () => {
  const ending = (status: string, error: unknown = null) => ({
    [stream]: shortStream([{ event: "metadata", data: { run_id: "server-run" } }]),
    "GET /threads/thread/runs/server-run": json({ run_id: "server-run", status }),
    "GET /threads/thread/state": json({
      values: { messages: [] },
      next: ["book"],
      tasks: [{ id: "1", name: "book", error, interrupts: [] }],
      checkpoint: {},
    }),
  });

  it("has not finished where the run goes on", async () => {
    const { agent } = await agentOn(ending("running"));
    const { events, error } = await play(agent, [user("hi")]);
    expect(error).toEqual({
      code: "STREAM_BROKEN",
      message: "The stream of the LangGraph deployment broke off",
    });
    expect(events.at(-1)?.type).toBe(EventType.RUN_ERROR);
  });

  it("has failed of what the thread holds where the run has failed", async () => {
    const failed = JSON.stringify({ name: "RefusedError", message: "no table" });
    const { agent } = await agentOn(ending("error", failed));
    const { events, error } = await play(agent, [user("hi")]);
    expect(error).toEqual({ message: "no table" });
    expect(events.at(-2)).toMatchObject({ name: "node_error", value: { path: ["book"] } });
  });

  it("has finished where the graph stops before a node that it is to stop before", async () => {
    const { agent } = await agentOn(ending("success"));
    const { events } = await play(agent, [user("hi")], {}, { differs: "its thread is empty" });
    expect(events.at(-1)?.type).toBe(EventType.RUN_FINISHED);
  });
});

it("a run ends also where what an application overrides throws at its end", async () => {
  class Throwing extends LangGraphAgent {
    override dispatchEvent(): boolean {
      throw new Error("no events today");
    }
  }
  const { agent } = await agentOn({});
  const { events } = await play(new Throwing({ ...agent.config, threadId: "thread" }), [user("hi")]);
  expect(events).toMatchObject([{ type: EventType.RUN_ERROR, message: "no events today" }]);
});
