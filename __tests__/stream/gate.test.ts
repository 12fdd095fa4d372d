import fc from "fast-check";
import { Subscriber } from "rxjs";
import { gateSubscriber } from "../../src/stream/gate";
import type { ProcessedEvents } from "../../src/types";
import { expectAccepted } from "../support/fold";

type Event = Record<string, unknown> & { type: string };

const started: Event = { type: "RUN_STARTED", threadId: "t", runId: "r" };
const finished: Event = { type: "RUN_FINISHED", threadId: "t", runId: "r" };

function gate() {
  const events: Event[] = [];
  const debug: string[] = [];
  const ends: string[] = [];
  const downstream = new Subscriber<ProcessedEvents>({
    next: (event: ProcessedEvents) => events.push(event as never),
    error: () => ends.push("error"),
    complete: () => ends.push("complete"),
  });
  const subscriber = gateSubscriber(downstream, (line) => debug.push(line));
  const send = (...sent: Event[]) => {
    for (const event of sent) subscriber.next(event as never);
  };
  return { events, debug, ends, subscriber, downstream, send };
}

const types = (events: readonly Event[]) => events.map(({ type }) => type);

describe("the gate", () => {
  it.each([finished, { type: "RUN_ERROR", message: "boom" }])(
    "closes what is open before $type, the innermost first",
    (terminal) => {
      const { events, send } = gate();
      send(
        started,
        { type: "STEP_STARTED", stepName: "s" },
        { type: "REASONING_START", messageId: "r1" },
        { type: "REASONING_MESSAGE_START", messageId: "r1", role: "reasoning" },
        { type: "TEXT_MESSAGE_START", messageId: "m1", role: "assistant" },
        { type: "TOOL_CALL_START", toolCallId: "c1", toolCallName: "x" },
        terminal,
      );
      expect(types(events).slice(6)).toEqual([
        "TOOL_CALL_END",
        "TEXT_MESSAGE_END",
        "REASONING_MESSAGE_END",
        "REASONING_END",
        "STEP_FINISHED",
        terminal.type,
      ]);
      expectAccepted(events as never);
    },
  );

  it("lets one terminal event through, and nothing after it", () => {
    const { events, debug, send } = gate();
    send(started, finished, { type: "RUN_ERROR", message: "late" }, finished, started, {
      type: "CUSTOM",
      name: "x",
      value: 1,
    });
    expect(types(events)).toEqual(["RUN_STARTED", "RUN_FINISHED"]);
    expect(debug).toHaveLength(4);
  });

  it("drops a second start of the run, and what comes before the first", () => {
    const { events, debug, send } = gate();
    send({ type: "CUSTOM", name: "x", value: 1 }, started, started, finished);
    expect(types(events)).toEqual(["RUN_STARTED", "RUN_FINISHED"]);
    expect(debug).toEqual([
      "CUSTOM was dropped: the run has not started",
      "RUN_STARTED was dropped: the run has started",
    ]);
  });

  it("turns an error into RUN_ERROR, once", () => {
    const { events, ends, subscriber, send } = gate();
    send(started, { type: "TEXT_MESSAGE_START", messageId: "m1" });
    subscriber.error(new Error("boom"));
    expect(types(events)).toEqual(["RUN_STARTED", "TEXT_MESSAGE_START", "TEXT_MESSAGE_END", "RUN_ERROR"]);
    expect(events.at(-1)).toEqual({ type: "RUN_ERROR", message: "boom" });
    expect(ends).toEqual(["complete"]);
  });

  it("takes an error after the end for nothing", () => {
    const { events, ends, subscriber, send } = gate();
    send(started, finished);
    subscriber.error(new Error("late"));
    expect(types(events)).toEqual(["RUN_STARTED", "RUN_FINISHED"]);
    expect(ends).toEqual(["complete"]);
  });

  it("does not call a run that ended without a word a success", () => {
    const { events, ends, subscriber, send } = gate();
    send(started);
    subscriber.complete();
    expect(types(events)).toEqual(["RUN_STARTED", "RUN_ERROR"]);
    expect(ends).toEqual(["complete"]);
  });

  it("is closed by who listens", () => {
    const { events, downstream, subscriber, send } = gate();
    send(started);
    downstream.unsubscribe();
    send({ type: "CUSTOM", name: "x", value: 1 });
    expect(subscriber.closed).toBe(true);
    expect(types(events)).toEqual(["RUN_STARTED"]);
  });

  it.each<[string, Event]>([
    ["a text that was not started", { type: "TEXT_MESSAGE_CONTENT", messageId: "m", delta: "x" }],
    ["an end of nothing", { type: "TOOL_CALL_END", toolCallId: "c" }],
    ["a step that was not started", { type: "STEP_FINISHED", stepName: "s" }],
    ["reasoning that was not started", { type: "REASONING_END", messageId: "r" }],
    ["a subagent that was not started", { type: "SUBAGENT_FINISHED", subagentRunId: "s" }],
    [
      "a subagent of an unknown parent",
      { type: "SUBAGENT_STARTED", subagentRunId: "s", name: "n", parentSubagentRunId: "p" },
    ],
    ["a call without a name", { type: "TOOL_CALL_START", toolCallId: "c" }],
    ["a text without an id", { type: "TEXT_MESSAGE_START" }],
    ["a result without an id", { type: "TOOL_CALL_RESULT", toolCallId: "c", content: "x" }],
    ["a custom event without a value", { type: "CUSTOM", name: "x" }],
    ["no event", {} as Event],
  ])("drops %s", (_what, event) => {
    const { events, debug, send } = gate();
    send(started, event, finished);
    expect(types(events)).toEqual(["RUN_STARTED", "RUN_FINISHED"]);
    expect(debug).toHaveLength(1);
  });

  it("keeps the content of an event that names the wrong subagent", () => {
    const { events, send } = gate();
    send(
      started,
      { type: "TEXT_MESSAGE_START", messageId: "m1", subagentRunId: "s1" },
      { type: "TEXT_MESSAGE_CONTENT", messageId: "m1", delta: "x", subagentRunId: "s2" },
      {
        type: "TOOL_CALL_START",
        toolCallId: "c1",
        toolCallName: "x",
        parentMessageId: "m1",
        subagentRunId: "s2",
      },
      { type: "TOOL_CALL_ARGS", toolCallId: "c1", delta: "{}", subagentRunId: "s1" },
      { type: "TEXT_MESSAGE_END", messageId: "m1", subagentRunId: null },
      finished,
    );
    expect(events.map(({ type, subagentRunId }) => [type, subagentRunId])).toEqual([
      ["RUN_STARTED", undefined],
      ["TEXT_MESSAGE_START", "s1"],
      ["TEXT_MESSAGE_CONTENT", "s1"],
      ["TOOL_CALL_START", "s1"],
      ["TOOL_CALL_ARGS", "s1"],
      ["TEXT_MESSAGE_END", "s1"],
      ["TOOL_CALL_END", undefined],
      ["RUN_FINISHED", undefined],
    ]);
    expectAccepted(events as never);
  });

  it.each([
    ["fails", { type: "RUN_ERROR", message: "it broke", code: "E" }, { message: "it broke", code: "E" }],
    [
      "is cancelled",
      { ...finished, outcome: { type: "cancelled" } },
      { message: "The run was cancelled.", code: "cancelled" },
    ],
  ])("says of a subagent that is open when the run %s that it has failed", (_how, terminal, failure) => {
    const { events, send } = gate();
    send(started, { type: "SUBAGENT_STARTED", subagentRunId: "s1", name: "n" }, terminal as never);
    expect(events.at(-2)).toEqual({ type: "SUBAGENT_ERROR", subagentRunId: "s1", ...failure });
    // Not all clients know that a run can be cancelled.
    expectAccepted([...events.slice(0, -1), finished] as never);
  });
});

