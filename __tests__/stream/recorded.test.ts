import type { Message } from "@ag-ui/client";
import { langchainMessagesToAgui } from "../../src/messages/to-agui";
import type { LangChainMessage, StreamRow } from "../../src/types";
import { comparable, expectAccepted, fold, protocol1, translateRun } from "../support/fold";
import { HOMES, readFixtures } from "./fixtures";
import * as graphs from "./graphs";
import { record } from "./recordings";

type Name = keyof typeof graphs;

const fails = new Set<Name>(["breaksInText", "breaksInCall", "fatalTool"]);
const finishing = (Object.keys(graphs) as Name[]).filter((name) => !fails.has(name));

const shown = (messages: readonly unknown[]) => langchainMessagesToAgui(messages, { protocol1 });

/** What the client has before a run: the thread's messages, and what it sends. */
function clientBefore(before: readonly unknown[], rows: readonly StreamRow[]): Message[] {
  const first = rows.find(({ event }) => event === "values")?.data as { messages: unknown[] } | undefined;
  return shown(first?.messages ?? before) as Message[];
}

const combinations = [
  ["events", "values", "updates", "messages-tuple", "tasks", "custom"],
  ["events", "values", "updates", "messages-tuple"],
  ["values", "messages-tuple"],
  ["events", "values"],
  ["values"],
];

describe.each(finishing)("a recorded run of %s", (name) => {
  test.each(combinations.map((modes) => [modes.join("+"), modes]))(
    "leaves the client with the messages of the thread: %s",
    async (_title, modes) => {
      for (const { rows, before, after } of await record(name, modes as string[])) {
        const has = clientBefore(before, rows);
        const { events, debug } = translateRun(rows, {
          knownMessages: before as LangChainMessage[],
          clientMessageIds: has.map(({ id }) => id),
        });
        expectAccepted(events);
        // or a snapshot at the end would be all that is compared
        expect(events.map(({ type }) => type)).not.toContain("MESSAGES_SNAPSHOT");
        const { messages } = await fold(events, has);
        expect(messages.map(comparable)).toEqual((shown(after) as Message[]).map(comparable));
        expect(debug.filter((line) => line.startsWith("a row"))).toEqual([]);
      }
    },
  );

  test("gives the same events in this process and over the wire", async () => {
    for (const { rows, live, before } of await record(name)) {
      const options = { knownMessages: before as LangChainMessage[] };
      const [inProcess, overTheWire] = [translateRun(live, options), translateRun(rows, options)];
      expect(JSON.parse(JSON.stringify(inProcess.events))).toEqual(
        JSON.parse(JSON.stringify(overTheWire.events)),
      );
    }
  });
});

test.each([...fails])("a run that breaks (%s) ends with its error, and nothing open", async (name) => {
  for (const { rows } of await record(name)) {
    const { events } = translateRun(rows);
    expectAccepted(events);
    expect(events.at(-1)).toMatchObject({ type: "RUN_ERROR", message: expect.stringContaining("broke") });
  }
});

test("every graph is among the fixtures, in both homes", () => {
  for (const home of HOMES) {
    const recorded = readFixtures([home]).map(({ graph }) => graph);
    expect(recorded).toEqual(expect.arrayContaining(Object.keys(graphs)));
  }
});
