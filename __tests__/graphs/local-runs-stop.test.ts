import { Annotation, MemorySaver, START, StateGraph } from "@langchain/langgraph";
import { createLocalClient } from "../../src/graphs/local";
import { waits } from "../support/graphs";
import { allowNoUnhandledRejection, newThread, rest, untilWaiting, waiting } from "../support/local-runs";

allowNoUnhandledRejection();

/** A node that waits for its abort, and tells when it got it. */
function stoppable() {
  let stopped = () => {};
  const aborted = new Promise<void>((resolve) => {
    stopped = resolve;
  });
  const State = Annotation.Root({ done: Annotation<boolean>() });
  const graph = new StateGraph(State)
    .addNode("wait", async (_state, config) => {
      config.writer?.("waiting");
      await new Promise((_, reject) => {
        config.signal?.addEventListener("abort", () => {
          stopped();
          reject(new Error("stopped"));
        });
      });
      return { done: true };
    })
    .addEdge(START, "wait")
    .compile({ checkpointer: new MemorySaver() });
  return { client: createLocalClient(graph), aborted };
}

describe("a run is stopped", () => {
  test("by cancel, with the run's id from the first row", async () => {
    const { client, aborted } = stoppable();
    const thread = newThread();
    const rows = waiting(client, thread);
    const { runId } = await untilWaiting(rows);
    await client.runs.cancel(thread, runId, true);
    expect(await rest(rows)).toEqual([]);
    await aborted;
    expect(await client.runs.list(thread)).toEqual([]);
  });

  test("by cancel through another client of the same graph", async () => {
    const thread = newThread();
    const rows = waiting(createLocalClient(waits), thread);
    const { runId } = await untilWaiting(rows);
    await createLocalClient(waits).runs.cancel(thread, runId, true);
    expect(await rest(rows)).toEqual([]);
  });

  test("by an error in the callback that is told the run's id", async () => {
    const client = createLocalClient(waits);
    const onRunCreated = () => {
      throw new Error("not today");
    };
    await expect(waiting(client, newThread(), { onRunCreated }).next()).rejects.toThrow("not today");
  });

  test("by an abort of the payload's signal", async () => {
    const { client, aborted } = stoppable();
    const abort = new AbortController();
    const rows = waiting(client, newThread(), { signal: abort.signal });
    await untilWaiting(rows);
    abort.abort(new Error("the client left"));
    expect(await rest(rows)).toEqual([]);
    await aborted;
  });

  test("by return, also while a row is awaited", async () => {
    const { client, aborted } = stoppable();
    const rows = waiting(client, newThread());
    await untilWaiting(rows);
    const pending = rows.next();
    expect(await rows.return(undefined)).toEqual({ done: true, value: undefined });
    expect(await pending).toEqual({ done: true, value: undefined });
    await aborted;
  });

  test("by throw", async () => {
    const { client, aborted } = stoppable();
    const rows = waiting(client, newThread());
    await untilWaiting(rows);
    await expect(rows.throw(new Error("the reader broke"))).rejects.toThrow("the reader broke");
    await aborted;
  });

  test("by leaving a for-await loop", async () => {
    const { client, aborted } = stoppable();
    for await (const row of waiting(client, newThread())) if (row.event === "custom") break;
    await aborted;
  });

  test("before it began: nothing runs", async () => {
    const abort = new AbortController();
    abort.abort();
    const created = jest.fn();
    const client = createLocalClient(waits);
    const rows = waiting(client, newThread(), { signal: abort.signal, onRunCreated: created });
    expect(await rest(rows)).toEqual([]);
    const unread = waiting(client, newThread(), { onRunCreated: created });
    await unread.return(undefined);
    expect(await rest(unread)).toEqual([]);
    expect(created).not.toHaveBeenCalled();
  });

  test("though its node does not listen: the stream ends, the node's result is dropped", async () => {
    let goOn = () => {};
    const gate = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const State = Annotation.Root({ done: Annotation<boolean>() });
    const deaf = new StateGraph(State)
      .addNode("work", async (_state, config) => {
        config.writer?.("working");
        await gate;
        return { done: true };
      })
      .addEdge(START, "work")
      .compile({ checkpointer: new MemorySaver() });
    const client = createLocalClient(deaf);
    const thread = newThread();
    const rows = waiting(client, thread);
    const { runId } = await untilWaiting(rows);
    await client.runs.cancel(thread, runId, true);
    expect(await rest(rows)).toEqual([]);
    goOn();
    expect((await client.threads.getState(thread)).values).toEqual({});
  });

  test("and cancelling what is over, unknown or another thread's does nothing", async () => {
    const { client } = stoppable();
    const thread = newThread();
    const rows = waiting(client, thread);
    const { runId } = await untilWaiting(rows);
    await client.runs.cancel("another thread", runId);
    await client.runs.cancel(thread, "unknown");
    expect(await client.runs.list(thread)).toMatchObject([
      { run_id: runId, thread_id: thread, status: "running" },
    ]);
    await rows.return(undefined);
    await client.runs.cancel(thread, runId, true);
  });

  test("and the thread goes on with the next run", async () => {
    const client = createLocalClient(waits);
    const thread = newThread();
    const rows = waiting(client, thread);
    await untilWaiting(rows);
    await rows.return(undefined);
    const next = waiting(client, thread);
    await untilWaiting(next);
    await next.return(undefined);
  });
});
