import { comparable, fold, translateRun } from "../support/fold";
import {
  ai,
  at,
  brief,
  chunk,
  event,
  goesOn,
  human,
  modelEnds,
  startsCall,
  streams,
  tuple,
  updates,
  values,
} from "./rows";

describe("the text of a message", () => {
  it("ends where a call starts in the next chunk, and the call is not lost", () => {
    const { events } = translateRun([
      streams({ content: "hello" }),
      streams({ tool_call_chunks: [startsCall(0, "c1", "search", "{}")] }),
    ]);
    expect(brief(events)).toEqual([
      "TEXT_MESSAGE_START m1",
      "TEXT_MESSAGE_CONTENT m1 hello",
      "TEXT_MESSAGE_END m1",
      "TOOL_CALL_START c1 search",
      "TOOL_CALL_ARGS c1 {}",
      "TOOL_CALL_END c1",
    ]);
  });

  it("comes out with the call of the same chunk", () => {
    const { events } = translateRun([
      streams({ content: "hello", tool_call_chunks: [startsCall(0, "c1", "search", "{}")] }),
    ]);
    expect(brief(events).slice(0, 4)).toEqual([
      "TEXT_MESSAGE_START m1",
      "TEXT_MESSAGE_CONTENT m1 hello",
      "TEXT_MESSAGE_END m1",
      "TOOL_CALL_START c1 search",
    ]);
  });

  it.each(["finish_reason", "finishReason", "stop_reason", "stopReason", "done_reason"])(
    "of the last chunk comes before its end (%s)",
    (key) => {
      const { translator } = translateRun([]);
      const first = translator.translate(streams({ content: "a" }));
      const last = translator.translate(streams({ content: "b", response_metadata: { [key]: "stop" } }));
      expect(brief([...first, ...last])).toEqual([
        "TEXT_MESSAGE_START m1",
        "TEXT_MESSAGE_CONTENT m1 a",
        "TEXT_MESSAGE_CONTENT m1 b",
        "TEXT_MESSAGE_END m1",
      ]);
    },
  );

  it("is all the text blocks of a chunk", () => {
    const content = [
      { type: "text", text: "one " },
      { type: "text", text: "two" },
    ];
    const { events } = translateRun([streams({ content })]);
    expect(brief(events).join()).toContain("TEXT_MESSAGE_CONTENT m1 one ,TEXT_MESSAGE_CONTENT m1 two");
  });

  it("has one id, also when later chunks of the model run have another", () => {
    const { events } = translateRun([
      streams({ id: "msg_1", content: "a" }),
      streams({ id: "run-model-1", content: "b" }),
      tuple(chunk({ id: "run-model-1", content: "b" })),
    ]);
    expect(brief(events)).toEqual([
      "TEXT_MESSAGE_START msg_1",
      "TEXT_MESSAGE_CONTENT msg_1 a",
      "TEXT_MESSAGE_CONTENT msg_1 b",
      "TEXT_MESSAGE_END msg_1",
    ]);
  });

  it("is said once, whichever mode tells it first", () => {
    const inEvents = [streams({ content: "a" }), streams({ content: "b" })];
    const inTuples = [tuple(chunk({ content: "a" })), tuple(chunk({ content: "b" }))];
    const expected = brief(translateRun(inEvents).events);
    expect(brief(translateRun(inTuples).events)).toEqual(expected);
    expect(brief(translateRun([...inEvents, ...inTuples]).events)).toEqual(expected);
    expect(brief(translateRun([inTuples[0]!, inEvents[0]!, inTuples[1]!, inEvents[1]!]).events)).toEqual(
      expected,
    );
  });

  it("comes whole where nothing was streamed, and only what is missing where something was", async () => {
    const final = ai("m1", "hello world");
    const rows = [values([human("u1")]), streams({ content: "hello" }), values([human("u1"), final])];
    const { events } = translateRun(rows);
    expect(brief(events)).toContain("TEXT_MESSAGE_CONTENT m1  world");
    expect(brief(translateRun([rows[0]!, rows[2]!]).events)).toContain("TEXT_MESSAGE_CONTENT m1 hello world");
  });

  it("that a node changed afterwards is set right at the end", async () => {
    const { events } = translateRun([
      values([human("u1")]),
      streams({ content: "draft" }),
      modelEnds({ content: "draft" }),
      updates("model", { messages: [ai("m1", "final")] }),
      values([human("u1"), ai("m1", "final")]),
    ]);
    const { messages } = await fold(events, [{ id: "u1", role: "user", content: "hi" }]);
    expect(messages.map(comparable)).toMatchObject([{ id: "u1" }, { id: "m1", content: "final" }]);
  });

  it("of all messages that `messages` rows repeat from the start is said once", () => {
    const partial = (content: string) => ({ event: "messages/partial", data: [chunk({ content })] });
    const { events } = translateRun([partial("he"), partial("hello"), partial("hello"), partial("hello!")]);
    expect(brief(events)).toEqual([
      "TEXT_MESSAGE_START m1",
      "TEXT_MESSAGE_CONTENT m1 he",
      "TEXT_MESSAGE_CONTENT m1 llo",
      "TEXT_MESSAGE_CONTENT m1 !",
      "TEXT_MESSAGE_END m1",
    ]);
  });

  it("of a message of the user that a node adds has the user's role", () => {
    const { events } = translateRun([
      values([human("u1")]),
      values([human("u1"), human("u2", "a question")]),
    ]);
    expect(events).toContainEqual(
      expect.objectContaining({ type: "TEXT_MESSAGE_START", messageId: "u2", role: "user" }),
    );
  });
});

