import { type BaseEvent, EventType } from "@ag-ui/client";
import { paintFor } from "../../examples/terminal/paint";
import { createTimeline } from "../../examples/terminal/timeline";

const events = [
  { type: EventType.RUN_STARTED, threadId: "t", runId: "r" },
  { type: EventType.TEXT_MESSAGE_START, messageId: "m", role: "assistant" },
  { type: EventType.TEXT_MESSAGE_CONTENT, messageId: "m", delta: "Let me " },
  { type: EventType.TOOL_CALL_START, toolCallId: "c", toolCallName: "weather" },
  { type: EventType.TOOL_CALL_ARGS, toolCallId: "c", delta: '{"city":' },
  { type: EventType.TEXT_MESSAGE_CONTENT, messageId: "m", delta: "see." },
  { type: EventType.TEXT_MESSAGE_END, messageId: "m" },
  { type: EventType.TOOL_CALL_ARGS, toolCallId: "c", delta: '"Bern"}' },
  { type: EventType.TOOL_CALL_END, toolCallId: "c" },
  { type: EventType.RAW, event: {} },
  {
    type: EventType.TOOL_CALL_RESULT,
    messageId: "x",
    toolCallId: "c",
    content: "no",
    metadata: { status: "error", error: "no such city" },
  },
  { type: EventType.RUN_ERROR, message: "it broke", code: "E1" },
] as BaseEvent[];

function shown(shownEvents: readonly BaseEvent[], options: { json?: boolean; isTTY?: boolean } = {}): string {
  let text = "";
  let milliseconds = 0;
  const timeline = createTimeline({
    json: options.json,
    write: (more) => {
      text += more;
    },
    paint: paintFor({ isTTY: options.isTTY }, {}),
    now: () => milliseconds,
  });
  for (const event of shownEvents) {
    milliseconds += 1;
    timeline.onEvent({ event });
  }
  return text;
}

test("a run is one line per thing that happened, with its time, kind and content", () => {
  expect(shown(events).split("\n")).toEqual([
    "   0.001s  run        started (r)",
    "   0.002s  text       Let me see.",
    '   0.004s  call       weather {"city":"Bern"}',
    "   0.011s  result     weather failed: no such city",
    "   0.012s  run        failed: it broke [E1]",
    "",
  ]);
});

test("failures are red on a terminal, and nothing else is", () => {
  const lines = shown(events, { isTTY: true }).split("\n");
  expect(lines.flatMap((line) => line.split("\u001b[31m")[1]?.split("\u001b[39m")[0] ?? [])).toEqual([
    "result     weather failed: no such city",
    "run        failed: it broke [E1]",
  ]);
});

test("what was still streaming when the run broke is shown before its end", () => {
  const broken = shown([events[1], events[2], events.at(-1)] as BaseEvent[]).split("\n");
  expect(broken.map((line) => line.slice(11))).toEqual([
    "text       Let me",
    "run        failed: it broke [E1]",
    "",
  ]);
});

test("for machines every event is one line of JSON", () => {
  const lines = shown(events, { json: true }).trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toEqual(events);
});

test("what a tool says does not steer the terminal", () => {
  const evil = shown([{ type: EventType.CUSTOM, name: "x", value: "\u001b[2J\u0007\nsecond" } as BaseEvent]);
  expect(evil.trimEnd()).not.toMatch(/\p{Cc}/u);
});

test("colours are off where the output is no terminal or NO_COLOR is set", () => {
  expect(paintFor({ isTTY: true }, {}).red("x")).toBe("\u001b[31mx\u001b[39m");
  expect(paintFor({ isTTY: true }, { NO_COLOR: "1" }).red("x")).toBe("x");
  expect(paintFor({}, {}).red("x")).toBe("x");
});
