import type { AIMessage, BaseMessage, ToolMessage } from "@langchain/core/messages";
import { messagesStateReducer } from "@langchain/langgraph";
import fc from "fast-check";
import { convertMessages } from "../../src/history/convert";
import { guardForModel } from "../../src/history/guard-for-model";
import { prepareHistory } from "../../src/history/prepare";
import { checkHistory } from "../../src/history/rules";
import type { AguiMessage } from "../../src/types";
import { answered, called, user } from "./messages";

const cyclic: Record<string, unknown> = { type: "text" };
cyclic.self = cyclic;

test.each<[string, unknown]>([
  ["null", null],
  ["numbers", 7],
  ["no role", {}],
  ["a role that is no text", { role: {} }],
  ["no content", { id: "x", role: "user" }],
  ["cyclic content", { id: "x", role: "user", content: cyclic }],
  ["cyclic parts", { id: "x", role: "user", content: [cyclic, null, 7] }],
  [
    "cyclic calls",
    {
      id: "x",
      role: "assistant",
      toolCalls: [cyclic, null, { id: {}, function: { name: [], arguments: cyclic } }],
    },
  ],
  ["calls that are no list", { id: "x", role: "assistant", content: null, toolCalls: "c1" }],
  ["a result for nothing", { id: {}, role: "tool", toolCallId: null, content: cyclic, error: cyclic }],
  [
    "control characters",
    {
      id: "\u0000\u001b",
      role: "assistant",
      content: "\u0000",
      toolCalls: [{ id: "\u0000", function: { name: "\u0000" } }],
    },
  ],
])("a message with %s breaks nothing", (_, message) => {
  const history = [user("u", "hi"), message as AguiMessage, user("v", "more")];
  const converted = convertMessages(history);
  expect(checkHistory(converted)).toEqual([]);
  expect(converted.map(({ content }) => content)).toEqual(expect.arrayContaining(["hi", "more"]));
  const { messages, update } = prepareHistory({ checkpoint: [], input: history });
  expect(checkHistory(messages, { anyCallId: true })).toEqual([]);
  expect(messagesStateReducer([], update as unknown as BaseMessage[])).toHaveLength(messages.length);
});

test("any value in a checkpoint, or from a client, is taken or reported", () => {
  fc.assert(
    fc.property(fc.array(fc.anything(), { maxLength: 5 }), (values) => {
      const history = values as AguiMessage[];
      expect(checkHistory(convertMessages(history), { liveEnd: true })).toEqual([]);
      const { messages } = prepareHistory({ checkpoint: values, input: [...history, user("u", "hi")] });
      expect(checkHistory(messages, { anyCallId: true })).toEqual([]);
      expect(checkHistory(guardForModel(values as BaseMessage[]))).toEqual([]);
    }),
    { numRuns: 1000 },
  );
});

test("messages with the right keys and any values are taken or reported", () => {
  const value = fc.oneof(fc.anything({ maxDepth: 2 }), fc.constantFrom("c1", "search", "__proto__"));
  const message = fc.record(
    {
      id: value,
      role: fc.constantFrom("user", "assistant", "tool", "system"),
      type: fc.constantFrom("human", "ai", "tool", "system", "generic", "remove"),
      content: value,
      toolCalls: value,
      tool_calls: fc.oneof(
        value,
        fc.array(fc.record({ id: value, name: value, args: value }), { maxLength: 2 }),
      ),
      invalid_tool_calls: value,
      toolCallId: value,
      tool_call_id: value,
      name: value,
      status: value,
      error: value,
      additional_kwargs: value,
      response_metadata: value,
    },
    { requiredKeys: ["role", "type"] },
  );
  fc.assert(
    fc.property(fc.array(message, { maxLength: 5 }), (values) => {
      const history = values as unknown as AguiMessage[];
      expect(checkHistory(convertMessages(history), { liveEnd: true })).toEqual([]);
      const { messages } = prepareHistory({ checkpoint: values, input: history });
      expect(checkHistory(messages, { liveEnd: true, anyCallId: true })).toEqual([]);
    }),
    { numRuns: 2000 },
  );
});

test("no name, id or argument reaches a prototype", () => {
  const history = [
    called("__proto__", [
      "__proto__",
      "__proto__",
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
    ]),
    answered("constructor", "__proto__", "ok"),
  ];
  const converted = convertMessages(history);
  expect((converted[1] as ToolMessage).name).toBe("__proto__");
  expect(Object.keys((converted[0] as AIMessage).tool_calls?.[0]?.args ?? {})).toEqual(["constructor"]);
  prepareHistory({ checkpoint: converted, input: history });
  expect(({} as { polluted?: number }).polluted).toBeUndefined();
});

describe("ten thousand calls in one message", () => {
  const calls = (id: (at: number) => string) => [
    called("a", ...Array.from({ length: 10_000 }, (_, at) => id(at))),
    ...Array.from({ length: 10_000 }, (_, at) => answered(`t${at}`, id(at), `r${at}`)),
  ];

  test.each<[string, (at: number) => string]>([
    ["each with its id", (at) => `c${at}`],
    ["all with one id", () => "c"],
    ["all without", () => ""],
  ])("%s find their results", (_, id) => {
    const history = calls(id);
    const converted = convertMessages(history);
    expect(checkHistory(converted)).toEqual([]);
    expect(converted.slice(1).every(({ content }, at) => content === `r${at}`)).toBe(true);
    const { messages } = prepareHistory({ checkpoint: converted, input: [...history, user("u", "hi")] });
    expect(messages).toHaveLength(10_002);
  });

  test("that nothing answers are answered", () => {
    const [message] = calls((at) => `c${at}`);
    const history = [message as AguiMessage, user("u", "hi")];
    expect(convertMessages(history)).toHaveLength(10_002);
    expect(convertMessages(history, [], { danglingCalls: "demote" })).toHaveLength(1);
  });
});
