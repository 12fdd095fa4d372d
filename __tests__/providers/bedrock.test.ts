import { startBedrockStub } from "../../examples/providers/bedrock";
import type { ProviderStub } from "../../examples/providers/server";
import { ask } from "./ask";

const user = (...content: unknown[]) => ({ role: "user", content });
const assistant = (...content: unknown[]) => ({ role: "assistant", content });
const text = { text: "hi" };
const use = (id: string, more: object = {}) => ({
  toolUse: { toolUseId: id, name: "lookup", input: {}, ...more },
});
const result = (id: string, more: object = {}) => ({
  toolResult: { toolUseId: id, content: [{ text: "42" }], ...more },
});
const toolConfig = { tools: [{ toolSpec: { name: "lookup", inputSchema: { json: { type: "object" } } } }] };
const request = (...messages: unknown[]) => ({ messages, toolConfig });
const PATH = "/model/anthropic.claude-haiku-4-5/converse";

let stub: ProviderStub;
beforeAll(async () => {
  stub = await startBedrockStub({
    script: () => ({ text: "hello there", toolCalls: [{ name: "lookup", args: { a: 1 } }] }),
  });
});
afterAll(() => stub.close());

const asked = [user(text), assistant(text, use("a"), use("b"))];
const ALTERNATE =
  "A conversation must alternate between user and assistant roles. Make sure the conversation alternates between user and assistant roles and try again.";

test.each<[string, unknown]>([
  ["a question", request(user(text))],
  [
    "a whole turn",
    request(...asked, user(result("b", { status: "error" }), result("a")), assistant(text), user(text)),
  ],
  ["no tools where none were used", { messages: [user(text)] }],
  [
    "one id in two turns",
    request(user(text), assistant(use("a")), user(result("a")), assistant(use("a")), user(result("a"))),
  ],
])("accepts %s", async (_, body) => {
  expect(await ask(stub, PATH, body)).toMatchObject({
    status: 200,
    body: {
      stopReason: "tool_use",
      output: { message: { content: [{ text: "hello there" }, { toolUse: {} }] } },
    },
  });
});

test.each<[string, unknown, string]>([
  [
    "an assistant first",
    request(assistant(text)),
    "A conversation must start with a user message. Try again with a conversation that starts with a user message.",
  ],
  ["two user messages in a row", request(user(text), user(text)), ALTERNATE],
  ["results in two messages", request(...asked, user(result("a")), user(result("b"))), ALTERNATE],
  [
    "an empty message",
    request(user()),
    "The content field in the Message object at messages.0 is empty. Add a ContentBlock object to the content field and try again.",
  ],
  [
    "a blank text",
    request(user({ text: " " })),
    "The text field in the ContentBlock object at messages.0.content.0 is blank. Add text to the text field, and try again.",
  ],
  [
    "an unanswered call",
    request(...asked, user(result("a"))),
    "Expected toolResult blocks at messages.2.content for the following Ids: b",
  ],
  [
    "unanswered calls at the end",
    request(...asked),
    "Expected toolResult blocks at messages.2.content for the following Ids: a, b",
  ],
  [
    "an orphan",
    request(user(result("z"))),
    "The number of toolResult blocks at messages.0.content exceeds the number of toolUse blocks of previous turn.",
  ],
  [
    "two results for one call",
    request(...asked, user(result("a"), result("a"))),
    "The toolResult blocks at messages.2.content contain duplicate Ids: a",
  ],
  [
    "one id twice in a turn",
    request(user(text), assistant(use("a"), use("a")), user(result("a"))),
    "The toolUse blocks at messages.1.content contain duplicate Ids: a",
  ],
  [
    "an empty failed result",
    request(...asked, user(result("a", { content: [], status: "error" }), result("b"))),
    "The content field at messages.2.content.0.toolResult cannot be empty when status value is error.",
  ],
  [
    "a blank failed result",
    request(...asked, user(result("a", { content: [{ text: " " }], status: "error" }), result("b"))),
    "The content field at messages.2.content.0.toolResult cannot be empty when status value is error.",
  ],
  [
    "an id of another alphabet",
    request(user(text), assistant(use("a:b")), user(result("a:b"))),
    "1 validation error detected: Value 'a:b' at 'messages.2.member.content.1.member.toolUse.toolUseId' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_-]+",
  ],
  [
    "arguments that are no object",
    request(user(text), assistant(use("a", { input: "{}" })), user(result("a"))),
    "The format of the value at messages.1.content.0.toolUse.input is invalid. Provide a json object for the field and try again.",
  ],
  [
    "calls without tools",
    { messages: [...asked, user(result("a"), result("b"))] },
    "The toolConfig field must be defined when using toolUse and toolResult content blocks.",
  ],
])("refuses %s", async (_, body, message) => {
  expect(await ask(stub, PATH, body)).toMatchObject({ status: 400, body: { message } });
});
