import { createShownMessages } from "../../src/stream/shown-messages";
import type { AguiMessage, LangChainMessage } from "../../src/types";

const call = (id: string) => ({ id, type: "function", function: { name: "pay", arguments: "{}" } });
const caller = { type: "ai", id: "ai", content: "", tool_calls: [{ id: "pay-1", name: "pay", args: {} }] };
const paid = { type: "tool", id: "second", content: "paid", name: "pay", tool_call_id: "pay-1" };

function shown(...messages: object[]): string[] {
  const clientMessages = messages.map((message) => ({ ...message, subagentRunId: "banker:1" }));
  return createShownMessages({
    protocol1: true,
    clientMessages: clientMessages as AguiMessage[],
    held: [],
    hiddenMessages: new Set(),
  })
    .of([caller, paid] as unknown as LangChainMessage[])
    .map(({ id }) => id);
}

const first = { id: "first", role: "tool", toolCallId: "pay-1", content: "paid" };

it("a result of a run that was stopped gives way to the one that the thread has got since", () => {
  const sent = { id: "ai", role: "assistant", toolCalls: [call("pay-1")] };
  expect(shown(sent, first)).toEqual(["ai", "second"]);
});

it("a subagent keeps the results of its own calls, whatever ids these have", () => {
  const own = { id: "own", role: "assistant", toolCalls: [call("pay-1")] };
  expect(shown(own, first)).toEqual(["own", "first", "ai", "second"]);
});
