import type { AguiMessage } from "../../src/types";

/** Messages of a client, short. */
export const user = (id: string, content: unknown): AguiMessage =>
  ({ id, role: "user", content }) as AguiMessage;

export const said = (id: string, content: string): AguiMessage =>
  ({ id, role: "assistant", content }) as AguiMessage;

export const called = (
  id: string,
  ...calls: (string | [id: string, name: string, args: string])[]
): AguiMessage =>
  ({
    id,
    role: "assistant",
    content: "",
    toolCalls: calls.map((call) => {
      const [callId, name, args] = typeof call === "string" ? [call, "search", '{"q":1}'] : call;
      return { id: callId, type: "function", function: { name, arguments: args } };
    }),
  }) as AguiMessage;

export const answered = (id: string, toolCallId: string, content: unknown, more: object = {}): AguiMessage =>
  ({ id, role: "tool", toolCallId, content, ...more }) as AguiMessage;

/** Messages of a checkpoint as a LangGraph server gives them, short. */
export const human = (id: string, content: unknown) => ({ type: "human", id, content });

export const ai = (id: string, content: unknown, ...calls: string[]) => ({
  type: "ai",
  id,
  content,
  tool_calls: calls.map((call) => ({ id: call, name: "search", args: { q: 1 }, type: "tool_call" })),
});

export const result = (id: string, toolCallId: string, content: unknown, more: object = {}) => ({
  type: "tool",
  id,
  tool_call_id: toolCallId,
  name: "search",
  content,
  status: "success",
  ...more,
});
