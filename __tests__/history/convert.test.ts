import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import fc from "fast-check";
import { type ConvertMessagesOptions, convertMessages } from "../../src/history/convert";
import { aguiMessagesToLangChain } from "../../src/messages/to-langchain";
import type { AguiMessage, HistoryRepair } from "../../src/types";
import { answered, called, said, user } from "./messages";

function convert(messages: AguiMessage[], allowed?: Iterable<string>, options: ConvertMessagesOptions = {}) {
  const repairs: HistoryRepair[] = [];
  const converted = convertMessages(messages, allowed, {
    ...options,
    onRepair: (repair) => repairs.push(repair),
  });
  return { converted, repairs, kinds: repairs.map(({ kind }) => kind), shape: converted.map(shapeOf) };
}

/** A message in one line: type, content, calls or the call that is answered. */
function shapeOf(message: { type: string; content: unknown }): string {
  const { tool_calls: calls = [], tool_call_id: callId, name } = message as ToolMessage & AIMessage;
  const of = callId === undefined ? calls.map(({ id }) => ` ${id}`).join("") : ` ${callId}=${name}`;
  return `${message.type}${of}: ${typeof message.content === "string" ? message.content : JSON.stringify(message.content)}`;
}

const UNANSWERED = "The tool call was never answered: the run ended before its result came.";

test("real LangChain messages come out", () => {
  const { converted } = convert([user("u", "hi"), called("a", "c1"), answered("t", "c1", "ok")]);
  expect(converted.map((message) => message.constructor)).toEqual([HumanMessage, AIMessage, ToolMessage]);
});

test("a valid history comes out as the plain conversion gives it, apart from the names of the tools", () => {
  const history = [
    { id: "s", role: "system", content: "be kind" } as AguiMessage,
    user("u", [
      { type: "text", text: "look" },
      { type: "image", source: { type: "url", value: "https://x.org/a.png" } },
    ]),
    called("a", "c1", ["c2", "look", "{}"]),
    answered("t1", "c1", "ok"),
    answered("t2", "c2", "", { error: "no light" }),
    said("b", "done"),
  ];
  const { converted, repairs } = convert(history);
  expect(repairs).toEqual([]);
  const names: Record<string, string> = { t1: "search", t2: "look" };
  expect(
    converted.map(({ id, type, content, additional_kwargs }) => ({ id, type, content, additional_kwargs })),
  ).toEqual(
    aguiMessagesToLangChain(history).map(({ id, type, content, additional_kwargs = {} }) => ({
      id,
      type,
      content,
      additional_kwargs,
    })),
  );
  expect(
    converted.flatMap((message) => (message.type === "tool" ? [[message.id, message.name]] : [])),
  ).toEqual(Object.entries(names));
});

describe("a call that nothing will answer", () => {
  const history = [user("u", "hi"), called("a", "c1"), user("v", "go on")];

  test("is answered by a failed result right after its message", () => {
    const { shape, converted, repairs } = convert(history);
    expect(shape).toEqual(["human: hi", "ai c1: ", `tool c1=search: ${UNANSWERED}`, "human: go on"]);
    expect((converted[2] as ToolMessage).status).toBe("error");
    expect(repairs).toEqual([
      { kind: "dangling-call", messageId: "a", toolCallId: "c1", detail: expect.any(String) },
    ]);
  });

  test("is taken out, and its message with it where nothing else is said", () => {
    expect(convert(history, [], { danglingCalls: "demote" }).shape).toEqual(["human: hi", "human: go on"]);
    const [first, call, last] = history as [AguiMessage, AguiMessage, AguiMessage];
    const speaking = [first, { ...call, content: "I will look" } as AguiMessage, last];
    expect(convert(speaking, [], { danglingCalls: "demote" }).shape).toEqual([
      "human: hi",
      "ai: I will look",
      "human: go on",
    ]);
  });

  test("is left alone at the end of the history, also when its neighbour was answered", () => {
    const { shape, repairs } = convert([user("u", "hi"), called("a", "c1", "c2"), answered("t", "c2", "ok")]);
    expect(shape).toEqual(["human: hi", "ai c1 c2: ", "tool c2=search: ok"]);
    expect(repairs).toEqual([]);
  });

  test("is left alone where the coming run answers it", () => {
    const { shape } = convert(history, [], { openCallIds: ["c1"] });
    expect(shape).toEqual(["human: hi", "ai c1: ", "human: go on"]);
  });
});

test("a result without a call before it is dropped, and no call is made up", () => {
  const { shape, kinds } = convert([
    answered("t0", "c1", "early"),
    user("u", "hi"),
    called("a", "c1"),
    answered("t", "c1", "ok"),
    answered("x", "zz", "lost"),
  ]);
  expect(shape).toEqual(["human: hi", "ai c1: ", "tool c1=search: ok"]);
  expect(kinds).toEqual(["orphan-result", "orphan-result"]);
});

