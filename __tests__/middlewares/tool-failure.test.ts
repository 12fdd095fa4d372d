import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { MemorySaver } from "@langchain/langgraph";
import { toolFailureMiddleware } from "ag-ui-langgraph/middlewares";
import { createAgent, createMiddleware } from "langchain";
import { z } from "zod";
import { resultsOnWire } from "../../examples/demo/wire";
import { chatModel, type Provider } from "../../examples/model";
import { startAnthropicStub } from "../../examples/providers/anthropic";
import { startBedrockStub } from "../../examples/providers/bedrock";
import { startGoogleStub } from "../../examples/providers/google";
import { startOpenAIStub } from "../../examples/providers/openai";
import { providerOf } from "../../src/middlewares/provider-of";

const STUBS = {
  anthropic: startAnthropicStub,
  openai: startOpenAIStub,
  google: startGoogleStub,
  bedrock: startBedrockStub,
};
const explode = tool(
  async () => {
    throw new Error("boom");
  },
  { name: "explode", description: "", schema: z.object({ a: z.number() }) },
);
const WORDS = "Error: boom\n Please fix your mistakes.";

/** One conversation in which the agent's tool throws; a stub answers, so the history was accepted each time. */
async function converse(
  provider: Provider,
  { middleware = [toolFailureMiddleware()], streaming = false } = {},
) {
  const stub = await STUBS[provider]({
    script: [
      { text: "Let me see.", toolCalls: [{ id: "call_1", name: "explode", args: { a: 1 } }] },
      { text: "It failed." },
    ],
  });
  try {
    const agent = createAgent({
      model: chatModel({ provider, baseUrl: stub.url, apiKey: "stub" }),
      tools: [explode],
      middleware,
      checkpointer: new MemorySaver(),
    });
    const config = { configurable: { thread_id: "1" } };
    const input = { messages: [new HumanMessage("hi")] };
    if (streaming) for await (const _ of agent.streamEvents(input, { ...config, version: "v2" }));
    else await agent.invoke(input, config);
    const { messages } = (await agent.graph.getState(config)).values as { messages: BaseMessage[] };
    return { wire: resultsOnWire(provider, stub.requests[1]), stored: messages };
  } finally {
    await stub.close();
  }
}

describe.each([{ streaming: false }, { streaming: true }])("a tool of the agent that throws, %j", (how) => {
  test.each<[Provider, object]>([
    ["anthropic", { type: "tool_result", tool_use_id: "call_1", content: WORDS, is_error: true }],
    ["openai", { role: "tool", tool_call_id: "call_1", content: WORDS }],
    ["google", { functionResponse: { name: "explode", response: { error: { details: WORDS } } } }],
    ["bedrock", { toolResult: { toolUseId: "call_1", content: [{ text: WORDS }] } }],
  ])("%s is told that it failed, and the state stays", async (provider, expected) => {
    const { wire, stored } = await converse(provider, how);
    expect(wire).toMatchObject([expected]);
    expect(stored.map((message) => message.type)).toEqual(["human", "ai", "tool", "ai"]);
    expect(stored[2]).toMatchObject({ content: WORDS, status: "error", additional_kwargs: {} });
    expect(stored[3]?.text).toBe("It failed.");
  });
});

test("without the middleware anthropic is not told", async () => {
  const { wire } = await converse("anthropic", { middleware: [] });
  expect(wire).toEqual([{ type: "tool_result", tool_use_id: "call_1", content: WORDS }]);
});

test("the provider can be named", async () => {
  const { wire } = await converse("anthropic", {
    middleware: [toolFailureMiddleware({ provider: "openai" })],
  });
  expect(wire).toEqual([{ type: "tool_result", tool_use_id: "call_1", content: WORDS }]);
});

test("other middlewares see the messages of the state", async () => {
  const seen: string[][] = [];
  const watching = createMiddleware({
    name: "Watching",
    wrapModelCall: (request, handler) => {
      seen.push(request.messages.map((message) => message.type));
      return handler(request);
    },
  });
  await converse("anthropic", { middleware: [watching, toolFailureMiddleware()] as never });
  expect(seen).toEqual([["human"], ["human", "ai", "tool"]]);
});

test("a failure of the client, as the agent puts it into the state", async () => {
  const stub = await startAnthropicStub({ script: [{ text: "Then not." }] });
  try {
    const model = chatModel({ provider: "anthropic", baseUrl: stub.url, apiKey: "stub" });
    const agent = createAgent({ model, tools: [explode], middleware: [toolFailureMiddleware()] });
    const failed = new ToolMessage({
      id: "t1",
      tool_call_id: "call_1",
      name: "locate",
      content: "",
      status: "error",
      additional_kwargs: { error: "User denied Geolocation" },
    });
    const asked = new AIMessage({ content: "", tool_calls: [{ id: "call_1", name: "locate", args: {} }] });
    const state = await agent.invoke({ messages: [new HumanMessage("Where am I?"), asked, failed] });
    expect(resultsOnWire("anthropic", stub.requests[0])).toEqual([
      { type: "tool_result", tool_use_id: "call_1", content: "User denied Geolocation", is_error: true },
    ]);
    expect(state.messages[2]).toMatchObject({ content: "", status: "error" });
  } finally {
    await stub.close();
  }
});

describe("the provider of a model", () => {
  const model = (provider: Provider) => chatModel({ provider, apiKey: "stub" });
  const configurable = (instance: BaseChatModel) => ({
    _llmType: () => "chat_model",
    _queuedMethodOperations: {},
    _getModelInstance: async () => instance,
  });

  test.each<[string, unknown, string]>([
    ["itself", model("anthropic"), "anthropic"],
    ["openai", model("openai"), "openai"],
    ["google", model("google"), "google-genai"],
    ["bedrock", model("bedrock"), "bedrock"],
    ["with a config", model("anthropic").withConfig({ tags: ["x"] }), "anthropic"],
    [
      "with retries and a config",
      model("google")
        .withConfig({ tags: ["x"] })
        .withRetry(),
      "google-genai",
    ],
    ["with fallbacks of one provider", model("anthropic").withFallbacks([model("anthropic")]), "anthropic"],
    ["with fallbacks of another", model("anthropic").withFallbacks([model("openai")]), "unknown"],
    ["configurable", configurable(model("anthropic")), "anthropic"],
    ["with a parser behind it", model("anthropic").pipe((message: unknown) => message), "anthropic"],
    [
      "of another package",
      { _llmType: () => "mine", getLsParams: () => ({ ls_provider: "anthropic" }) },
      "anthropic",
    ],
    [
      "of nobody",
      {
        _llmType: () => "mine",
        getLsParams: () => {
          throw new Error("no");
        },
      },
      "unknown",
    ],
    ["no model", undefined, "unknown"],
  ])("%s", async (_, given, expected) => {
    expect(await providerOf(given)).toBe(expected);
  });
});
