import type { ServerResponse } from "node:http";
import { encodeEvent } from "./aws-event-stream";
import { refuseBedrock } from "./bedrock-rules";
import {
  argumentObject,
  argumentText,
  pieces,
  type Script,
  type ScriptedTurn,
  slices,
  turnOf,
} from "./script";
import { json, type ProviderStub, startStub } from "./server";

/**
 * Amazon Bedrock's Converse API on loopback, with ConverseStream. Signatures are not looked at.
 * It answers from the script and refuses what Bedrock refuses, in its words.
 */
export function startBedrockStub({ script }: { script: Script }): Promise<ProviderStub> {
  const requests: unknown[] = [];
  let answered = 0;
  let calls = 0;
  return startStub(requests, async ({ path, body, response }) => {
    const [, method] = /^\/model\/[^/]+\/(converse|converse-stream)$/.exec(path) ?? [];
    if (!method) return fail(response, 404, "UnknownOperationException", "Not Found");
    requests.push(body);
    const refused = refuseBedrock(body);
    if (refused) return fail(response, 400, "ValidationException", refused.message);

    const turn = await turnOf(script, body, answered++);
    if (turn.refusal)
      return fail(response, turn.refusal.status, errorType(turn.refusal.status), turn.refusal.message);
    const newId = () => `tooluse_stub_${++calls}`;
    const stopReason = turn.toolCalls?.length ? "tool_use" : "end_turn";
    const usage = { inputTokens: 10, outputTokens: 5, totalTokens: 15 };
    const metrics = { latencyMs: 1 };
    if (method === "converse") {
      const message = { role: "assistant", content: contentOf(turn, newId) };
      json(response, 200, { output: { message }, stopReason, usage, metrics });
      return;
    }
    response.writeHead(200, { "content-type": "application/vnd.amazon.eventstream" });
    const send = (type: string, payload: unknown) => response.write(encodeEvent(type, payload));
    send("messageStart", { role: "assistant" });
    streamed(turn, newId).forEach(({ start, deltas }, contentBlockIndex) => {
      if (start) send("contentBlockStart", { start, contentBlockIndex });
      for (const delta of deltas) send("contentBlockDelta", { delta, contentBlockIndex });
      send("contentBlockStop", { contentBlockIndex });
    });
    send("messageStop", { stopReason });
    send("metadata", { usage, metrics });
    response.end();
  });
}

function contentOf(turn: ScriptedTurn, newId: () => string): unknown[] {
  return [
    ...(turn.reasoning
      ? [{ reasoningContent: { reasoningText: { text: turn.reasoning, signature: "stub-signature" } } }]
      : []),
    ...(turn.text ? [{ text: turn.text }] : []),
    ...(turn.toolCalls ?? []).map((call) => ({
      toolUse: { toolUseId: call.id ?? newId(), name: call.name, input: argumentObject(call) },
    })),
  ];
}

function streamed(turn: ScriptedTurn, newId: () => string): { start?: unknown; deltas: unknown[] }[] {
  return [
    ...(turn.reasoning
      ? [
          {
            deltas: [
              ...pieces(turn.reasoning).map((text) => ({ reasoningContent: { text } })),
              { reasoningContent: { signature: "stub-signature" } },
            ],
          },
        ]
      : []),
    ...(turn.text ? [{ deltas: pieces(turn.text).map((text) => ({ text })) }] : []),
    ...(turn.toolCalls ?? []).map((call) => ({
      start: { toolUse: { toolUseId: call.id ?? newId(), name: call.name } },
      deltas: slices(argumentText(call)).map((input) => ({ toolUse: { input } })),
    })),
  ];
}

function errorType(status: number): string {
  if (status === 429) return "ThrottlingException";
  return status >= 500 ? "InternalServerException" : "ValidationException";
}

function fail(response: ServerResponse, status: number, type: string, message: string): void {
  json(response, status, { message }, { "x-amzn-errortype": type });
}
