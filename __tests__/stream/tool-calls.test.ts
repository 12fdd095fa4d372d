import { translateRun } from "../support/fold";
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
  toolMessage,
  tuple,
  updates,
  values,
} from "./rows";

const calls = (...pieces: Record<string, unknown>[]) => streams({ tool_call_chunks: pieces });

/** The arguments that the client has of each call in the end, and how often it was told a start and an end. */
function callsIn(events: readonly unknown[]) {
  const found: Record<string, { args: string; starts: number; ends: number }> = {};
  for (const one of events as Record<string, string>[]) {
    const id = one.toolCallId;
    if (id === undefined) continue;
    found[id] ??= { args: "", starts: 0, ends: 0 };
    if (one.type === "TOOL_CALL_START") found[id].starts += 1;
    if (one.type === "TOOL_CALL_ARGS") found[id].args += one.delta;
    if (one.type === "TOOL_CALL_END") found[id].ends += 1;
  }
  return found;
}

const once = (args: string) => ({ args, starts: 1, ends: 1 });

describe("parallel calls", () => {
  const expected = { a: once('{"q":1}'), b: once('{"q":2}') };

  it.each([
    [
      "one after the other",
      [
        calls(startsCall(0, "a")),
        calls(goesOn(0, '{"q":1}')),
        calls(startsCall(1, "b")),
        calls(goesOn(1, '{"q":2}')),
      ],
    ],
    [
      "both starts in one chunk",
      [calls(startsCall(0, "a"), startsCall(1, "b")), calls(goesOn(0, '{"q":1}'), goesOn(1, '{"q":2}'))],
    ],
    [
      "interleaved",
      [
        calls(startsCall(0, "a", "search", '{"q"'), startsCall(1, "b", "search", '{"q"')),
        calls(goesOn(1, ":2}")),
        calls(goesOn(0, ":1}")),
      ],
    ],
    [
      "whole, in one chunk, all with one index",
      [calls(startsCall(0, "a", "search", '{"q":1}'), startsCall(0, "b", "search", '{"q":2}'))],
    ],
    [
      "whole, without an index",
      [calls({ id: "a", name: "search", args: '{"q":1}' }, { id: "b", name: "search", args: '{"q":2}' })],
    ],
    [
      "with the id in each piece",
      [
        calls(startsCall(0, "a", "search", '{"q"'), startsCall(1, "b", "search", '{"q"')),
        calls({ index: 1, id: "b", args: ":2}" }, { index: 0, id: "a", args: ":1}" }),
      ],
    ],
    [
      "with empty strings for what is missing",
      [
        calls(startsCall(0, "a", "search", '{"q"')),
        calls({ index: 0, id: "", name: "", args: ":1}" }),
        calls(startsCall(1, "b", "search", '{"q":2}')),
      ],
    ],
  ])("%s: each has its arguments, once", (_how, rows) => {
    expect(
      callsIn(
        translateRun([...rows, streams({ response_metadata: { finish_reason: "tool_calls" } })]).events,
      ),
    ).toEqual(expected);
    const tuples = rows.map((row) =>
      tuple((row.data as { data: { chunk: Record<string, unknown> } }).data.chunk),
    );
    expect(callsIn(translateRun(tuples).events)).toEqual(expected);
  });

  it("with finish reasons other than stop are ended in the chunk that brings it, in a tuple stream", () => {
    const { translator } = translateRun([]);
    translator.translate(tuple(chunk({ tool_call_chunks: [startsCall(0, "a", "search", '{"q":')] })));
    const last = translator.translate(
      tuple(
        chunk({ tool_call_chunks: [goesOn(0, "1}")], response_metadata: { finish_reason: "tool_calls" } }),
      ),
    );
    expect(brief(last)).toEqual(["TOOL_CALL_ARGS a 1}", "TOOL_CALL_END a"]);
  });
});

