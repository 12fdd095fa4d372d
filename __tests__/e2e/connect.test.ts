import { EventType } from "@ag-ui/client";
import { LangGraphAgent } from "ag-ui-langgraph";
import { type DevServer, startDevServer } from "../support/dev-server";
import { chat, oneInterrupt, takesItsTime } from "../support/graphs";
import { play, user } from "../support/play";

let server: DevServer;
beforeAll(async () => {
  server = await startDevServer();
});
afterAll(() => server.stop());

const graphs = { chat, oneInterrupt, takesItsTime };

describe.each([
  ["in process", (graphId: keyof typeof graphs) => ({ graph: graphs[graphId] })],
  ["on a server", (graphId: keyof typeof graphs) => ({ deploymentUrl: server.url, graphId })],
])("coming back to a thread %s", (_home, home) => {
  const agentFor = (graph: keyof typeof graphs, threadId: string) =>
    new LangGraphAgent({ ...home(graph), threadId });

  async function comeBack(graph: keyof typeof graphs, threadId: string) {
    const agent = agentFor(graph, threadId);
    const types: string[] = [];
    const custom: unknown[] = [];
    await agent.connectAgent(
      {},
      {
        onEvent: ({ event }) => void (event.type === EventType.RAW || types.push(event.type)),
        onCustomEvent: ({ event }) => void custom.push(event.value),
      },
    );
    return { messages: agent.messages, state: agent.state, types, custom };
  }

  it("gives its history and its state", async () => {
    const threadId = crypto.randomUUID();
    const { messages, state } = await play(agentFor("chat", threadId), [user("hi")]);
    const back = await comeBack("chat", threadId);
    expect(back.messages).toEqual(messages);
    expect(back.state).toEqual(state);
    expect(back.types).toEqual(["RUN_STARTED", "STATE_SNAPSHOT", "MESSAGES_SNAPSHOT", "RUN_FINISHED"]);
  });

  it("that does not exist gives an empty history", async () => {
    const back = await comeBack("chat", crypto.randomUUID());
    expect(back.messages).toEqual([]);
    expect(back.types).toEqual(["RUN_STARTED", "STATE_SNAPSHOT", "MESSAGES_SNAPSHOT", "RUN_FINISHED"]);
  });

  it("shows the interrupt that waits for an answer", async () => {
    const threadId = crypto.randomUUID();
    await play(agentFor("oneInterrupt", threadId), [user("hi")]);
    expect((await comeBack("oneInterrupt", threadId)).custom).toEqual(['{"question":"Go on?"}']);
  });

  it("follows the run that is still going on to its end", async () => {
    const threadId = crypto.randomUUID();
    const first = agentFor("takesItsTime", threadId);
    let started = () => {};
    const isStarted = new Promise<void>((resolve) => {
      started = resolve;
    });
    first.addMessage(user("hi"));
    const running = first.runAgent({}, { onCustomEvent: () => started() });
    await isStarted;
    const back = await comeBack("takesItsTime", threadId);
    await running;
    expect(back.messages.map(({ content }) => content)).toEqual(["hi", "done at last"]);
    expect(back.types.at(-1)).toBe(EventType.RUN_FINISHED);
  });
});
