import { readFileSync } from "node:fs";
import type { Message } from "@ag-ui/client";
import { stabiliser, traceOfMachine } from "../../scripts/stable";
import { langchainMessagesToAgui } from "../../src/messages/to-agui";
import type { LangChainMessage, StreamRow } from "../../src/types";
import { comparable, expectAccepted, fold, protocol1, translateRun } from "../support/fold";
import { type Fixture, fixturePath, HOMES, readFixtures } from "./fixtures";
import type { RecordedRun } from "./recordings";

const fixtures = readFixtures();
const titled = fixtures.map((fixture) => [`${fixture.graph} (${fixture.home})`, fixture] as const);

const shown = (messages: readonly unknown[] = []) =>
  langchainMessagesToAgui(messages, { protocol1 }) as Message[];

const firstValues = (rows: readonly StreamRow[]) =>
  rows.find(({ event }) => event === "values")?.data as { messages?: unknown[] } | undefined;

const fails = ({ rows }: RecordedRun) => rows.some(({ event }) => event === "error");

/** What the client has before a run: the thread's messages, and what it sends. */
const clientBefore = ({ before, rows }: RecordedRun) => shown(firstValues(rows)?.messages ?? before.messages);

function translate(run: RecordedRun) {
  return translateRun(run.rows, {
    knownMessages: (run.before.messages ?? []) as LangChainMessage[],
    clientMessageIds: clientBefore(run).map(({ id }) => id),
  });
}

/** Rows of fewer modes, as other agents and graphs have them. */
const combinations = [
  ["events", "messages", "values", "updates", "tasks", "custom"],
  ["events", "messages", "values", "updates"],
  ["messages", "values"],
  ["values"],
];

/** What the first has under the keys that both have. */
function common(one: Record<string, unknown>, other: Record<string, unknown>) {
  return Object.fromEntries(Object.entries(one).filter(([key]) => key in other));
}

function only(modes: readonly string[], run: RecordedRun): RecordedRun {
  const always = ["metadata", "error"];
  const rows = run.rows.filter(({ event }) => [...modes, ...always].includes(event.split("|")[0] as string));
  return { ...run, rows };
}

describe.each(titled)("the recorded stream of %s", (_title, { runs }) => {
  const finished = runs.filter((run) => !fails(run));
  const failed = runs.filter(fails);

  if (finished.length > 0)
    test.each(combinations.map((modes) => [modes.join("+"), modes] as const))(
      "leaves the client with what the thread holds: %s",
      async (_modes, modes) => {
        for (const run of finished.map((run) => only(modes, run))) {
          const { events, debug } = translate(run);
          expectAccepted(events);
          // or a snapshot at the end would be all that is compared
          expect(events.map(({ type }) => type)).not.toContain("MESSAGES_SNAPSHOT");
          const { messages, state } = await fold(events, clientBefore(run));
          const { messages: stored, ...values } = run.after;
          expect(messages.map(comparable)).toEqual(shown(stored).map(comparable));
          // Before the first step no row tells the state, and what lives for a step only is in no checkpoint.
          expect(common(state, values)).toEqual(common(values, state));
          expect(debug.filter((line) => line.startsWith("a row"))).toEqual([]);
        }
      },
    );

  if (failed.length > 0)
    test("ends with its error, and nothing open", () => {
      for (const run of failed) {
        const { events } = translate(run);
        expectAccepted(events);
        expect(run.rows.at(-1)).toMatchObject({ event: "error", data: { message: expect.any(String) } });
        const { message } = run.rows.at(-1)!.data as { message: string };
        expect(events.at(-1)).toMatchObject({ type: "RUN_ERROR", message });
      }
    });
});

/** A server writes a text that was thrown as JSON. */
function bare<T extends { type: string; message?: string }>(event: T): T {
  const quoted = event.type === "RUN_ERROR" && event.message?.startsWith('"');
  return quoted ? { ...event, message: JSON.parse(String(event.message)) } : event;
}

test.each(fixtures.filter(({ home }) => home === "process").map(({ graph }) => graph))(
  "%s streams the same in this process and on a server",
  (graph) => {
    const [here, there] = HOMES.map((home) =>
      fixtures.find((one) => one.graph === graph && one.home === home),
    );
    // Servers name more ids in their rows, so those of the two recordings are numbered apart.
    const told = ({ runs }: Fixture) => stabiliser()(runs.map((run) => translate(run).events.map(bare)));
    expect(told(here!)).toEqual(told(there!));
  },
);

test("no recording tells of the machine on which it was made, and none is big", () => {
  let bytes = 0;
  for (const { home, graph } of fixtures) {
    const text = readFileSync(fixturePath(home, graph), "utf8");
    expect(traceOfMachine(text)).toBeUndefined();
    bytes += text.length;
  }
  expect(bytes).toBeLessThan(1_500_000);
});
