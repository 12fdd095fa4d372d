import {
  AIMessage,
  AIMessageChunk,
  ChatMessage,
  FunctionMessage,
  HumanMessage,
  RemoveMessage,
  SystemMessage,
  ToolMessage,
} from "@langchain/core/messages";
import fc from "fast-check";
import { readMessage } from "../../src/messages/read-message";

const instances = [
  new HumanMessage({ id: "1", content: "hi", name: "bob" }),
  new AIMessage({
    id: "1",
    content: [{ type: "text", text: "x" }],
    tool_calls: [{ id: "c", name: "n", args: {} }],
  }),
  new AIMessageChunk({
    id: "1",
    content: "",
    tool_call_chunks: [{ index: 0, args: "{", id: "c", name: "n" }],
  }),
  new SystemMessage({ id: "1", content: "be" }),
  new ToolMessage({
    id: "1",
    content: "x",
    tool_call_id: "c",
    status: "error",
    additional_kwargs: { error: "e" },
  }),
  new FunctionMessage({ id: "1", content: "x", name: "n" }),
  new ChatMessage({ id: "1", content: "x", role: "user" }),
  new RemoveMessage({ id: "1" }),
];

const types = ["human", "ai", "ai", "system", "tool", "function", "generic", "remove"];

describe("a message", () => {
  it("is the value itself where that is a plain dict", () => {
    const dict = { type: "ai", content: "x" };
    expect(readMessage(dict)).toBe(dict);
  });

  it.each(instances.map((message, index) => [types[index], message] as const))(
    "of type %s is read from an instance, its serialised and its stored form alike",
    (type, message) => {
      const dict = readMessage(message);
      expect(dict).toMatchObject({ type, id: "1", content: message.content });
      expect(Object.getPrototypeOf(dict)).toBe(Object.prototype);
      const fields = message.toJSON();
      for (const form of [fields, JSON.parse(JSON.stringify(message)), message.toDict()]) {
        expect(readMessage(form)).toMatchObject({ type, id: "1", content: message.content });
      }
    },
  );

  it("of an instance has all that the adapter reads", () => {
    expect(readMessage(instances[4])).toMatchObject({
      tool_call_id: "c",
      status: "error",
      additional_kwargs: { error: "e" },
    });
    expect(readMessage(instances[2])).toMatchObject({ tool_call_chunks: [{ id: "c" }] });
  });

  it.each([
    ["AIMessageChunk", "ai"],
    ["HumanMessage", "human"],
    ["HumanMessageChunk", "human"],
    ["ToolMessage", "tool"],
    ["SystemMessageChunk", "system"],
    ["FunctionMessageChunk", "function"],
    ["ChatMessageChunk", "generic"],
    ["RemoveMessage", "remove"],
    ["user", "human"],
    ["assistant", "ai"],
    ["developer", "developer"],
  ])("of Python's type %s is of type %s, with all else kept", (type, plain) => {
    expect(readMessage({ type, content: "x", id: "1", usage: 1 })).toEqual({
      type: plain,
      content: "x",
      id: "1",
      usage: 1,
    });
  });

  it.each([
    [null],
    [undefined],
    ["ai"],
    [7],
    [[]],
    [{}],
    [{ type: "activity" }],
    [{ type: 7 }],
    [() => "ai"],
  ])("is not read from %p", (value) => expect(readMessage(value)).toBeUndefined());

  it("is never the reason for a crash", () => {
    const trap = new Proxy(
      {},
      {
        get: () => {
          throw new Error("trap");
        },
      },
    );
    expect(readMessage(trap)).toBeUndefined();
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withNullPrototype: true }), (value) => {
        const message = readMessage(value);
        expect(message === undefined || typeof message.type === "string").toBe(true);
      }),
      { numRuns: 3000 },
    );
  });
});
