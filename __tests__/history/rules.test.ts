import { type CheckHistoryOptions, checkHistory } from "../../src/history/rules";
import { ai, human, result } from "./messages";

const broken = (messages: unknown[], options?: CheckHistoryOptions) =>
  checkHistory(messages, options).map(({ rule, messageId }) => `${rule} ${messageId}`);

const pair = [ai("a", "", "c1"), result("t", "c1", "ok")];

test("a history in order breaks none", () => {
  expect(broken([human("u", "hi"), ...pair, ai("b", "done"), human("v", "more")])).toEqual([]);
});

test.each<[string, unknown[], string[]]>([
  ["an id that is missing", [ai("a", "", ""), result("t", "", "ok")], ["1 a"]],
  ["an id that providers refuse", [ai("a", "", "c:1"), result("t", "c:1", "ok")], ["1 a"]],
  ["an id used twice", [...pair, ai("b", "", "c1"), result("r", "c1", "ok")], ["1 b"]],
  ["a call without a result", [ai("a", "", "c1", "c2"), result("t", "c1", "ok"), human("u", "?")], ["2 a"]],
  [
    "a message between call and result",
    [ai("a", "", "c1"), human("u", "?"), result("t", "c1", "ok")],
    ["2 a", "3 t"],
  ],
  ["a result at the start", [result("t", "c1", "ok"), human("u", "hi")], ["3 t"]],
  ["a result of no call", [ai("a", "", "c1"), result("t", "c1", "ok"), result("r", "c2", "ok")], ["3 r"]],
  ["two results", [...pair, result("r", "c1", "ok")], ["4 r"]],
  [
    "results in another order",
    [ai("a", "", "c1", "c2"), result("r", "c2", "ok"), result("t", "c1", "ok")],
    ["5 t"],
  ],
  ["a result without a name", [ai("a", "", "c1"), result("t", "c1", "ok", { name: undefined })], ["6 t"]],
  ["a result with another name", [ai("a", "", "c1"), result("t", "c1", "ok", { name: "look" })], ["6 t"]],
  ["a result in blocks", [ai("a", "", "c1"), result("t", "c1", [{ type: "text", text: "ok" }])], ["7 t"]],
  ["a blank failure", [ai("a", "", "c1"), result("t", "c1", " ", { status: "error" })], ["7 t", "8 t"]],
  [
    "a failure that looks like a success",
    [ai("a", "", "c1"), result("t", "c1", "42", { status: "error", additional_kwargs: { error: "quota" } })],
    ["8 t"],
  ],
  [
    "a reserved key",
    [ai("a", "", "c1"), result("t", "c1", "ok", { additional_kwargs: { audio: {} } })],
    ["9 t"],
  ],
  [
    "a versioned result",
    [ai("a", "", "c1"), result("t", "c1", "ok", { response_metadata: { output_version: "v1" } })],
    ["9 t"],
  ],
  ["an open call at the end", [human("u", "hi"), ai("a", "", "c1")], ["10 a"]],
  ["an empty user message", [human("u", " ")], ["11 u"]],
  ["an empty answer in the middle", [ai("a", ""), human("u", "hi")], ["11 a"]],
  [
    "a blank block",
    [
      human("u", [
        { type: "text", text: "" },
        { type: "text", text: "hi" },
      ]),
    ],
    ["11 u"],
  ],
  ["a blank text beside calls", [ai("a", "  ", "c1"), result("t", "c1", "ok")], ["11 a"]],
  [
    "an answer of nothing but reasoning",
    [ai("a", [{ type: "reasoning", reasoning: "hm" }]), human("u", "hi")],
    ["11 a"],
  ],
  ["no message", [null], ["11 "]],
])("%s is told", (_, messages, expected) => {
  expect(broken(messages)).toEqual(expected);
});

test("what may stay in a checkpoint can be let pass", () => {
  expect(broken([human("u", "hi"), ai("a", "", "c:1")], { liveEnd: true, anyCallId: true })).toEqual([]);
});

test("an empty last answer and an image in a result are fine", () => {
  const image = [{ type: "image_url", image_url: { url: "https://x.org/a.png" } }];
  expect(broken([ai("a", "", "c1"), result("t", "c1", image), ai("b", "")])).toEqual([]);
});
