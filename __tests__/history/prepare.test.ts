import { messagesStateReducer } from "@langchain/langgraph";
import { prepareHistory } from "../../src/history/prepare";

const user = (id: string, content: string) => ({ id, role: "user" as const, content });
const H = (id: string, content: string) => ({ type: "human", id, content });
const AI = (id: string, content: string, ...calls: string[]) => ({
  type: "ai",
  id,
  content,
  tool_calls: calls.map((c) => ({ id: c, name: "look", args: { q: c }, type: "tool_call" })),
});
const T = (id: string, call: string, content = "ok") => ({
  type: "tool",
  id,
  tool_call_id: call,
  name: "look",
  content,
  status: "success",
});

const cases: Record<string, [unknown[], any[]]> = {
  plain: [
    [H("1", "a"), AI("2", "b")],
    [user("1", "a"), user("3", "c")],
  ],
  dangling: [
    [H("1", "a"), AI("2", "", "c1")],
    [user("1", "a"), user("3", "c")],
  ],
  live: [
    [H("1", "a"), AI("2", "", "c1", "c2"), T("t1", "c1")],
    [user("1", "a"), { id: "x", role: "tool", toolCallId: "c2", content: "late" }],
  ],
  orphan: [[H("1", "a"), T("t9", "zz"), AI("2", "x")], [user("3", "c")]],
  placeholder: [
    [H("1", "a"), AI("2", "", "c1"), T("t1", "c1", "Forwarded to client"), AI("4", "hm")],
    [{ id: "x", role: "tool", toolCallId: "c1", content: "late" }, user("3", "c")],
  ],
  late: [
    [H("1", "a"), AI("2", "", "c1"), AI("4", "hm")],
    [{ id: "x", role: "tool", toolCallId: "c1", content: "late" }, user("3", "c")],
  ],
};
test.each(Object.entries(cases))("%s", (_n, [checkpoint, input]) => {
  const p = prepareHistory({ checkpoint, input });
  console.log(JSON.stringify(p, null, 1));
  const left = messagesStateReducer(checkpoint as any, p.update as any).map((m: any) => m.id);
  expect(left).toEqual(p.messages.map((m) => m.id));
});
