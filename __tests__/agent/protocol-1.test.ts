import { EventType } from "@ag-ui/client";
import { MemorySaver, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { LangGraphAgent } from "ag-ui-langgraph";
import { expectAccepted, protocol1 } from "../support/fold";
import { forgetful, supervisor } from "../support/graphs";
import { MAY_LOSE_PRIVATE, ofType, play, user } from "../support/play";
import { type ChunkFields, ScriptedModel } from "../support/scripted-model";

type Ended = Record<string, unknown> | undefined;

const usage = { input_tokens: 3, output_tokens: 2, total_tokens: 5 };
const calls = (...names: string[]): ChunkFields => ({
  content: "",
  usage_metadata: usage,
  tool_call_chunks: names.map((name, index) => ({
    type: "tool_call_chunk",
    index,
    id: `call-${name}`,
    name,
    args: "{}",
  })),
});

function speaking(...chunks: (ChunkFields | Error)[]) {
  const model = new ScriptedModel(() => ({ chunks }));
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("speak", async ({ messages }) => ({ messages: [await model.invoke(messages)] }))
    .addEdge(START, "speak")
    .compile({ checkpointer: new MemorySaver() });
  return new LangGraphAgent({ graph, threadId: crypto.randomUUID() });
}

const clientTool = (name: string) => ({ name, description: "A tool of the client", parameters: {} });

it("answers a client that says its version with its own", async () => {
  const played = await play(speaking({ content: "Hi" }), [user("hi")]);
  const [started] = ofType(played, EventType.RUN_STARTED) as Ended[];
  expect(started?.protocolVersion).toBe(protocol1 ? "1.0" : undefined);
});

it("names the calls that it leaves to the client, in their order", async () => {
  const agent = speaking(calls("second", "lost", "first"));
  const played = await play(agent, [user("hi")], { tools: [clientTool("first"), clientTool("second")] });
  expectAccepted(played.events as never);
  const [finished] = ofType(played, EventType.RUN_FINISHED) as Ended[];
  expect(finished?.outcome).toEqual(
    protocol1 ? { type: "success", pendingToolCallIds: ["call-second", "call-first"] } : undefined,
  );
});

it("names none where all calls have their results", async () => {
  const agent = new LangGraphAgent({ graph: supervisor as never, threadId: crypto.randomUUID() });
  const played = await play(agent, [user("hi")], { tools: [clientTool("research")] }, MAY_LOSE_PRIVATE);
  const [finished] = ofType(played, EventType.RUN_FINISHED) as Ended[];
  expect(finished).toBeDefined();
  expect(finished).not.toHaveProperty("outcome");
});

it("tells the tokens that a failed run has used", async () => {
  const played = await play(speaking({ content: "I was", usage_metadata: usage }, new Error("it broke")), [
    user("hi"),
  ]);
  expectAccepted(played.events as never);
  const [failed] = ofType(played, EventType.RUN_ERROR) as Ended[];
  expect(failed?.message).toBe("it broke");
  const used = [expect.objectContaining({ inputTokens: 3, outputTokens: 2 })];
  expect(failed?.usage).toEqual(protocol1 ? used : undefined);
});

describe("capabilities", () => {
  it("are those of the official adapter, and the agent's name", async () => {
    const agent = new LangGraphAgent({ deploymentUrl: "http://localhost", graphId: "chat" });
    expect(await agent.getCapabilities()).toEqual({
      identity: { type: "langgraph", name: "chat" },
      humanInTheLoop: { supported: true, interrupts: true, approveWithEdits: true },
      state: { snapshots: true, deltas: false, persistentState: true },
      transport: { streaming: true },
    });
  });

  it("say what the configuration and the graph make of it", async () => {
    const agent = new LangGraphAgent({ graph: forgetful, agentName: "guide", stateUpdates: "delta" });
    expect(await agent.getCapabilities()).toMatchObject({
      identity: { name: "guide" },
      state: { deltas: true, persistentState: false },
    });
  });
});
