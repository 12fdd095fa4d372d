import type { Message } from "@ag-ui/client";
import { withHeld } from "../../src/stream/held-messages";

const said = (id: string): Message => ({ id, role: "user", content: id });
const result = (id: string, toolCallId: string): Message => ({ id, role: "tool", toolCallId, content: id });
const calling = (id: string, call: string): Message => ({
  id,
  role: "assistant",
  toolCalls: [{ id: call, type: "function", function: { name: call, arguments: "{}" } }],
});
const nothing = () => new Set();
const ids = (messages: readonly Message[]) => messages.map(({ id }) => id);

it("puts results behind their calls, and words at the end", () => {
  const thread = [said("hi"), calling("one", "call-1"), calling("two", "call-2"), result("given", "call-2")];
  const held = [said("wait"), result("mine", "call-1")];
  expect(ids(withHeld(thread, held, nothing))).toEqual(["hi", "one", "mine", "two", "given", "wait"]);
});

it("leaves out results of calls that have got another", () => {
  const thread = [calling("one", "call-1"), result("given", "call-1")];
  expect(ids(withHeld(thread, [result("mine", "call-1")], nothing))).toEqual(["one", "given"]);
});

it("puts words behind what was there when they were said, and its results", () => {
  const thread = [said("hi"), calling("one", "call-1"), result("given", "call-1"), said("answer")];
  const before = () => new Set(["hi", "one"]);
  expect(ids(withHeld(thread, [said("wait"), said("please")], before))).toEqual([
    "hi",
    "one",
    "given",
    "wait",
    "please",
    "answer",
  ]);
});

it("leaves out what the thread has got", () => {
  expect(ids(withHeld([said("hi"), said("wait"), said("answer")], [said("wait")], nothing))).toEqual([
    "hi",
    "wait",
    "answer",
  ]);
});
