import type { Message } from "@ag-ui/client";
import { LangGraphAgent } from "ag-ui-langgraph";
import { type DevServer, startDevServer } from "../support/dev-server";
import { echo } from "../support/graphs";
import { play, user } from "../support/play";

let server: DevServer;
beforeAll(async () => {
  server = await startDevServer();
});
afterAll(() => server.stop());

const texts = (messages: Message[]) => messages.map(({ content }) => content);

describe.each([
  ["in process", (threadId: string) => new LangGraphAgent({ graph: echo, threadId })],
  [
    "on a server",
    (threadId: string) => new LangGraphAgent({ deploymentUrl: server.url, graphId: "echo", threadId }),
  ],
])("%s", (_home, agentFor) => {
  it("an edit of an early message of a long thread starts again before it, and the thread goes on from there", async () => {
    const agent = agentFor(crypto.randomUUID());
    for (let turn = 0; turn < 9; turn++) await play(agent, [user(`${turn}`)]);
    expect(agent.messages).toHaveLength(18);
    agent.setMessages([...agent.messages.slice(0, 2), user("edited", "user-1")]);
    expect(texts((await play(agent, [])).messages)).toEqual(["0", "re: 0", "edited", "re: edited"]);
    expect(texts((await play(agent, [user("next")])).messages)).toEqual([
      "0",
      "re: 0",
      "edited",
      "re: edited",
      "next",
      "re: next",
    ]);
    expect(texts((await play(agent, [user("last")])).messages)).toHaveLength(8);
  });

  it("an edit keeps what came to the thread together with the message", async () => {
    const agent = agentFor(crypto.randomUUID());
    const greeting: Message = { id: "greeting", role: "assistant", content: "Hello Ada." };
    await play(agent, [user("I am Ada"), greeting, user("who?")]);
    agent.setMessages([...agent.messages.slice(0, 2), user("who am I?", "user-who?")]);
    const whole = ["I am Ada", "Hello Ada.", "who am I?", "re: who am I?"];
    expect(texts((await play(agent, [])).messages)).toEqual(whole);
    expect(texts((await play(agent, [user("next")])).messages)).toEqual([...whole, "next", "re: next"]);
  });
});
