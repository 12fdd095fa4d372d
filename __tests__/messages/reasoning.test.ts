import { AIMessage } from "@langchain/core/messages";
import { reasoningMessageId } from "../../src/messages/reasoning";
import { langchainMessagesToAgui } from "../../src/messages/to-agui";
import { aguiMessagesToLangChain } from "../../src/messages/to-langchain";
import type { AguiMessage } from "../../src/types";

const shown = (content: unknown, additional_kwargs: Record<string, unknown> = {}) =>
  langchainMessagesToAgui([{ type: "ai", id: "a1", content, additional_kwargs }]);

const text = { type: "text", text: "so" };

const forms: [string, Record<string, unknown>, Record<string, unknown>][] = [
  [
    "an OpenAI summary",
    {
      type: "reasoning",
      id: "rs_1",
      summary: [{ type: "summary_text", text: "a" }],
      encrypted_content: "gA",
    },
    { id: "rs_1", content: "a", encryptedValue: "gA" },
  ],
  [
    "an OpenAI item without a summary",
    { type: "reasoning", id: "rs_1", summary: [] },
    { id: "rs_1", content: "" },
  ],
  [
    "Anthropic's thinking",
    { type: "thinking", thinking: "a", signature: "sig" },
    { id: "a1-thinking-0", content: "a", encryptedValue: "sig" },
  ],
  [
    "Anthropic's redacted thinking",
    { type: "redacted_thinking", data: "xyz" },
    { id: "a1-redacted_thinking-0", content: "", encryptedValue: "xyz" },
  ],
  [
    "Bedrock's reasoning",
    { type: "reasoning_content", reasoningText: { text: "a", signature: "sig" } },
    { id: "a1-reasoning_content-0", content: "a", encryptedValue: "sig" },
  ],
  [
    "Bedrock's redacted reasoning",
    { type: "reasoning_content", redactedContent: "eA==" },
    { id: "a1-reasoning_content-0", content: "", encryptedValue: "eA==" },
  ],
  [
    "LangChain's signed block",
    { type: "reasoning", reasoning: "a", signature: "sig" },
    { id: "a1-reasoning-0", content: "a", encryptedValue: "sig" },
  ],
];

describe("reasoning", () => {
  it.each(forms)(
    "of the form %s is shown before the answer and comes back in its form",
    (_, block, message) => {
      const messages = shown([block, text]);
      expect(messages).toEqual([
        { role: "reasoning", ...message },
        { id: "a1", role: "assistant", content: "so" },
      ]);
      expect(aguiMessagesToLangChain(messages)[0]?.content).toEqual([block, text]);
      expect(reasoningMessageId(block, "a1", 0)).toBe(message.id);
    },
  );

  it.each([
    [
      "in parts has a line for each",
      [{ type: "reasoning", summary: [{ text: "a" }, { text: "b" }] }],
      {},
      "a\nb",
    ],
    ["is read from a flat text", [{ type: "reasoning", text: "a" }], {}, "a"],
    ["is read beside the content, as DeepSeek has it", "so", { reasoning_content: "a" }, "a"],
    ["is read beside the content, as OpenAI has it", "so", { reasoning: { summary: [{ text: "a" }] } }, "a"],
    [
      "that is said twice is shown once",
      [{ type: "reasoning", reasoning: "a" }],
      { reasoning: { summary: [{ text: "a" }] } },
      "a",
    ],
  ])("%s", (_, content, kwargs, expected) => {
    const [thought, ...rest] = shown(content, kwargs);
    expect(thought).toEqual({ id: "a1-reasoning-0", role: "reasoning", content: expected });
    expect(rest).toHaveLength(1);
  });

  it("has the place of its block in its id", () => {
    const blocks = [{ type: "thinking", thinking: "a" }, text, { type: "thinking", thinking: "b" }];
    expect(shown(blocks).map((message) => message.id)).toEqual(["a1-thinking-0", "a1-thinking-2", "a1"]);
  });

  it("that says nothing is not shown", () => {
    expect(
      shown([{ type: "reasoning", summary: [] }, { type: "thinking", thinking: "" }, text]),
    ).toHaveLength(1);
  });

  it("without a signature does not go back to a provider that asks for one", () => {
    const messages = shown([{ type: "thinking", thinking: "a" }, text]);
    expect(aguiMessagesToLangChain(messages)[0]?.content).toBe("so");
  });

  it("without an id of its provider's and a signature leaves a message of calls without empty content", () => {
    const calls = [{ id: "c1", name: "look", args: {} }];
    const stored = { id: "a1", type: "ai", content: "", tool_calls: calls };
    const messages = langchainMessagesToAgui([{ ...stored, additional_kwargs: { reasoning_content: "hm" } }]);
    expect(messages).toMatchObject([{ id: "a1-reasoning-0", content: "hm" }, { id: "a1" }]);
    expect(aguiMessagesToLangChain(messages)).toMatchObject([{ content: "", tool_calls: calls }]);
  });

  it("that no assistant message follows is left out", () => {
    const messages: AguiMessage[] = [
      { id: "r1", role: "reasoning", content: "a" },
      { id: "u1", role: "user", content: "hi" },
      { id: "a1", role: "assistant", content: "so" },
      { id: "r2", role: "reasoning", content: "b" },
    ];
    expect(aguiMessagesToLangChain(messages).map((message) => message.content)).toEqual(["hi", "so"]);
  });

  it("of a message instance is read like that of a dict", () => {
    const message = new AIMessage({
      id: "a1",
      content: [{ type: "thinking", thinking: "a", signature: "s" }],
    });
    expect(langchainMessagesToAgui([message])[0]).toEqual({
      id: "a1-thinking-0",
      role: "reasoning",
      content: "a",
      encryptedValue: "s",
    });
  });
});
