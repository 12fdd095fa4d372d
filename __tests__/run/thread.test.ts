import { AIMessage } from "@langchain/core/messages";
import { MemorySaver, MessagesAnnotation, StateGraph } from "@langchain/langgraph";
import type { Client, Thread } from "@langchain/langgraph-sdk";
import { createLocalClient } from "../../src/graphs/local";
import {
  checkpointBeforeMessage,
  getOrCreateThread,
  latestValues,
  readThreadState,
} from "../../src/run/thread";

const answered = (status: number) => Object.assign(new Error(`HTTP ${status}`), { status });
const thread = { thread_id: "t" } as Thread;

describe("getOrCreateThread", () => {
  it("creates a thread that the server does not have", async () => {
    const created = getOrCreateThread({
      get: () => Promise.reject(answered(404)),
      create: async () => thread,
    });
    await expect(created).resolves.toBe(thread);
  });

  it.each([401, 403, 500])("tells a %p as it is", async (status) => {
    const create = jest.fn();
    await expect(getOrCreateThread({ get: () => Promise.reject(answered(status)), create })).rejects.toThrow(
      `HTTP ${status}`,
    );
    expect(create).not.toHaveBeenCalled();
  });
});

describe("checkpointBeforeMessage", () => {
  const turns = 25;
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("model", ({ messages }) => ({ messages: [new AIMessage(`re: ${messages.at(-1)?.content}`)] }))
    .addEdge("__start__", "model")
    .compile({ checkpointer: new MemorySaver() });
  const client = createLocalClient(graph) as Client;
  const say = (id: string, checkpoint_id?: string) =>
    graph.invoke(
      { messages: [{ type: "human", id, content: id }] },
      { configurable: { thread_id: "long", checkpoint_id } },
    );
  beforeAll(async () => {
    for (let turn = 0; turn < turns; turn++) await say(`u${turn}`);
  });

  it.each([0, 3, turns - 1])("finds the checkpoint before turn %p of a long thread", async (turn) => {
    const before = await checkpointBeforeMessage(client, "long", `u${turn}`);
    const snapshot = await graph.getState({
      configurable: { thread_id: "long", checkpoint_id: before.checkpoint.checkpoint_id },
    });
    expect(snapshot.values.messages ?? []).toHaveLength(2 * turn);
  });

  it("follows the branch that the thread is on", async () => {
    const before = await checkpointBeforeMessage(client, "long", "u2");
    await say("fork", before.checkpoint.checkpoint_id ?? undefined);
    await expect(checkpointBeforeMessage(client, "long", "u9")).rejects.toThrow(
      "Message u9 is not in the checkpoints",
    );
    expect((await checkpointBeforeMessage(client, "long", "u1")).values.messages).toHaveLength(2);
  });
});

describe("latestValues", () => {
  const messages = (...ids: string[]) => ids.map((id) => ({ id }));

  it("are the checkpoint's, without what lived for one step only", () => {
    const read = { messages: messages("a", "b"), kept: 1 };
    expect(latestValues(read, { messages: messages("a", "b"), jumpTo: "end" })).toBe(read);
  });

  it("are the stream's where the checkpoint that was read lags behind, or there is none", () => {
    const streamed = { messages: messages("a", "b") };
    expect(latestValues({ messages: messages("a"), kept: 1 }, streamed)).toEqual({ ...streamed, kept: 1 });
    expect(latestValues(undefined, streamed)).toEqual(streamed);
  });
});

describe("readThreadState", () => {
  const waiting = (checkpoint: object | null) => ({
    values: {},
    tasks: [{ name: "agent", interrupts: [{ id: "question" }], checkpoint }],
  });
  const detailed = { values: {}, tasks: [{ name: "agent", state: { values: {} } }] };

  function clientOf(state: object, withSubgraphs: () => Promise<unknown>) {
    const asked: unknown[] = [];
    const getState = async (_thread: string, _checkpoint?: unknown, options?: { subgraphs?: boolean }) => {
      asked.push(options?.subgraphs ?? false);
      return options?.subgraphs ? withSubgraphs() : state;
    };
    return { asked, client: { threads: { getState } } as never };
  }

  it("asks for the states of subgraphs only where one waits", async () => {
    const plain = clientOf(waiting(null), async () => detailed);
    expect(await readThreadState(plain.client, "thread")).toEqual(waiting(null));
    expect(plain.asked).toEqual([false]);
    const nested = clientOf(waiting({}), async () => detailed);
    expect(await readThreadState(nested.client, "thread")).toBe(detailed);
    expect(nested.asked).toEqual([false, true]);
  });

  it("goes without them where the server cannot tell", async () => {
    const { client } = clientOf(waiting({}), async () => {
      throw new Error("no such subgraph");
    });
    expect(await readThreadState(client, "thread")).toEqual(waiting({}));
  });
});
