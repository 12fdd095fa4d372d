import type { ServerResponse } from "node:http";
import { refuseAnthropic } from "./anthropic-rules";
import { object } from "./rules";
import {
  argumentObject,
  argumentText,
  pieces,
  type Script,
  type ScriptedTurn,
  slices,
  turnOf,
} from "./script";
import { eventStream, json, type ProviderStub, startStub } from "./server";

/**
 * Anthropic's Messages API on loopback: `new ChatAnthropic({ anthropicApiUrl: stub.url, apiKey: "stub" })`.
 * It answers from the script, streaming or not, and refuses what Anthropic refuses, in Anthropic's words.
 */
export function startAnthropicStub({ script }: { script: Script }): Promise<ProviderStub> {
  const requests: unknown[] = [];
  let answered = 0;
  let calls = 0;
  return startStub(requests, async ({ method, path, headers, body, response }) => {
    if (method !== "POST" || path.split("?")[0] !== "/v1/messages")
      return fail(response, 404, "not_found_error", "Not Found");
    requests.push(body);
    if (!headers["x-api-key"] && !headers.authorization)
      return fail(response, 401, "authentication_error", "x-api-key header is required");
    if (!headers["anthropic-version"])
      return fail(response, 400, "invalid_request_error", "anthropic-version: header is required");
    const refused = refuseAnthropic(body);
    if (refused) return fail(response, 400, "invalid_request_error", refused.message);

    const turn = await turnOf(script, body, answered++);
    if (turn.refusal)
      return fail(response, turn.refusal.status, errorType(turn.refusal.status), turn.refusal.message);
    const message = {
      id: `msg_stub_${answered}`,
      type: "message",
      role: "assistant",
      model: object(body).model,
      stop_sequence: null,
    };
    const blocks = blocksOf(turn, () => `toolu_stub_${++calls}`);
    const stopReason = turn.toolCalls?.length ? "tool_use" : "end_turn";
    const usage = {
      input_tokens: 10,
      output_tokens: 5,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
    };
    if (object(body).stream !== true) {
      json(response, 200, {
        ...message,
        content: blocks.map(({ whole }) => whole),
        stop_reason: stopReason,
        usage,
      });
      return;
    }
    const send = eventStream(response);
    const event = (data: { type: string; [key: string]: unknown }) => send(data, data.type);
    event({ type: "message_start", message: { ...message, content: [], stop_reason: null, usage } });
    blocks.forEach(({ start, deltas }, index) => {
      event({ type: "content_block_start", index, content_block: start });
      for (const delta of deltas) event({ type: "content_block_delta", index, delta });
      event({ type: "content_block_stop", index });
    });
    event({
      type: "message_delta",
      delta: { stop_reason: stopReason, stop_sequence: null },
      usage: { output_tokens: 5 },
    });
    event({ type: "message_stop" });
    response.end();
  });
}

interface Block {
  whole: unknown;
  start: unknown;
  deltas: unknown[];
}

function blocksOf(turn: ScriptedTurn, newId: () => string): Block[] {
  const blocks: Block[] = [];
  if (turn.reasoning)
    blocks.push({
      whole: { type: "thinking", thinking: turn.reasoning, signature: "stub-signature" },
      start: { type: "thinking", thinking: "", signature: "" },
      deltas: [
        ...pieces(turn.reasoning).map((thinking) => ({ type: "thinking_delta", thinking })),
        { type: "signature_delta", signature: "stub-signature" },
      ],
    });
  if (turn.text)
    blocks.push({
      whole: { type: "text", text: turn.text },
      start: { type: "text", text: "" },
      deltas: pieces(turn.text).map((text) => ({ type: "text_delta", text })),
    });
  for (const call of turn.toolCalls ?? []) {
    const id = call.id ?? newId();
    blocks.push({
      get whole() {
        return { type: "tool_use", id, name: call.name, input: argumentObject(call) };
      },
      start: { type: "tool_use", id, name: call.name, input: {} },
      deltas: slices(argumentText(call)).map((partial_json) => ({ type: "input_json_delta", partial_json })),
    });
  }
  return blocks;
}

function errorType(status: number): string {
  if (status === 429) return "rate_limit_error";
  if (status === 529) return "overloaded_error";
  return status >= 500 ? "api_error" : "invalid_request_error";
}

function fail(response: ServerResponse, status: number, type: string, message: string): void {
  json(response, status, { type: "error", error: { type, message }, request_id: "req_stub" });
}
