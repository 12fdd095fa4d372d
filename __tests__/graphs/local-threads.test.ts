import type { BaseMessage } from "@langchain/core/messages";
import { createLocalClient } from "../../src/graphs/local";
import { chat, counter, forgetful } from "../support/graphs";
import { rowsOf } from "../support/home-rows";
import { allowNoUnhandledRejection, hello, last, newThread } from "../support/local-runs";

allowNoUnhandledRejection();

describe("threads", () => {
  test("a thread that was never run has empty values and no checkpoint", async () => {
    const client = createLocalClient(chat);
    const { thread_id } = await client.threads.create({ threadId: newThread(), metadata: { who: "Ada" } });
    expect(await client.threads.getState(thread_id)).toEqual({
      values: {},
      next: [],
      tasks: [],
      metadata: undefined,
      created_at: null,
      checkpoint: null,
      parent_checkpoint: null,
    });
    expect(await client.threads.getHistory(thread_id)).toEqual([]);
    expect(await client.threads.get(thread_id)).toMatchObject({ thread_id, status: "idle", values: {} });
  });

  test("a graph without a checkpointer has no state, and runs from its input alone", async () => {
    const client = createLocalClient(forgetful);
    const thread = newThread();
    await rowsOf(client, thread, "forgetful", { input: hello });
    const rows = await rowsOf(client, thread, "forgetful", { input: hello });
    expect((last(rows).data as { messages: unknown[] }).messages).toHaveLength(2);
    expect(await client.threads.getState(thread)).toBeNull();
    expect(await client.threads.getHistory(thread)).toEqual([]);
    await expect(client.threads.updateState(thread, { values: {} })).rejects.toThrow(
      "without a checkpointer",
    );
  });

  test("history: newest first, limited, and before a checkpoint", async () => {
    const client = createLocalClient(counter);
    const thread = newThread();
    for (let turn = 0; turn < 4; turn++)
      await rowsOf(client, thread, "counter", { input: { log: [`${turn}`] } });
    const history = await client.threads.getHistory(thread, { limit: 100 });
    expect(await client.threads.getHistory(thread)).toEqual(history.slice(0, 10));
    expect(history).toHaveLength(16);
    const [, , third, fourth] = history;
    const before = { configurable: { checkpoint_id: third?.checkpoint.checkpoint_id } };
    expect(await client.threads.getHistory(thread, { limit: 1, before })).toEqual([fourth]);
    const metadata = { source: "input" };
    expect(await client.threads.getHistory(thread, { metadata })).toHaveLength(4);
  });

  test("a fork: state updated at a checkpoint, and a run from there", async () => {
    const client = createLocalClient(chat);
    const thread = newThread();
    await rowsOf(client, thread, "chat", { input: hello });
    const history = await client.threads.getHistory(thread);
    const start = history.find(({ next }) => next.includes("speak"));
    const fork = (await client.threads.updateState(thread, {
      values: { messages: [{ type: "human", id: "h1", content: "Changed" }] },
      checkpointId: start?.checkpoint.checkpoint_id as string,
      asNode: "__start__",
    })) as unknown as { checkpoint: { checkpoint_id: string; thread_id: string } };
    expect(fork.checkpoint).toMatchObject({ thread_id: thread, checkpoint_id: expect.any(String) });
    await rowsOf(client, thread, "chat", { input: null, checkpointId: fork.checkpoint.checkpoint_id });
    const values = (await client.threads.getState(thread)).values as { messages: BaseMessage[] };
    expect(values.messages.map(({ content }) => content)).toEqual(["Changed", "Hello world"]);
  });

  test("the state at a checkpoint, by id and by checkpoint", async () => {
    const client = createLocalClient(counter);
    const thread = newThread();
    await rowsOf(client, thread, "counter", { input: {} });
    const [, earlier] = await client.threads.getHistory(thread);
    const checkpoint = earlier?.checkpoint;
    if (!checkpoint?.checkpoint_id) throw new Error("no checkpoint");
    expect((await client.threads.getState(thread, checkpoint.checkpoint_id)).values).toEqual(earlier?.values);
    expect((await client.threads.getState(thread, checkpoint)).next).toEqual(["second"]);
  });
});
