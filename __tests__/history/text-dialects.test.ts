import fc from "fast-check";
import { readTextCall } from "../../src/history/text-dialects";

test.each<[string, object]>([
  ["[search()]", {}],
  ['[search(q="Paris", days=3, deep=True, none=None)]', { q: "Paris", days: 3, deep: true, none: null }],
  [
    '[search(q=\'it\\\'s "fine"\', list=[1, "]"], map={"a": {"b": 1}})]',
    { q: 'it\'s "fine"', list: [1, "]"], map: { a: { b: 1 } } },
  ],
  ['  [search({"q": "Paris"})]\n', { q: "Paris" }],
  ['<function=search>{"q": "Paris"}</function>', { q: "Paris" }],
  ["<function=search></function>", {}],
  [
    "<function=search>\n<parameter=q>\nParis\n</parameter>\n<parameter=n>3</parameter>\n</function>",
    { q: "Paris", n: 3 },
  ],
  ['<tool_call>\n{"name": "search", "arguments": {"q": "Paris"}}\n</tool_call>', { q: "Paris" }],
  ['<tool_call>{"name": "search", "arguments": "{\\"q\\": \\"Paris\\"}"}</tool_call>', { q: "Paris" }],
  ['<tool_call>{"name": "search", "parameters": {"q": 1}}</tool_call>', { q: 1 }],
  ['<tool_call>{"name": "search"}</tool_call>', {}],
  ["<tool_call><function=search><parameter=q>1</parameter></function></tool_call>", { q: 1 }],
  [
    '<|channel|>commentary to=functions.search <|constrain|>json<|message|>{"q":"Paris"}<|call|>',
    { q: "Paris" },
  ],
  ['<|start|>assistant<|channel|>commentary to=functions.search<|message|>{"q":"Paris"}', { q: "Paris" }],
  [
    '<|start|>assistant to=functions.search<|channel|>commentary json<|message|>{"q":"Paris"}<|call|>',
    { q: "Paris" },
  ],
])("%s", (text, args) => {
  expect(readTextCall(text)).toEqual({ name: "search", args });
});

test.each([
  "",
  "search()",
  "[search]",
  "Call [search()] now",
  "[search()] [search()]",
  "[a link](https://x.org)",
  "[search(q=paris)]",
  "[search(q=1 n=2)]",
  "[search('Paris')]",
  '<tool_call>{"name": "search", "arguments": [1]}</tool_call>',
  '<tool_call>{"arguments": {}}</tool_call>',
  '<tool_call>{"name": "search"}</tool_call> and more',
  '<tool_call>{"name": "a"}</tool_call><tool_call>{"name": "b"}</tool_call>',
  "<function=search>nonsense</function>",
  "<|channel|>final<|message|>done",
  '<|channel|>commentary<|message|>{"q":1}',
  '<|channel|>commentary to=functions.search<|message|>{"q":',
  `[search(q="${"x".repeat(100_000)}")]`,
])("is no call: %#", (text) => {
  expect(readTextCall(text)).toBeUndefined();
});

test("what would pollute a prototype or wake a deserialiser is left out of the arguments", () => {
  const call = readTextCall(
    '<function=search>{"__proto__":{"polluted":1},"q":{"lc":1,"type":"constructor"}}</function>',
  );
  expect(Object.keys(call?.args ?? {})).toEqual(["q"]);
  expect(call?.args.q).toEqual({ type: "constructor" });
  expect(({} as { polluted?: number }).polluted).toBeUndefined();
  expect(readTextCall("[search(__proto__=1, q=2)]")?.args).toEqual({ q: 2 });
});

test("never throws, whatever a model writes between the marks", () => {
  const marks = fc.constantFrom(
    "[",
    "]",
    "(",
    ")",
    "=",
    '"',
    "'",
    "\\",
    ",",
    "{",
    "}",
    "a",
    "1",
    "<function=a>",
    "</function>",
    "<parameter=a>",
    "</parameter>",
    "<tool_call>",
    "</tool_call>",
    "<|channel|>commentary",
    " to=a",
    "<|message|>",
    "\n",
  );
  fc.assert(
    fc.property(fc.array(marks, { maxLength: 24 }), (pieces) => {
      const call = readTextCall(pieces.join(""));
      expect(call === undefined || typeof call.name === "string").toBe(true);
    }),
    { numRuns: 3000 },
  );
});
