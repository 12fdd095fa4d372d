import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { guardForModel } from "../../src/history/guard-for-model";
import { checkHistory } from "../../src/history/rules";
import type { HistoryRepair } from "../../src/types";

const call = (id: string) => ({ id, name: "search", args: { q: 1 }, type: "tool_call" as const });

test("a history that is in order comes out as the same instances", () => {
  const messages = [
    new HumanMessage({ id: "u", content: "hi" }),
    new AIMessage({ id: "a", content: "", tool_calls: [call("c1")] }),
    new ToolMessage({ id: "t", content: "ok", tool_call_id: "c1", name: "search" }),
  ];
  const guarded = guardForModel(messages);
  expect(guarded.map((message, at) => message === messages[at])).toEqual([true, true, true]);
});

test("nothing is open any more when the model is asked, and no stored message is touched", () => {
  const open = new AIMessage({ id: "a", content: "", tool_calls: [call("c1"), call("c2")] });
  const messages = [
    new HumanMessage({ id: "u", content: "hi" }),
    open,
    new ToolMessage({ id: "t", content: "ok", tool_call_id: "c2", name: "search" }),
  ];
  const repairs: HistoryRepair[] = [];
  const guarded = guardForModel(messages, { onRepair: (repair) => repairs.push(repair) });
  expect(checkHistory(guarded)).toEqual([]);
  expect(guarded.map((message) => (message as ToolMessage).tool_call_id)).toEqual([
    undefined,
    undefined,
    "c1",
    "c2",
  ]);
  expect(guarded[1]).toBe(open);
  expect(messages).toHaveLength(3);
  expect(repairs.map(({ kind }) => kind)).toEqual(["dangling-call"]);
});

test("call ids that a provider refuses are mapped in the content's blocks too", () => {
  const messages = [
    new AIMessage({
      id: "a",
      content: [{ type: "tool_use", id: "call:1", name: "search", input: "" }],
      tool_calls: [call("call:1")],
    }),
    new ToolMessage({ id: "t", content: "ok", tool_call_id: "call:1", name: "search" }),
  ];
  const [asked, answer] = guardForModel(messages) as [AIMessage, ToolMessage];
  const id = asked.tool_calls?.[0]?.id;
  expect(id).toMatch(/^[\w-]{1,40}$/);
  expect(asked.content).toEqual([{ type: "tool_use", id, name: "search", input: { q: 1 } }]);
  expect(answer.tool_call_id).toBe(id);
  expect(answer.id).toBe("t");
  expect(messages[1]).toMatchObject({ tool_call_id: "call:1" });
});
