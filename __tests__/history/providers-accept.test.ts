import { convertPromptToAnthropic } from "@langchain/anthropic";
import type { BaseMessage } from "@langchain/core/messages";
import { ChatPromptValue } from "@langchain/core/prompt_values";
import {
  convertMessagesToCompletionsMessageParams,
  convertMessagesToResponsesInput,
} from "@langchain/openai";
import fc from "fast-check";
import { chatModel } from "../../examples/model";
import { refuseAnthropic } from "../../examples/providers/anthropic-rules";
import { startBedrockStub } from "../../examples/providers/bedrock";
import { startGoogleStub } from "../../examples/providers/google";
import { refuseOpenAIResponses } from "../../examples/providers/openai-responses-rules";
import { refuseOpenAI } from "../../examples/providers/openai-rules";
import { convertMessages } from "../../src/history/convert";
import { guardForModel } from "../../src/history/guard-for-model";
import { prepareHistory } from "../../src/history/prepare";
import { checkHistory } from "../../src/history/rules";
import type { AguiMessage } from "../../src/types";
import { clientHistory, meeting, TOOLS } from "./arbitrary-history";
import { user } from "./messages";

const RUNS = Number(process.env.HISTORY_RUNS ?? 2000);

/** What is sent to a model: it starts and ends with a user message, and the instructions stand elsewhere. */
const conversation = (messages: readonly BaseMessage[]) => messages.filter(({ type }) => type !== "system");

/** Names of tools are not in the rules; Bedrock and Google take fewer than the others. */
const fromClient = clientHistory.map((history) => {
  const named = JSON.parse(JSON.stringify(history).replaceAll("__proto__", "proto")) as AguiMessage[];
  // The packages of Google and Amazon throw at reasoning that is not their own.
  const plain = named.filter((message) => message?.role !== "reasoning");
  return conversation(convertMessages([user("first", "hi"), ...plain, user("last", "go on")], TOOLS));
});

const fromCheckpoint = meeting.map(({ stored, input }) => {
  const { messages } = prepareHistory({ checkpoint: stored, input: [...input, user("last", "go on")] });
  const guarded = guardForModel(messages as unknown as BaseMessage[]);
  return conversation([...convertMessages([user("first", "hi")]), ...guarded]);
});

const sent = fc.oneof(fromClient, fromCheckpoint);

/**
 * Google and Bedrock want the speakers to take turns, where results count as the user's. That is no matter of calls and
 * results, and no rule of ours: a user who says two things has said two things.
 */
function inTurns(messages: readonly BaseMessage[]): BaseMessage[] {
  const turns: BaseMessage[] = [];
  let skips = false;
  for (const message of messages) {
    const previous = turns.at(-1)?.type;
    if (message.type === "ai") skips = previous === "ai";
    else if (message.type === "human") skips = previous === "human" || previous === "tool";
    if (!skips) turns.push(message);
  }
  return turns;
}

/** OpenAI's package leaves nothing of a content without text, and its chat API takes no empty list. */
const hasTextOrNone = (messages: readonly BaseMessage[]): boolean =>
  messages.every(
    ({ content }) =>
      !Array.isArray(content) || content.some(({ type }) => type === "text" || type === "image_url"),
  );

const functions = [...TOOLS, "proto"].map((name) => ({
  name,
  description: name,
  parameters: { type: "object", properties: {} },
}));

test("what the rules accept, Anthropic accepts", () => {
  const tools = functions.map(({ name, description, parameters }) => ({
    name,
    description,
    input_schema: parameters,
  }));
  fc.assert(
    fc.property(sent, (messages) => {
      expect(checkHistory(messages)).toEqual([]);
      const request = convertPromptToAnthropic(new ChatPromptValue(messages));
      const body = { ...request, model: "m", max_tokens: 9, tools };
      expect(refuseAnthropic(JSON.parse(JSON.stringify(body)))?.message).toBeUndefined();
    }),
    { numRuns: RUNS },
  );
});

test("what the rules accept, OpenAI accepts", () => {
  const chatTools = functions.map((definition) => ({ type: "function", function: definition }));
  const responsesTools = functions.map((definition) => ({ type: "function", ...definition }));
  fc.assert(
    fc.property(sent.filter(hasTextOrNone), (messages) => {
      const chat = {
        model: "m",
        tools: chatTools,
        messages: convertMessagesToCompletionsMessageParams({ messages }),
      };
      expect(refuseOpenAI(JSON.parse(JSON.stringify(chat)))?.message).toBeUndefined();
      const input = convertMessagesToResponsesInput({ messages, zdrEnabled: false, model: "m" });
      const responses = { model: "m", tools: responsesTools, input };
      expect(refuseOpenAIResponses(JSON.parse(JSON.stringify(responses)))?.message).toBeUndefined();
    }),
    { numRuns: RUNS },
  );
});

test.each(["google", "bedrock"] as const)(
  "what the rules accept, %s accepts",
  async (provider) => {
    const script = () => ({ text: "fine" });
    const stub = await (provider === "google"
      ? startGoogleStub({ script, joinResponses: true })
      : startBedrockStub({ script }));
    const model = chatModel({ provider, baseUrl: stub.url, apiKey: "stub" });
    const tools = functions
      .filter(({ name }) => name !== "__proto__")
      .map((definition) => ({ type: "function" as const, function: definition }));
    const bound = model.bindTools?.(tools);
    try {
      await fc.assert(
        fc.asyncProperty(fromClient, async (messages) => {
          expect((await bound?.invoke(inTurns(messages)))?.text).toBe("fine");
        }),
        { numRuns: RUNS / 20 },
      );
    } finally {
      await stub.close();
    }
  },
  60_000,
);
