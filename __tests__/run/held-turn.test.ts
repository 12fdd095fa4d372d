import type { Message } from "@ag-ui/client";
import { heldTurn } from "../../src/run/held-turn";
import type { RunAgentExtendedInput } from "../../src/types";

const input = {
  threadId: "thread",
  runId: "run",
  messages: [],
  tools: [],
  context: [],
  state: { old: true },
  resume: [{ interruptId: "question", status: "resolved" }],
  forwardedProps: { command: { resume: "yes" }, streamSubgraphs: true },
} as RunAgentExtendedInput;

const calling: Message = {
  id: "asked",
  role: "assistant",
  toolCalls: ["one", "two"].map((id) => ({ id, type: "function", function: { name: id, arguments: "{}" } })),
};
const result = (toolCallId: string): Message => ({
  id: `of-${toolCallId}`,
  role: "tool",
  toolCallId,
  content: "",
});
const said: Message = { id: "said", role: "user", content: "wait" };

it("goes on with the results that were held, as a run of its own", () => {
  const held = [result("one"), said];
  const messages = [calling, result("one"), result("two"), said].map((message) =>
    message.id === held[0]?.id ? (held[0] as Message) : message,
  );
  const next = heldTurn(input, messages, held);
  expect(next).toEqual({
    threadId: "thread",
    runId: "run",
    tools: [],
    context: [],
    state: {},
    messages,
    forwardedProps: { streamSubgraphs: true },
  });
});

it.each<[string, Message[], Message[]]>([
  ["has only words to go on with", [calling, result("one"), result("two"), said], [said]],
  [
    "has gone on without the result",
    [calling, result("one"), { id: "end", role: "assistant" }],
    [result("one")],
  ],
  ["still waits for another result", [calling, result("one")], [result("one")]],
])("does not where the graph %s", (_why, messages, held) => {
  expect(heldTurn(input, messages, held)).toBeUndefined();
});