describe("several texts of one node", () => {
  const rows = [
    streams({ id: "m1", content: "a" }),
    streams({ id: "m1", tool_call_chunks: [startsCall(0, "c1", "search", "{}")] }),
    streams({ id: "m2", content: "b" }, { run_id: "model-2" }),
  ];

  it("are several messages", () => {
    expect(brief(translateRun(rows).events)).toContain("TEXT_MESSAGE_CONTENT m2 b");
  });

  it("are one bubble with pinTextMessages, until the next node", () => {
    const next = streams({ id: "m3", content: "c" }, { run_id: "model-3", metadata: at("writer", 2) });
    const { events } = translateRun([...rows, next], { pinTextMessages: true });
    const lines = brief(events);
    expect(lines).toContain("TEXT_MESSAGE_CONTENT m1 b");
    expect(lines).toContain("TEXT_MESSAGE_CONTENT m3 c");
    expect(events).toContainEqual(
      expect.objectContaining({ type: "TOOL_CALL_START", parentMessageId: "m1" }),
    );
  });
});

describe("nodes that speak at once", () => {
  it("keep their texts and calls apart", () => {
    const left = { run_id: "left", metadata: at("left") };
    const right = { run_id: "right", metadata: at("right") };
    const { events } = translateRun([
      streams({ id: "l", content: "1" }, left),
      streams({ id: "r", tool_call_chunks: [startsCall(0, "c1", "search", '{"q"')] }, right),
      streams({ id: "l", tool_call_chunks: [startsCall(0, "c2", "chart", "")] }, left),
      streams({ id: "r", tool_call_chunks: [goesOn(0, ":1}")] }, right),
      streams({ id: "l", tool_call_chunks: [goesOn(0, "{}")] }, left),
    ]);
    expect(brief(events)).toEqual([
      "TEXT_MESSAGE_START l",
      "TEXT_MESSAGE_CONTENT l 1",
      "TOOL_CALL_START c1 search",
      'TOOL_CALL_ARGS c1 {"q"',
      "TEXT_MESSAGE_END l",
      "TOOL_CALL_START c2 chart",
      "TOOL_CALL_ARGS c1 :1}",
      "TOOL_CALL_ARGS c2 {}",
      "TOOL_CALL_END c2",
      "TOOL_CALL_END c1",
    ]);
  });
});

describe("what is not for the client", () => {
  const muted = (key: string, value: unknown) => ({ metadata: { ...at("model"), [key]: value } });
  const call = { tool_call_chunks: [startsCall(0, "c1", "search", "{}")] };

  it.each(["emit-messages", "copilotkit:emit-messages"])("is no text with %s: false", (key) => {
    const { events } = translateRun([
      values([human("u1")]),
      streams({ content: "secret" }, muted(key, false)),
      streams(call, muted(key, false)),
      modelEnds({ content: "secret" }, muted(key, false)),
      values([human("u1"), ai("m1", "secret")]),
    ]);
    expect(brief(events)).toEqual(["TOOL_CALL_START c1 search", "TOOL_CALL_ARGS c1 {}", "TOOL_CALL_END c1"]);
  });

  it.each(["emit-tool-calls", "copilotkit:emit-tool-calls"])(
    "is no call and no result with %s: false",
    (key) => {
      const { events } = translateRun([
        streams({ content: "hi", ...call }, muted(key, false)),
        tuple({ type: "tool", id: "t1", tool_call_id: "c1", content: "found" }, at("tools", 2)),
      ]);
      expect(brief(events)).toEqual([
        "TEXT_MESSAGE_START m1",
        "TEXT_MESSAGE_CONTENT m1 hi",
        "TEXT_MESSAGE_END m1",
      ]);
    },
  );

  it("is every call but the named ones", () => {
    const only = muted("copilotkit:emit-tool-calls", ["chart"]);
    const { events } = translateRun([
      streams({ tool_call_chunks: [startsCall(0, "c1"), startsCall(1, "c2", "chart", "{}")] }, only),
    ]);
    expect(brief(events)).toEqual(["TOOL_CALL_START c2 chart", "TOOL_CALL_ARGS c2 {}", "TOOL_CALL_END c2"]);
  });

  it("is the streaming of a model with the tag nostream; its message comes whole", () => {
    const { events } = translateRun([
      values([human("u1")]),
      streams({ content: "a" }, { tags: ["nostream"] }),
      modelEnds({ content: "ab" }, { tags: ["nostream"] }),
      values([human("u1"), ai("m1", "ab")]),
    ]);
    expect(brief(events)).toEqual([
      "TEXT_MESSAGE_START m1",
      "TEXT_MESSAGE_CONTENT m1 ab",
      "TEXT_MESSAGE_END m1",
    ]);
  });

  it("is what a model that does not stream says to its node alone", () => {
    const { events } = translateRun([
      values([human("u1")]),
      modelEnds({ content: "route: b" }),
      values([human("u1")]),
    ]);
    expect(brief(events)).toEqual([]);
  });

  it("is what subgraphs say, with subgraphs: false, until it is a message of the graph", () => {
    const inside = { metadata: { ...at("inner"), langgraph_checkpoint_ns: "worker:t|inner:t" } };
    const rows = [
      values([human("u1")]),
      streams({ content: "a" }, inside),
      event("on_custom_event", { done: 1 }, { name: "progress", ...inside }),
      values([human("u1"), ai("m1", "ab")]),
    ];
    expect(brief(translateRun(rows, { subgraphs: false }).events)).toEqual([
      'CUSTOM progress {"done":1}',
      "TEXT_MESSAGE_START m1",
      "TEXT_MESSAGE_CONTENT m1 ab",
      "TEXT_MESSAGE_END m1",
    ]);
    expect(brief(translateRun(rows).events)).toContain("TEXT_MESSAGE_CONTENT m1 a");
  });
});
