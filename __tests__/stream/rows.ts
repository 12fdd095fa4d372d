import type { StreamRow } from "../../src/types";

/** Rows as a JavaScript server writes them. */

export type Fields = Record<string, unknown>;

export const at = (node: string, step = 1): Fields => ({
  langgraph_node: node,
  langgraph_step: step,
  langgraph_checkpoint_ns: `${node}:task-${step}`,
});

export const event = (name: string, data: unknown, more: Fields = {}): StreamRow => ({
  event: "events",
  data: { event: name, name: "Model", run_id: "model-1", tags: [], metadata: at("model"), data, ...more },
});

export const chunk = (fields: Fields): Fields => ({
  type: "ai",
  id: "m1",
  content: "",
  tool_call_chunks: [],
  additional_kwargs: {},
  response_metadata: {},
  ...fields,
});

/** A chunk of a model, in events mode. */
export const streams = (fields: Fields, more: Fields = {}): StreamRow =>
  event("on_chat_model_stream", { chunk: chunk(fields) }, more);

export const modelEnds = (fields: Fields, more: Fields = {}): StreamRow =>
  event("on_chat_model_end", { output: { type: "ai", id: "m1", content: "", ...fields } }, more);

/** A row of `messages-tuple`. */
export const tuple = (message: Fields, metadata: Fields = at("model")): StreamRow => ({
  event: "messages",
  data: [message, metadata],
});

export const values = (messages: unknown[], more: Fields = {}): StreamRow => ({
  event: "values",
  data: { messages, ...more },
});

export const updates = (node: string, update: unknown): StreamRow => ({
  event: "updates",
  data: { [node]: update },
});

export const human = (id: string, content = "hi"): Fields => ({ type: "human", id, content });

export const ai = (id: string, content: unknown, ...calls: Fields[]): Fields => ({
  type: "ai",
  id,
  content,
  tool_calls: calls,
});

export const toolMessage = (callId: string, content: unknown, more: Fields = {}): Fields => ({
  type: "tool",
  id: `result-${callId}`,
  tool_call_id: callId,
  name: "search",
  content,
  status: "success",
  ...more,
});

export const toolEnds = (output: unknown, more: Fields = {}): StreamRow =>
  event(
    "on_tool_end",
    { output, input: { q: 1 } },
    { name: "search", run_id: "tool-1", metadata: at("tools", 2), ...more },
  );

export const startsCall = (index: number, id: string, name = "search", args = ""): Fields => ({
  index,
  id,
  name,
  args,
  type: "tool_call_chunk",
});

export const goesOn = (index: number, args: string): Fields => ({ index, args, type: "tool_call_chunk" });

/** Events without what is the same in all, one short line each: the type, the id, and what it brings. */
export function brief(events: readonly unknown[]): string[] {
  return events
    .map((one) => one as Record<string, unknown>)
    .filter(
      ({ type }) =>
        !["RUN_STARTED", "RUN_FINISHED", "STEP_STARTED", "STEP_FINISHED", "RAW"].includes(String(type)),
    )
    .map((one) => {
      const id = one.toolCallId ?? one.messageId ?? one.entityId ?? one.name ?? "";
      const content =
        one.delta ?? one.content ?? one.encryptedValue ?? one.toolCallName ?? one.snapshot ?? one.value;
      const said = typeof content === "string" || content === undefined ? content : JSON.stringify(content);
      return [one.type, id, said].filter((part) => part !== undefined && part !== "").join(" ");
    });
}
