import type { GraphClient } from "../../src/graphs/client";
import type { StreamRow } from "../../src/types";
import { runStream } from "./home-rows";

let threads = 0;
export const newThread = () => `thread-${++threads}`;
export const hello = { messages: [{ type: "human", id: "h1", content: "Hi" }] };

export function last<T>(items: readonly T[]): T {
  return items.at(-1) as T;
}

/** Reads until the graph's node is in the middle of its work. */
export async function untilWaiting(rows: AsyncGenerator<StreamRow>): Promise<{ runId: string }> {
  let runId = "";
  for (;;) {
    const { value, done } = await rows.next();
    if (done) throw new Error("the run ended before the node waited");
    if (value.event === "metadata") runId = (value.data as { run_id: string }).run_id;
    if (value.event === "custom") return { runId };
  }
}

export async function rest(rows: AsyncGenerator<StreamRow>): Promise<string[]> {
  const events: string[] = [];
  for await (const row of rows) events.push(row.event);
  return events;
}

export function waiting(client: GraphClient, threadId: string, extra: object = {}) {
  return runStream(client, threadId, "waits", { input: {}, streamMode: ["custom", "values"], ...extra });
}

/** Fails the test that leaves an unhandled rejection behind. */
export function allowNoUnhandledRejection(): void {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  beforeAll(() => process.on("unhandledRejection", note));
  afterAll(() => process.off("unhandledRejection", note));
  afterEach(async () => {
    await new Promise((resolve) => setImmediate(resolve));
    expect(unhandled.splice(0)).toEqual([]);
  });
}