const id = fc.constantFrom<unknown>("a", "b", "a", "b", undefined, null, 1);
const tag = fc.constantFrom<unknown>(undefined, undefined, "s1", "s2", null);
const anyEvent = fc
  .record({
    type: fc.constantFrom(
      "RUN_STARTED",
      "RUN_FINISHED",
      "RUN_ERROR",
      "STEP_STARTED",
      "STEP_FINISHED",
      "TEXT_MESSAGE_START",
      "TEXT_MESSAGE_CONTENT",
      "TEXT_MESSAGE_END",
      "TOOL_CALL_START",
      "TOOL_CALL_ARGS",
      "TOOL_CALL_END",
      "TOOL_CALL_RESULT",
      "REASONING_START",
      "REASONING_MESSAGE_START",
      "REASONING_MESSAGE_CONTENT",
      "REASONING_MESSAGE_END",
      "REASONING_END",
      "REASONING_ENCRYPTED_VALUE",
      "SUBAGENT_STARTED",
      "SUBAGENT_FINISHED",
      "SUBAGENT_ERROR",
      "CUSTOM",
      "MESSAGES_SNAPSHOT",
    ),
    id,
    parent: id,
    subagentRunId: tag,
  })
  .map(
    ({ type, id, parent, subagentRunId }): Event => ({
      type,
      ...fieldsOf(type, id, parent),
      ...(type.startsWith("SUBAGENT")
        ? { subagentRunId: id }
        : type.startsWith("RUN")
          ? {}
          : { subagentRunId }),
    }),
  );

function fieldsOf(type: string, id: unknown, parent: unknown): Record<string, unknown> {
  if (type.startsWith("RUN")) return { threadId: "t", runId: "r", message: "boom" };
  if (type.startsWith("STEP")) return { stepName: id };
  if (type === "TOOL_CALL_RESULT") return { toolCallId: id, messageId: parent, content: "x" };
  if (type.startsWith("TOOL")) {
    return {
      toolCallId: id,
      toolCallName: "x",
      delta: "y",
      ...(typeof parent === "string" ? { parentMessageId: parent } : {}),
    };
  }
  if (type === "REASONING_ENCRYPTED_VALUE")
    return { entityId: id, subtype: parent === "a" ? "message" : "tool-call", encryptedValue: "e" };
  if (type.startsWith("SUBAGENT"))
    return {
      name: "n",
      message: "boom",
      ...(typeof parent === "string" ? { parentSubagentRunId: parent } : {}),
    };
  if (type === "CUSTOM") return { name: "n", value: 1 };
  if (type === "MESSAGES_SNAPSHOT")
    return {
      messages: [
        { id: "a", role: "assistant", content: "x", ...(parent === "b" ? { subagentRunId: "s1" } : {}) },
      ],
    };
  return { messageId: id, delta: "x", role: type.startsWith("REASONING") ? "reasoning" : "assistant" };
}

test("whatever is sent through the gate, the client accepts what comes out", () => {
  fc.assert(
    fc.property(fc.array(anyEvent, { maxLength: 40 }), (sent) => {
      const { events, subscriber, send } = gate();
      send(started, ...sent.filter(({ type }) => type !== "RUN_FINISHED" && type !== "RUN_ERROR"), ...sent);
      subscriber.complete();
      expectAccepted(events as never);
    }),
    { numRuns: Number(process.env.STREAM_RUNS ?? 1500) },
  );
});