describe("the id and the name of a call", () => {
  it("may come one after the other: the call starts when both are there", () => {
    const { events } = translateRun([
      calls({ index: 0, name: "search", args: "" }),
      calls({ index: 0, args: '{"q"' }),
      calls({ index: 0, id: "a", args: ":1}" }),
    ]);
    expect(callsIn(events)).toEqual({ a: once('{"q":1}') });
  });

  it("that never come are made of the message's, as in the snapshot", () => {
    const { events } = translateRun([calls({ index: 0, name: "search", args: "{}" })]);
    expect(callsIn(events)).toEqual({ "m1-call-0": once("{}") });
  });
});

describe("arguments", () => {
  it("come with a call that a model gives whole", () => {
    const { events } = translateRun([
      streams({ tool_calls: [{ id: "a", name: "search", args: { q: 1 } }], tool_call_chunks: [] }),
    ]);
    expect(callsIn(events)).toEqual({ a: once('{"q":1}') });
  });

  it("that are an object come as its text", () => {
    const { events } = translateRun([calls({ index: 0, id: "a", name: "search", args: { q: 1 } })]);
    expect(callsIn(events)).toEqual({ a: once('{"q":1}') });
  });

  const late = [{ id: "a", name: "search", args: { q: 1 } }];
  it.each([
    ["the end of the model", modelEnds({ tool_calls: late })],
    ["the updates", updates("model", { messages: [ai("m1", "", ...late)] })],
    ["the values", values([human("u1"), ai("m1", "", ...late)])],
    ["a whole message", tuple(ai("m1", "", ...late))],
  ])("that come only with %s are filled in, once", (_where, row) => {
    const rows = [
      values([human("u1")]),
      calls(startsCall(0, "a")),
      streams({ response_metadata: { finish_reason: "stop" } }),
      row,
      row,
    ];
    expect(callsIn(translateRun(rows).events)).toEqual({ a: once('{"q":1}') });
  });

  it("of a call without any are an empty object", () => {
    expect(callsIn(translateRun([calls(startsCall(0, "a"))]).events)).toEqual({ a: once("{}") });
  });

  it("are not repeated by a late chunk with the whole of a call that has ended", () => {
    const whole = calls(startsCall(0, "a", "search", '{"q":1}'));
    const finish = streams({ response_metadata: { finish_reason: "tool_calls" } });
    expect(callsIn(translateRun([whole, finish, whole]).events)).toEqual({ a: once('{"q":1}') });
  });
});

describe("a call under an id that an earlier call had", () => {
  it("is announced once that one has its result: some models take the tool's name for an id", () => {
    const known = [
      human("u1"),
      ai("m0", "", { id: "a", name: "search", args: { q: 1 } }),
      toolMessage("a", "found"),
    ];
    const { events } = translateRun(
      [streams({ tool_call_chunks: [startsCall(0, "a", "search", '{"q":2}')] })],
      {
        knownMessages: known as never,
      },
    );
    expect(brief(events).slice(0, 3)).toEqual([
      "TOOL_CALL_START a search",
      'TOOL_CALL_ARGS a {"q":2}',
      "TOOL_CALL_END a",
    ]);
  });
});

describe("a call that an earlier run has announced", () => {
  it("is not announced again; only its result comes", () => {
    const known = [human("u1"), ai("m1", "", { id: "a", name: "search", args: { q: 1 } })];
    const { events } = translateRun(
      [
        streams({ tool_call_chunks: [startsCall(0, "a", "search", '{"q":1}')] }),
        event(
          "on_tool_end",
          { output: toolMessage("a", "found"), input: { q: 1 } },
          { name: "search", metadata: at("tools", 2) },
        ),
        tuple(toolMessage("a", "found"), at("tools", 2)),
      ],
      { knownMessages: known as never },
    );
    expect(brief(events)).toEqual(
      ["TOOL_CALL_RESULT result-a found"].map((line) => line.replace("result-a", "a")),
    );
  });
});
