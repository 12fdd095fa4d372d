import { ChatOpenAI } from "@langchain/openai";
import { chatModel, type Provider } from "../../examples/model";
import { startAnthropicStub } from "../../examples/providers/anthropic";
import { startBedrockStub } from "../../examples/providers/bedrock";
import { startGoogleStub } from "../../examples/providers/google";
import { startOpenAIStub } from "../../examples/providers/openai";
import type { ScriptedTurn } from "../../examples/providers/script";

const STUBS = {
  anthropic: startAnthropicStub,
  openai: startOpenAIStub,
  google: startGoogleStub,
  bedrock: startBedrockStub,
};
const turn: ScriptedTurn = {
  text: "Let me see, one moment.",
  toolCalls: [
    { name: "lookup", args: { city: "Köln", deep: { list: [1, 2] } } },
    { name: "lookup", args: {} },
  ],
};
const expected = turn.toolCalls?.map(({ name, args }) => ({ name, args }));

/** What a real chat model reads from a stub, asked at once and as a stream. */
async function answers(provider: Provider | "responses", script: ScriptedTurn[]) {
  const stub = await STUBS[provider === "responses" ? "openai" : provider]({ script });
  try {
    const model =
      provider === "responses"
        ? new ChatOpenAI({
            model: "gpt-5",
            apiKey: "stub",
            useResponsesApi: true,
            configuration: { baseURL: stub.url },
          })
        : chatModel({ provider, baseUrl: stub.url, apiKey: "stub" });
    const whole = await model.invoke("hi");

    const streamed = await collect(await model.stream("hi"));
    return [whole, streamed];
  } finally {
    await stub.close();
  }
}

async function collect<T extends { concat(other: T): T }>(chunks: AsyncIterable<T>): Promise<T> {
  let all: T | undefined;
  for await (const chunk of chunks) all = all ? all.concat(chunk) : chunk;
  if (!all) throw new Error("nothing was streamed");
  return all;
}

test.each<Provider | "responses">(["anthropic", "openai", "responses", "google", "bedrock"])(
  "the chat model of %s reads the same answer whole and streamed",
  async (provider) => {
    for (const answer of await answers(provider, [turn, turn])) {
      expect(answer?.text).toBe(turn.text);
      expect(answer?.tool_calls?.map(({ name, args }) => ({ name, args }))).toEqual(expected);
      const ids = answer?.tool_calls?.map(({ id }) => id);
      expect(new Set(ids).size).toBe(2);
    }
  },
);

test.each<Provider>(["anthropic", "bedrock"])("%s reasons", async (provider) => {
  const reasoning = { reasoning: "They greet me.", text: "Hello." };
  for (const answer of await answers(provider, [reasoning, reasoning])) {
    expect(answer?.text).toBe("Hello.");
    expect(JSON.stringify(answer?.content)).toMatch(/They/);
  }
});

test("arguments may be broken, as models write them", async () => {
  const stub = await startOpenAIStub({
    script: [{ toolCalls: [{ id: "a", name: "lookup", args: '{"q":' }] }],
  });
  try {
    const model = chatModel({ provider: "openai", baseUrl: stub.url, apiKey: "stub" });
    const answer = await collect(await model.stream("hi"));
    expect(answer.tool_call_chunks).toMatchObject([{ id: "a", name: "lookup", args: '{"q":' }]);
  } finally {
    await stub.close();
  }
});