test("results stand after their message, in the order of the calls", () => {
  const { shape, kinds } = convert([
    called("a", "c1", "c2"),
    said("b", "wait"),
    answered("t2", "c2", "two"),
    user("u", "?"),
    answered("t1", "c1", "one"),
  ]);
  expect(shape).toEqual(["ai c1 c2: ", "tool c1=search: one", "tool c2=search: two", "ai: wait", "human: ?"]);
  expect(kinds).toContain("result-moved");
});

describe("two results for one call", () => {
  test("the first real one stays", () => {
    const { shape, repairs } = convert([
      called("a", "c1"),
      answered("t1", "c1", "one"),
      answered("t2", "c1", "two"),
    ]);
    expect(shape).toEqual(["ai c1: ", "tool c1=search: one"]);
    expect(repairs).toMatchObject([{ kind: "duplicate-result", messageId: "t2", toolCallId: "c1" }]);
  });

  test("a placeholder gives way to the real one", () => {
    const { shape, kinds } = convert([
      called("a", "c1"),
      answered("t1", "c1", "Forwarded to client"),
      said("b", "hm"),
      answered("t2", "c1", "two"),
    ]);
    expect(shape).toEqual(["ai c1: ", "tool c1=search: two", "ai: hm"]);
    expect(kinds).toEqual(["placeholder-replaced"]);
  });

  test("our own answer to a dangling call gives way too, after the client has sent it back", () => {
    const { shape } = convert([
      called("a", "c1"),
      answered("t1", "c1", UNANSWERED, { error: UNANSWERED }),
      user("u", "?"),
      answered("t2", "c1", "two"),
    ]);
    expect(shape).toEqual(["ai c1: ", "tool c1=search: two", "human: ?"]);
  });
});

