import fc from "fast-check";
import { patchBetween } from "../../src/stream/state-diff";
import type { RunMetadata } from "../../src/types";
import { fold, translateRun } from "../support/fold";
import { at, brief, event, human, startsCall, streams, toolEnds, toolMessage, updates, values } from "./rows";

const snapshots = (events: readonly { type: string }[]) =>
  events
    .filter(({ type }) => type === "STATE_SNAPSHOT")
    .map((one) => (one as unknown as { snapshot: unknown }).snapshot);

describe("the state", () => {
  it("is sent when it changed, after a step, without the messages", () => {
    const { events, translator } = translateRun([
      values([human("u1")], { count: 1 }),
      streams({ content: "a" }),
      streams({ content: "b" }),
      values([human("u1"), human("u2")], { count: 1 }),
      values([human("u1"), human("u2")], { count: 2 }),
    ]);
    expect(snapshots(events)).toEqual([{ count: 1 }, { count: 2 }]);
    expect(translator.values).toEqual({ messages: [human("u1"), human("u2")], count: 2 });
  });

  it("is never taken from what a node or a subgraph gives, which reducers have not seen", () => {
    const { events } = translateRun([
      values([], { list: [1] }),
      event("on_chain_end", { output: { list: [2] } }, { name: "model" }),
      updates("model", { list: [2] }),
      { event: "values|worker:t", data: { list: [3] } },
      values([], { list: [1, 2] }),
    ]);
    expect(snapshots(events)).toEqual([{ list: [1] }, { list: [1, 2] }]);
  });

  it("is shaped by the agent, and asked for only when it is due", () => {
    let asked = 0;
    const stateSnapshot = ({ secret: _, ...rest }: Record<string, unknown>) => {
      asked += 1;
      return rest;
    };
    const { events } = translateRun(
      [
        values([], { a: 1, secret: 1 }),
        ...Array(50).fill(streams({ content: "x" })),
        values([], { a: 1, secret: 2 }),
      ],
      { stateSnapshot },
    );
    expect(snapshots(events)).toEqual([{ a: 1 }]);
    expect(asked).toBe(2);
  });

  it("of a row that tells only of an interrupt is the state before", () => {
    const interrupt = { id: "i1", value: "sure?" };
    const { translator } = translateRun([
      values([], { a: 1 }),
      updates("__interrupt__", [interrupt]),
      { event: "values", data: { __interrupt__: [interrupt] } },
    ]);
    expect(translator.values).toEqual({ messages: [], a: 1 });
    expect(translator.interrupts).toEqual([interrupt]);
  });

  it("comes as a patch with delta, and the client has the same", async () => {
    const rows = [values([], { a: { b: [1] }, "x/y~": 1 }), values([], { a: { b: [1, 2] }, c: 3 })];
    const { events } = translateRun(rows, { stateUpdates: "delta" });
    expect(events).toContainEqual({
      type: "STATE_DELTA",
      delta: [
        { op: "remove", path: "/x~1y~0" },
        { op: "add", path: "/a/b/-", value: 2 },
        { op: "add", path: "/c", value: 3 },
      ],
    });
    expect((await fold(events)).state).toEqual({ a: { b: [1, 2] }, c: 3 });
  });
});

test("a patch makes of any state any other, in the real client", async () => {
  const state = fc.dictionary(
    fc.constantFrom("a", "b/c", "~", "", "__proto__", "prototype"),
    fc.jsonValue({ maxDepth: 3 }),
    {
      noNullPrototype: true,
    },
  );
  await fc.assert(
    fc.asyncProperty(state, state, async (before, after) => {
      const [left, right] = JSON.parse(JSON.stringify([before, after]));
      const events = [
        { type: "STATE_SNAPSHOT", snapshot: left },
        { type: "STATE_DELTA", delta: patchBetween(left, right) },
      ];
      const run = [
        { type: "RUN_STARTED", threadId: "t", runId: "r" },
        ...events,
        { type: "RUN_FINISHED", threadId: "t", runId: "r" },
      ];
      expect((await fold(run as never)).state).toEqual(right);
    }),
    { numRuns: 300 },
  );
});

