import type { Message } from "@ag-ui/client";
import type { LangChainMessage } from "../src/types";

/** One conversation as the client has it and as the checkpoint has it: question, call, result, answer, and again. */
export interface History {
  client: Message[];
  checkpoint: LangChainMessage[];
}

const TURN = 4;

/** A valid history of about `length` messages that ends with an answer. */
export function validHistory(length: number): History {
  const turns = Array.from({ length: Math.floor(length / TURN) }, (_, index) => turn(index));
  return {
    client: turns.flatMap(({ client }) => client),
    checkpoint: turns.flatMap(({ checkpoint }) => checkpoint),
  };
}

function turn(index: number): History {
  const id = (what: string) => `${what}-${index}`;
  const callId = `call_${index}`;
  const args = { city: `City ${index}`, days: 3, units: "metric" };
  const question = `How is the weather in city number ${index}, and what should I wear?`;
  const report = `Sunny in city ${index}, 21 degrees, wind from the west. `.repeat(4);
  const answer = `It is sunny in city ${index}. A light jacket will do.`;
  return {
    client: [
      { id: id("user"), role: "user", content: question },
      {
        id: id("calls"),
        role: "assistant",
        content: "",
        toolCalls: [
          { id: callId, type: "function", function: { name: "weather", arguments: JSON.stringify(args) } },
        ],
      },
      { id: id("result"), role: "tool", toolCallId: callId, content: report },
      { id: id("answer"), role: "assistant", content: answer },
    ],
    checkpoint: [
      { id: id("user"), type: "human", content: question },
      {
        id: id("calls"),
        type: "ai",
        content: "",
        tool_calls: [{ id: callId, name: "weather", args, type: "tool_call" }],
      },
      {
        id: id("result"),
        type: "tool",
        tool_call_id: callId,
        name: "weather",
        content: report,
        status: "success",
      },
      { id: id("answer"), type: "ai", content: answer },
    ],
  };
}
