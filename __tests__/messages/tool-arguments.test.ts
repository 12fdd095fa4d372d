import fc from "fast-check";
import { langchainMessagesToAgui } from "../../src/messages/to-agui";
import { aguiMessagesToLangChain } from "../../src/messages/to-langchain";
import { parseToolArguments } from "../../src/messages/tool-arguments";
import type { AguiMessage } from "../../src/types";

const calling = (...texts: string[]): AguiMessage => ({
  id: "a1",
  role: "assistant",
  content: "",
  toolCalls: texts.map((text, index) => ({
    id: `c${index}`,
    type: "function",
    function: { name: "look", arguments: text },
  })),
});

const backArguments = (stored: unknown): string[] =>
  langchainMessagesToAgui([stored]).flatMap((message) =>
    message.role === "assistant" ? (message.toolCalls ?? []).map((call) => call.function.arguments) : [],
  );

describe("the arguments of a tool call", () => {
  it.each<[string, unknown, object, string]>([
    ["an object", '{"q":"x"}', { q: "x" }, "ok"],
    ["an empty object", "{}", {}, "ok"],
    ["nothing", "", {}, "repaired"],
    ["blanks", " \n", {}, "repaired"],
    ["no text at all", undefined, {}, "repaired"],
    ["an object instead of its text", { q: 1 }, { q: 1 }, "repaired"],
    ["a text that was cut off in a value", '{"q":"par', { q: "par" }, "repaired"],
    ["a text that was cut off between brackets", '{"a":[1,{"b":2}', { a: [1, { b: 2 }] }, "repaired"],
    ["the text of an object as a text", '"{\\"q\\":1}"', { q: 1 }, "repaired"],
    ["an empty object before the real one", '{}{"q":1}', { q: 1 }, "repaired"],
    ["the same object twice", '{"q":1}{"q":1}', { q: 1 }, "repaired"],
    [
      "single quotes, bare keys and a trailing comma",
      "{q: 'x', n: [1, 2,],}",
      { q: "x", n: [1, 2] },
      "repaired",
    ],
    ["Python's literals", '{"a": True, "b": None}', { a: true, b: null }, "repaired"],
    ["two empty objects", "{}{}", {}, "repaired"],
    ["two objects that differ", '{"q":1}{"q":2}', {}, "replaced"],
    ["a key without its value", '{"q":', {}, "replaced"],
    ["a word that was cut off", '{"q":tru', {}, "replaced"],
    ["a list", "[1]", {}, "replaced"],
    ["a number", "7", {}, "replaced"],
    ["null", "null", {}, "replaced"],
    ["prose", "look it up", {}, "replaced"],
    ["an argument that is called lc", '{"lc":"en-US"}', { lc: "en-US" }, "ok"],
  ])("are read from %s", (_, raw, args, outcome) => {
    expect(parseToolArguments(raw)).toEqual({ args, outcome });
  });

  it.each([
    ["a mark of a serialised object", '{"a":{"lc":1}}'],
    ["one whose letters are written as escapes", '{"a":{"\\u006c\\u0063":1}}'],
    ["a prototype", '{"a":{"__proto__":1}}'],
    ["one whose letters are written as escapes", '{"a":{"\\u005f_proto_\\u005f":1}}'],
  ])("never have %s", (_, text) => {
    expect(parseToolArguments(text)).toEqual({ args: { a: {} }, outcome: "repaired" });
  });

  it("hold nothing that a deserialiser of LangGraph acts on", () => {
    const raw =
      '{"a":{"lc":1,"type":"secret","id":["PATH"]},"b":[{"\\u006cc":2,"type":"undefined"}],"__proto__":{"polluted":true},"c":{"__proto__":1}}';
    const { args, outcome } = parseToolArguments(raw);
    expect(outcome).toBe("repaired");
    expect(JSON.stringify(args)).toBe(
      '{"a":{"type":"secret","id":["PATH"]},"b":[{"type":"undefined"}],"c":{}}',
    );
    expect((args as { polluted?: unknown }).polluted).toBeUndefined();
    expect(backArguments(aguiMessagesToLangChain([calling(raw)])[0])).toEqual([raw]);
  });

  it("are given up where they are nested beyond what can be written again", () => {
    const deep = `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
    expect(parseToolArguments(deep)).toEqual({ args: {}, outcome: "replaced" });
    expect(parseToolArguments("[".repeat(100_000)).outcome).toBe("replaced");
    expect(parseToolArguments('{"a":'.repeat(50_000)).outcome).toBe("replaced");
  });

  it("are always an object that can be written again, without anything invented", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.json(), fc.mixedCase(fc.json())), (raw) => {
        const { args, outcome } = parseToolArguments(raw);
        expect(typeof args === "object" && args !== null && !Array.isArray(args)).toBe(true);
        if (outcome === "replaced") expect(args).toEqual({});
        expect(() => JSON.stringify(args)).not.toThrow();
      }),
      { numRuns: 3000 },
    );
  });

  it("survive being cut off at any place without anything invented", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(), (value, cut) => {
        const raw = JSON.stringify(value);
        const { args } = parseToolArguments(raw.slice(0, cut % raw.length));
        for (const key of Object.keys(args))
          expect(raw.includes(JSON.stringify(key).slice(1, -1))).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });
});

describe("broken arguments in a history", () => {
  const texts = ['{"q":', "{}{}", "[1]", "", "null", '{"q":"par', "look it up", '{"__proto__":{"x":1}}'];

  it("come back as the client sent them, also through JSON; the calls stay whole", () => {
    const reported: string[] = [];
    const [stored] = aguiMessagesToLangChain([calling(...texts)], {
      onBrokenArguments: (call) => reported.push(`${call.messageId} ${call.toolCallId} ${call.outcome}`),
    });
    expect(backArguments(stored)).toEqual(texts);
    expect(backArguments(JSON.parse(JSON.stringify(stored)))).toEqual(texts);
    expect(reported).toHaveLength(texts.length);
    expect(reported).toContain("a1 c0 replaced");
    expect(reported).toContain("a1 c5 repaired");
  });

  it("are those of the graph where it has changed them", () => {
    const [stored] = aguiMessagesToLangChain([calling('{"q":')]);
    const calls = [{ id: "c0", name: "look", args: { q: "mended" } }];
    expect(backArguments({ ...stored, tool_calls: calls })).toEqual(['{"q":"mended"}']);
  });

  it("leave no trace where there are none", () => {
    expect(aguiMessagesToLangChain([calling('{ "q": 1 }')])[0]).not.toHaveProperty("additional_kwargs");
  });
});
