import type { ServerResponse } from "node:http";
import { answerResponses } from "./openai-responses";
import { refuseOpenAIResponses } from "./openai-responses-rules";
import { refuseOpenAI } from "./openai-rules";
import { object } from "./rules";
import { argumentText, pieces, type Script, type ScriptedTurn, slices, turnOf } from "./script";
import { eventStream, json, type ProviderStub, startStub } from "./server";

/**
 * OpenAI's API on loopback, Chat Completions and Responses:
 * `new ChatOpenAI({ apiKey: "stub", configuration: { baseURL: stub.url } })`.
 * It answers from the script, streaming or not, and refuses what OpenAI refuses, in OpenAI's words.
 */
export async function startOpenAIStub({ script }: { script: Script }): Promise<ProviderStub> {
  const requests: unknown[] = [];
  let answered = 0;
  let calls = 0;
  const newCallId = () => `call_stub_${++calls}`;
  const stub = await startStub(requests, async ({ path, headers, body, response }) => {
    const responses = path === "/v1/responses";
    if (!responses && path !== "/v1/chat/completions") return fail(response, 404, "Not Found", null);
    requests.push(body);
    if (!headers.authorization) return fail(response, 401, "You didn't provide an API key.", null);
    const refused = responses ? refuseOpenAIResponses(body) : refuseOpenAI(body);
    if (refused) return fail(response, 400, refused.message, refused.param);

    const turn = await turnOf(script, body, answered++);
    if (turn.refusal) return fail(response, turn.refusal.status, turn.refusal.message, null);
    const request = { id: answered, model: object(body).model, stream: object(body).stream === true };
    if (responses) answerResponses(response, turn, request, newCallId);
    else
      answerChat(
        response,
        turn,
        { ...request, usage: object(object(body).stream_options).include_usage === true },
        newCallId,
      );
  });
  return { ...stub, url: `${stub.url}/v1` };
}

function answerChat(
  response: ServerResponse,
  turn: ScriptedTurn,
  request: { id: number; model: unknown; stream: boolean; usage: boolean },
  newId: () => string,
): void {
  const calls = (turn.toolCalls ?? []).map((call) => ({
    id: call.id ?? newId(),
    type: "function",
    function: { name: call.name, arguments: argumentText(call) },
  }));
  const common = { id: `chatcmpl-stub-${request.id}`, created: 1_700_000_000, model: request.model };
  const finish_reason = calls.length ? "tool_calls" : "stop";
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  if (!request.stream) {
    const message = {
      role: "assistant",
      content: turn.text ?? null,
      ...(calls.length ? { tool_calls: calls } : {}),
    };
    const choices = [{ index: 0, message, finish_reason, logprobs: null }];
    json(response, 200, { ...common, object: "chat.completion", choices, usage });
    return;
  }
  const send = eventStream(response);
  const chunk = (delta: object, finished: string | null = null) =>
    send({
      ...common,
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta, finish_reason: finished, logprobs: null }],
    });
  chunk({ role: "assistant", content: turn.text ? "" : null });
  for (const content of pieces(turn.text ?? "")) chunk({ content });
  calls.forEach(({ id, type, function: { name, arguments: args } }, index) => {
    chunk({ tool_calls: [{ index, id, type, function: { name, arguments: "" } }] });
    for (const part of slices(args)) chunk({ tool_calls: [{ index, function: { arguments: part } }] });
  });
  chunk({}, finish_reason);
  if (request.usage) send({ ...common, object: "chat.completion.chunk", choices: [], usage });
  send("[DONE]");
  response.end();
}

function fail(response: ServerResponse, status: number, message: string, param: string | null): void {
  const type = status >= 500 ? "server_error" : "invalid_request_error";
  json(response, status, { error: { message, type, param, code: null } });
}
