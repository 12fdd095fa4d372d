import { comparable, fold, translateRun } from "../support/fold";
import { ai, at, human, modelEnds, startsCall, streams, toolMessage, values } from "./rows";

const snapshots = (events: readonly { type: string }[]) =>
  events.filter(({ type }) => type === "MESSAGES_SNAPSHOT");
const before = [{ id: "u1", role: "user" as const, content: "hi" }];
const left = { run_id: "left", metadata: at("left") };
const right = { run_id: "right", metadata: at("right") };

const sideBySide = [
  values([human("u1")]),
  streams({ id: "r", content: "from the right" }, right),
  streams({ id: "l", content: "from the left" }, left),
  modelEnds({ id: "r", content: "from the right" }, right),
  modelEnds({ id: "l", content: "from the left" }, left),
];
const both = [human("u1"), ai("l", "from the left"), ai("r", "from the right")];

it("messages of nodes side by side end up in the order of the checkpoint", async () => {
  const { events } = translateRun([...sideBySide, values(both)]);
  const { messages } = await fold(events, before);
  expect(messages.map(({ id }) => id)).toEqual(["u1", "l", "r"]);
});

it("reasoning that came after a text ends up before it, also where it is the first of all", async () => {
  const content = [
    { type: "text", text: "So" },
    { type: "thinking", thinking: "Hm" },
  ];
  const { events } = translateRun([
    values([human("u1")]),
    streams({ content }),
    values([human("u1"), ai("m1", content)]),
  ]);
  const { messages } = await fold(events, before);
  expect(messages.map(comparable)).toEqual([
    comparable(before[0]!),
    { id: "m1-thinking-1", role: "reasoning", content: "Hm" },
    { id: "m1", role: "assistant", content: "So" },
  ]);
});

describe("a message that has only calls, which are not to be seen", () => {
  const call = { id: "c1", name: "search", args: {} };
  const muted = { metadata: { ...at("model"), "emit-tool-calls": false } };
  const asked = { ...ai("m1", ""), tool_calls: [call] };
  const speaks = [
    values([human("u1")]),
    streams({ id: "m1", content: "", tool_call_chunks: [startsCall(0, "c1")] }, muted),
    values([human("u1"), asked]),
  ];
  const answers = [
    values([human("u1"), asked, toolMessage("c1", "found")]),
    streams({ id: "m2", content: "There." }, { run_id: "next", metadata: at("next", 2) }),
    values([human("u1"), asked, toolMessage("c1", "found"), ai("m2", "There.")]),
  ];
  const shown = (events: readonly { type: string }[]) =>
    events.filter(({ type }) => /^(TEXT|TOOL_CALL_START)/.test(type)).map(({ type }) => type);

  it("is nothing while the run goes on", () => {
    expect(shown(translateRun(speaks).events)).toEqual([]);
  });

  it("stands in its place in the end", async () => {
    const { events } = translateRun([...speaks, ...answers]);
    expect(shown(events)).toEqual(["TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END"]);
    const { messages } = await fold(events, before);
    expect(messages.map(({ id, role }) => `${role} ${id}`)).toEqual([
      "user u1",
      "assistant m1",
      "tool result-c1",
      "assistant m2",
    ]);
  });
});

describe("no snapshot is sent", () => {
  it("where all is in order", () => {
    const { events } = translateRun([
      values([human("u1")]),
      streams({ content: "a" }),
      values([human("u1"), ai("m1", "a")]),
    ]);
    expect(snapshots(events)).toEqual([]);
  });

  it("that lacks what was streamed since", async () => {
    const next = streams({ id: "m3", content: "more" }, { run_id: "next", metadata: at("next", 2) });
    const { events } = translateRun([...sideBySide, next, values(both)]);
    expect(snapshots(events)).toEqual([]);
    const { messages } = await fold(events, before);
    expect(messages.map(({ id }) => id)).toEqual(["u1", "r", "l", "m3"]);
  });

  it("of a run that failed", () => {
    const { events } = translateRun([
      ...sideBySide,
      values(both),
      { event: "error", data: { message: "boom" } },
    ]);
    expect(snapshots(events)).toEqual([]);
  });

  it("with pinTextMessages, whose bubbles are no messages of the checkpoint", () => {
    const { events } = translateRun([...sideBySide, values(both)], { pinTextMessages: true });
    expect(snapshots(events)).toEqual([]);
  });
});
