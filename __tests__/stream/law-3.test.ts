import type { Message } from "@ag-ui/client";
import fc from "fast-check";
import { langchainMessagesToAgui } from "../../src/messages/to-agui";
import { comparable, fold, outsideOfSubagents, protocol1, translateRun } from "../support/fold";
import { type Mode, play, type RunPlan, runPlan } from "./arbitrary-run";

const before = [{ id: "u1", role: "user" as const, content: "hi" }];

/** With these, the rows tell ids and order: the client's messages equal the checkpoint's. */
const whole: Mode[][] = [
  ["events", "messages", "updates", "values", "tasks"],
  ["events", "messages", "updates", "values"],
  ["messages", "values"],
  ["messages", "updates", "values"],
  ["events", "values"],
  ["events", "updates", "values"],
  ["values"],
  ["updates", "values"],
];
const runs = Number(process.env.STREAM_RUNS ?? 800);

async function foldedEqualsCheckpoint(plan: RunPlan, subgraphs: boolean) {
  const { rows, final, graphs } = play(plan);
  const { events } = translateRun(rows, { subgraphs });
  const { messages } = await fold(events, before);
  expect(messages.map(comparable)).toEqual(checkpoint(final).map(comparable));
  expect(outsideOfSubagents(events)).toEqual([]);
  const labelled = subgraphs && protocol1;
  for (const { id, role, subagentRunId } of messages as (Message & { subagentRunId?: string })[]) {
    if (role === "assistant") expect(subagentRunId).toBe(labelled ? graphs.get(id) : undefined);
  }
}

const checkpoint = (final: readonly unknown[]) => langchainMessagesToAgui(final, { protocol1 });

test("whatever a model says, however it is cut, the client has what the checkpoint has", async () => {
  await fc.assert(fc.asyncProperty(runPlan(whole), fc.boolean(), foldedEqualsCheckpoint), {
    numRuns: runs,
  });
});

/** No row tells the order of nodes side by side, nor, in some, the id of a result: the contents are the same. */
const partly: Mode[][] = [
  ["messages"],
  ["events"],
  ["events", "messages"],
  ["events", "updates"],
  ["messages", "updates", "tasks"],
  ["events", "messages", "updates", "tasks"],
];

function contents(messages: readonly Message[], withIds: boolean) {
  return messages
    .map(comparable)
    .filter(({ role, content, toolCalls }) => role !== "assistant" || content !== "" || toolCalls)
    .map(({ id, ...rest }) => (rest.toolCallId && !withIds ? rest : { id, ...rest }))
    .map((message) => JSON.stringify(Object.entries(message).sort()))
    .sort();
}

/** Chunks alone do not have them. */
const hasLateArguments = ({ steps }: RunPlan) =>
  steps.some(({ nodes }) => nodes.some(({ provider }) => provider === "arguments-late"));

test("without the values of the graph, nothing is lost or doubled either", async () => {
  await fc.assert(
    fc.asyncProperty(runPlan(partly), async (plan) => {
      fc.pre(plan.modes.length > 1 || plan.modes[0] === "events" || !hasLateArguments(plan));
      const { rows, final } = play(plan);
      const { messages } = await fold(translateRun(rows).events, before);
      const withIds = plan.modes.includes("messages");
      expect(contents(messages, withIds)).toEqual(contents(checkpoint(final), withIds));
    }),
    { numRuns: runs / 2 },
  );
});