describe("a state by hand", () => {
  const byHand = event("on_custom_event", { a: 2 }, { name: "manually_emit_state", metadata: at("writer") });
  const run = (): RunMetadata => ({ id: "run" });

  it("is shown until its node has ended, also when values of the step before come late", () => {
    const metadata = run();
    const { translator } = translateRun([], { run: metadata });
    translator.translate(values([], { a: 0 }));
    expect(brief(translator.translate(byHand))).toEqual([
      'STATE_SNAPSHOT  {"a":2}'.replace("  ", " "),
      'CUSTOM manually_emit_state {"a":2}',
    ]);
    expect(metadata.manuallyEmittedState).toEqual({ a: 2 });
    expect(translator.translate(values([], { a: 1 }))).toEqual([]);
    translator.translate(updates("writer", { a: 2 }));
    expect(metadata.manuallyEmittedState).toBeNull();
    expect(snapshots(translator.translate(values([], { a: 2 })))).toEqual([{ a: 2 }]);
  });

  it("that a subclass has set counts the same", () => {
    const metadata = run();
    const { translator } = translateRun([], { run: metadata });
    translator.translate(values([], { a: 0 }));
    const theirs = event(
      "on_custom_event",
      { a: 2 },
      { name: "copilotkit_manually_emit_intermediate_state", metadata: at("writer") },
    );
    expect(brief(translator.translate(theirs))).toEqual([
      'CUSTOM copilotkit_manually_emit_intermediate_state {"a":2}',
    ]);
    metadata.manuallyEmittedState = { a: 2 };
    expect(translator.translate(values([], { a: 1 }))).toEqual([]);
    translator.translate({ event: "tasks", data: { id: "1", name: "other", result: {} } });
    expect(translator.translate(values([], { a: 1 }))).toEqual([]);
    translator.translate({ event: "tasks", data: { id: "2", name: "writer", result: {} } });
    expect(snapshots(translator.translate(values([], { a: 3 })))).toEqual([{ a: 3 }]);
  });
});

describe("predictive state", () => {
  const predict_state = [{ tool: "write", state_key: "text", tool_argument: "text" }];
  const metadata = { ...at("model"), predict_state };
  const call = streams({ tool_call_chunks: [startsCall(0, "c1", "write", '{"text":')] }, { metadata });

  it("is told before the call, and no snapshot comes until the tool has ended", () => {
    const run: RunMetadata = { id: "run" };
    const { translator } = translateRun([], { run });
    translator.translate(values([], { text: "old" }));
    expect(brief(translator.translate(call)).slice(0, 2)).toEqual([
      `CUSTOM PredictState ${JSON.stringify(predict_state)}`,
      "TOOL_CALL_START c1 write",
    ]);
    expect(run.modelMadeToolCall).toBe(true);
    expect(snapshots(translator.translate(values([], { text: "between" })))).toEqual([]);
    translator.translate(toolEnds(toolMessage("c1", "written"), { name: "write" }));
    expect(run.modelMadeToolCall).toBe(false);
    expect(snapshots(translator.translate(values([], { text: "new" })))).toEqual([{ text: "new" }]);
  });

  it("is not told of other tools", () => {
    const other = streams({ tool_call_chunks: [startsCall(0, "c1", "search", "{}")] }, { metadata });
    expect(brief(translateRun([other]).events)[0]).toBe("TOOL_CALL_START c1 search");
  });

  it("ends with a tool that throws", () => {
    const { events } = translateRun([
      values([], { text: "old" }),
      call,
      event("on_tool_error", { error: "boom" }, { name: "write" }),
      values([], { text: "new" }),
    ]);
    expect(snapshots(events)).toEqual([{ text: "old" }, { text: "new" }]);
  });
});
