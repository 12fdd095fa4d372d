import type { AIMessage } from "@langchain/core/messages";
import { createLocalClient } from "../../src/graphs/local";
import type { StreamRow } from "../../src/types";
import { chat, counter, waits } from "../support/graphs";
import { rowsOf, runStream } from "../support/home-rows";
import {
  allowNoUnhandledRejection,
  hello,
  newThread,
  rest,
  untilWaiting,
  waiting,
} from "../support/local-runs";

allowNoUnhandledRejection();

describe("two runs on one thread", () => {
  test("the second one is refused while the first one goes on", async () => {
    const client = createLocalClient(waits);
    const thread = newThread();
    const first = waiting(client, thread);
    await untilWaiting(first);
    await expect(waiting(client, thread).next()).rejects.toMatchObject({
      name: "ThreadBusyError",
      status: 422,
    });
    expect(await client.threads.get(thread)).toMatchObject({ status: "busy" });
    await first.return(undefined);
    expect(await client.threads.get(thread)).toMatchObject({ status: "idle" });
  });

  test("interrupt ends the first one", async () => {
    const client = createLocalClient(waits);
    const thread = newThread();
    const first = waiting(client, thread);
    await untilWaiting(first);
    const second = waiting(client, thread, { multitaskStrategy: "interrupt" });
    await untilWaiting(second);
    expect(await rest(first)).toEqual([]);
    await second.return(undefined);
  });

  test("enqueue waits for the first one, and can be left while it waits", async () => {
    const client = createLocalClient(waits);
    const thread = newThread();
    const first = waiting(client, thread);
    await untilWaiting(first);
    const left = waiting(client, thread, { multitaskStrategy: "enqueue" });
    const never = left.next();
    const done = left.return(undefined);
    const second = waiting(client, thread, { multitaskStrategy: "enqueue" });
    const started = untilWaiting(second);
    await first.return(undefined);
    await Promise.all([started, never, done]);
    await second.return(undefined);
  });

  test("many runs at once, each on its own thread, lose no token", async () => {
    const client = createLocalClient(chat);
    const runs = Array.from({ length: 40 }, () =>
      rowsOf(client, newThread(), "chat", {
        input: hello,
        streamMode: ["messages-tuple", "events", "values", "tasks"],
      }),
    );
    for (const rows of await Promise.all(runs)) {
      const tokens = rows
        .filter(({ event }) => event === "messages")
        .map(({ data }) => (data as [AIMessage])[0].content);
      expect(tokens).toEqual(["Hello", " world"]);
    }
  });
});

describe("reading along with a run", () => {
  test("gives its rows from then on, and its end", async () => {
    const client = createLocalClient(waits);
    const thread = newThread();
    const rows = waiting(client, thread);
    const { runId } = await untilWaiting(rows);
    const joined = rest(client.runs.joinStream(thread, runId) as AsyncGenerator<StreamRow>);
    await client.runs.cancel(thread, runId);
    expect(await joined).toEqual([]);
    await rows.return(undefined);
  });

  test("can be left without stopping the run", async () => {
    const client = createLocalClient(waits);
    const thread = newThread();
    const rows = waiting(client, thread);
    const { runId } = await untilWaiting(rows);
    const abort = new AbortController();
    const joined = rest(
      client.runs.joinStream(thread, runId, { signal: abort.signal }) as AsyncGenerator<StreamRow>,
    );
    abort.abort();
    expect(await joined).toEqual([]);
    expect(await client.runs.list(thread)).toHaveLength(1);
    await rows.return(undefined);
  });

  test("both readers get every row, also the slow one", async () => {
    const client = createLocalClient(counter);
    const thread = newThread();
    const rows = runStream(client, thread, "counter", { input: hello, streamMode: ["values"] });
    const first = await rows.next();
    const runId = (first.value as { data: { run_id: string } }).data.run_id;
    const joined = client.runs.joinStream(thread, runId) as AsyncGenerator<StreamRow>;
    const along = rest(joined);
    const own = await rest(rows);
    expect(own.filter((event) => event === "values")).toHaveLength(3);
    expect(own).toEqual(expect.arrayContaining(await along));
  });

  test("a run that is over or unknown has no rows", async () => {
    const client = createLocalClient(chat);
    expect(await rest(client.runs.joinStream(newThread(), "unknown") as AsyncGenerator<StreamRow>)).toEqual(
      [],
    );
  });
});
