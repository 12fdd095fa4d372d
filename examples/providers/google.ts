import type { ServerResponse } from "node:http";
import { refuseGoogle } from "./google-rules";
import { argumentObject, pieces, type Script, turnOf } from "./script";
import { eventStream, json, type ProviderStub, startStub } from "./server";

/** Options of {@link startGoogleStub}. */
export interface GoogleStubOptions {
  script: Script;
  /** Take the results of parallel calls also as one content each: see `refuseGoogle`. Default: refuse them. */
  joinResponses?: boolean;
}

/**
 * Google's Gemini API on loopback: `new ChatGoogleGenerativeAI({ model, apiKey: "stub", baseUrl: stub.url })`.
 * It answers from the script, streaming or not, and refuses what Gemini refuses, in its words.
 */
export function startGoogleStub({ script, joinResponses }: GoogleStubOptions): Promise<ProviderStub> {
  const requests: unknown[] = [];
  let answered = 0;
  return startStub(requests, async ({ path, body, response }) => {
    const [, model, method] =
      /^\/v1(?:beta)?\/models\/([^:?]+):(generateContent|streamGenerateContent)/.exec(path) ?? [];
    if (!method) return fail(response, 404, "Requested entity was not found.");
    requests.push(body);
    const refused = refuseGoogle(body, { joinResponses });
    if (refused) return fail(response, 400, refused.message);

    const turn = await turnOf(script, body, answered++);
    if (turn.refusal) return fail(response, turn.refusal.status, turn.refusal.message);
    const thoughts = turn.reasoning ? [{ text: turn.reasoning, thought: true }] : [];
    const calls = (turn.toolCalls ?? []).map((call) => ({
      functionCall: { ...(call.id ? { id: call.id } : {}), name: call.name, args: argumentObject(call) },
    }));
    const answer = (parts: unknown[], finishReason?: string) => ({
      candidates: [
        { content: { role: "model", parts }, index: 0, ...(finishReason ? { finishReason } : {}) },
      ],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
      modelVersion: model,
      responseId: `stub-${answered}`,
    });
    if (method === "generateContent") {
      const text = turn.text ? [{ text: turn.text }] : [];
      json(response, 200, answer([...thoughts, ...text, ...calls], "STOP"));
      return;
    }
    const send = eventStream(response);
    const streamed = [...thoughts, ...pieces(turn.text ?? "").map((text) => ({ text }))];
    for (const part of streamed) send(answer([part]));
    send(answer(calls.length ? calls : [{ text: "" }], "STOP"));
    response.end();
  });
}

function fail(response: ServerResponse, code: number, message: string): void {
  const status = code === 400 ? "INVALID_ARGUMENT" : code === 404 ? "NOT_FOUND" : "INTERNAL";
  json(response, code, { error: { code, message, status } });
}