describe("call ids", () => {
  test("used twice are told apart, each with its own result", () => {
    const { shape, repairs } = convert([
      called("a", "call_0"),
      answered("t1", "call_0", "one"),
      user("u", "again"),
      called("b", "call_0"),
      answered("t2", "call_0", "two"),
    ]);
    expect(shape).toEqual([
      "ai call_0: ",
      "tool call_0=search: one",
      "human: again",
      "ai call_0-2: ",
      "tool call_0-2=search: two",
    ]);
    expect(repairs).toMatchObject([{ kind: "call-id-reused", messageId: "b", toolCallId: "call_0" }]);
  });

  test("used twice in one message are told apart by their place", () => {
    const { shape } = convert([
      called("a", ["x", "search", "{}"], ["x", "look", "{}"]),
      answered("t1", "x", "one"),
      answered("t2", "x", "two"),
    ]);
    expect(shape).toEqual(["ai x x-2: ", "tool x=search: one", "tool x-2=look: two"]);
  });

  test("that are missing are made, from the message and the place alone", () => {
    const history = [called("a", "", ""), answered("t1", "", "one"), answered("t2", "", "two")];
    const { converted, kinds } = convert(history);
    const ids = (converted[0] as AIMessage).tool_calls?.map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
    expect(converted.slice(1).map((message) => (message as ToolMessage).tool_call_id)).toEqual(ids);
    expect(kinds).toEqual(["call-id-missing", "call-id-missing"]);
    expect(convert(history).shape).toEqual(convert(structuredClone(history)).shape);
  });

  test.each(["call:1", "x".repeat(65), "ü", "a b", "\u0000"])(
    "that a provider refuses are mapped on both sides: %j",
    (id) => {
      const { converted, kinds } = convert([called("a", id), answered("t", id, "ok")]);
      const [mapped] = (converted[0] as AIMessage).tool_calls?.map((call) => call.id) ?? [];
      expect(mapped).toMatch(/^[a-zA-Z0-9_-]{1,40}$/);
      expect((converted[1] as ToolMessage).tool_call_id).toBe(mapped);
      expect(kinds).toEqual(["call-id-mapped"]);
    },
  );

  test("that differ stay different when they are mapped", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.string({ minLength: 1, maxLength: 80, unit: "binary" }), {
          minLength: 2,
          maxLength: 8,
        }),
        (ids) => {
          const { converted } = convert(
            ids.flatMap((id, at) => [called(`a${at}`, id), answered(`t${at}`, id, `r${at}`)]),
          );
          const results = converted.filter(({ type }) => type === "tool") as ToolMessage[];
          expect(results.map(({ content }) => content)).toEqual(ids.map((_, at) => `r${at}`));
          expect(new Set(results.map((message) => message.tool_call_id)).size).toBe(ids.length);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe("arguments", () => {
  test.each([
    ['{"q":', {}],
    ['{}{"q":1}', { q: 1 }],
    ["[1]", {}],
    ["", {}],
    ["null", {}],
    ["nonsense", {}],
  ])("%j never break the pair, and are reported", (raw, args) => {
    const { converted, kinds } = convert([called("a", ["c1", "search", raw]), answered("t", "c1", "ok")]);
    expect((converted[0] as AIMessage).tool_calls).toMatchObject([{ id: "c1", name: "search", args }]);
    expect((converted[1] as ToolMessage).content).toBe("ok");
    expect(kinds).toEqual([expect.stringMatching(/^arguments-/)]);
  });
});

describe("a call that was written as text", () => {
  const history = (text: string) => [
    user("u", "hi"),
    said("a", text),
    answered("t", "c9", "ok"),
    said("b", "done"),
  ];

  test.each([new Set(["search"]), ["search"], "search"])(
    "becomes a native call under the id of its result: %p",
    (allowed) => {
      const { converted, kinds } = convert(history('[search(q="x")]'), allowed);
      expect((converted[1] as AIMessage).tool_calls).toMatchObject([
        { id: "c9", name: "search", args: { q: "x" } },
      ]);
      expect(converted[1]?.content).toBe("");
      expect(converted[2]).toMatchObject({ tool_call_id: "c9", name: "search", content: "ok" });
      expect(kinds).toEqual(["text-call-promoted"]);
    },
  );

  test.each([
    ["without allowed names", undefined, history("[search()]")],
    ["for a tool that is not allowed", ["look"], history("[search()]")],
    ["with words around it", ["search"], history("I call [search()] now")],
    ["without a result", ["search"], [said("a", "[search()]"), user("u", "?")]],
    [
      "with a message before the result",
      ["search"],
      [said("a", "[search()]"), user("u", "?"), answered("t", "c9", "ok")],
    ],
    [
      "with the result of another call",
      ["search"],
      [called("x", "c9"), said("a", "[search()]"), answered("t", "c9", "ok")],
    ],
  ])("stays text %s", (_, allowed, messages) => {
    const { converted } = convert(messages, allowed);
    const text = converted.find(({ id }) => id === "a") as AIMessage;
    expect(text.content).toContain("[search()]");
    expect(text.tool_calls).toEqual([]);
  });
});

describe("failures", () => {
  test("can be read in the content alone", () => {
    const { converted } = convert([
      called("a", "c1", "c2"),
      answered("t1", "c1", "", { error: "quota" }),
      answered("t2", "c2", "42", { error: "quota" }),
    ]);
    expect(converted.slice(1).map(({ content }) => content)).toEqual(["quota", "quota\n42"]);
  });

  test("stay as they are when that is wanted", () => {
    const { converted } = convert([called("a", "c1"), answered("t1", "c1", "42", { error: "quota" })], [], {
      toolErrorContent: "as-is",
    });
    expect(converted[1]).toMatchObject({
      content: "42",
      status: "error",
      additional_kwargs: { error: "quota" },
    });
  });
});

test("empty messages and blank blocks go; an empty last answer and messages with calls stay", () => {
  const blank = { type: "text", text: " " };
  const { shape, kinds } = convert([
    user("u", ""),
    user("v", [blank, { type: "text", text: "hi" }]),
    said("a", ""),
    called("b", "c1"),
    answered("t", "c1", ""),
    said("c", ""),
  ]);
  expect(shape).toEqual(['human: [{"type":"text","text":"hi"}]', "ai c1: ", "tool c1=search: ", "ai: "]);
  expect(kinds).toEqual(["empty-content", "empty-content", "empty-content"]);
});

test("what has no counterpart is left out and reported", () => {
  const odd = [
    null,
    7,
    "text",
    { id: "w", role: "wizard", content: "x" },
    { id: "d", role: "developer", content: "x" },
  ];
  const { shape, repairs } = convert([...odd, user("u", "hi")] as AguiMessage[]);
  expect(shape).toEqual(["human: hi"]);
  expect(repairs.map(({ kind, messageId }) => `${kind} ${messageId}`)).toEqual([
    "message-skipped ",
    "message-skipped ",
    "message-skipped ",
    "message-skipped w",
    "message-skipped d",
  ]);
});

test("what is given is not changed", () => {
  const history = [
    called("a", "c1", ["", "search", "{"]),
    said("b", ""),
    answered("t", "c1", "", { error: "x" }),
    user("u", "hi"),
  ];
  const copy = structuredClone(history);
  convert(history);
  expect(history).toEqual(copy);
});
