import type { Message } from "@ag-ui/client";
import { sentWhileWaiting } from "../../src/run/sent-while-waiting";

const user = (id: string): Message => ({ id, role: "user", content: id });
const reasoning = (id: string) => ({ id, role: "reasoning", content: id }) as Message;
const result = (id: string, toolCallId: string): Message => ({ id, role: "tool", toolCallId, content: id });
const calling = (id: string, ...calls: string[]): Message => ({
  id,
  role: "assistant",
  toolCalls: calls.map((call) => ({
    id: call,
    type: "function" as const,
    function: { name: call, arguments: "{}" },
  })),
});

const underWay = [
  {
    id: "asked",
    type: "ai",
    content: "",
    tool_calls: ["open", "done"].map((id) => ({ id, name: id, args: {} })),
  },
  { id: "given", type: "tool", content: "", tool_call_id: "done" },
].map((message) => ({ message: message as never, subgraphs: ["agent"] }));

function sort(sent: Message[], options: Partial<Parameters<typeof sentWhileWaiting>[1]> = {}) {
  const stored = () => new Set(["known", "asked", "given"]);
  const { messages, held } = sentWhileWaiting(sent, { underWay, stored, calls: false, ...options });
  return { messages: messages.map(({ id }) => id), held: held.map(({ id }) => id) };
}

it("keeps what is under way away from the thread, with the reasoning that belongs to it", () => {
  const sent = [
    user("known"),
    reasoning("thought"),
    calling("asked", "open", "done"),
    result("given", "done"),
  ];
  expect(sort(sent)).toEqual({ messages: ["known"], held: [] });
});

it("knows a message by its calls where the client has it under another id", () => {
  expect(sort([user("known"), calling("streamed", "open")])).toEqual({ messages: ["known"], held: [] });
});

it("holds results of calls under way back, and what was said meanwhile", () => {
  const sent = [user("known"), calling("asked", "open", "done"), result("mine", "open"), user("wait")];
  expect(sort(sent)).toEqual({ messages: ["known"], held: ["mine", "wait"] });
});

it("forgets a result of a call that has got another", () => {
  expect(sort([user("known"), result("mine", "done")])).toEqual({ messages: ["known"], held: [] });
});

it("lets results of the thread's own calls through", () => {
  const sent = [user("known"), result("mine", "of the thread"), user("wait")];
  expect(sort(sent, { underWay: [], calls: true })).toEqual({
    messages: ["known", "mine"],
    held: ["wait"],
  });
  expect(sort(sent)).toEqual({ messages: ["known", "mine"], held: ["wait"] });
});

it("leaves everything to the thread where nothing waits", () => {
  expect(sort([user("new"), result("mine", "open")], { underWay: [] })).toEqual({
    messages: ["new", "mine"],
    held: [],
  });
});
