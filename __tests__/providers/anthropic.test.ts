import { startAnthropicStub } from "../../examples/providers/anthropic";
import type { ProviderStub } from "../../examples/providers/server";
import { ask } from "./ask";

const HEADERS = { "x-api-key": "stub", "anthropic-version": "2023-06-01" };
const tools = [{ name: "lookup", description: "", input_schema: { type: "object" } }];
const use = (id: string, more: object = {}) => ({ type: "tool_use", id, name: "lookup", input: {}, ...more });
const result = (id: string, more: object = {}) => ({
  type: "tool_result",
  tool_use_id: id,
  content: "42",
  ...more,
});
const user = (content: unknown) => ({ role: "user", content });
const assistant = (content: unknown) => ({ role: "assistant", content });
const request = (messages: unknown[], more: object = {}) => ({
  model: "claude-sonnet-4-5",
  max_tokens: 100,
  messages,
  tools,
  ...more,
});
const turn = (...results: unknown[]) => [user("hi"), assistant([use("a"), use("b")]), user(results)];

let stub: ProviderStub;
beforeAll(async () => {
  stub = await startAnthropicStub({
    script: () => ({ text: "hello there", toolCalls: [{ name: "lookup", args: {} }] }),
  });
});
afterAll(() => stub.close());

const send = (body: unknown, headers: Record<string, string> = HEADERS) =>
  ask(stub, "/v1/messages", body, headers);

test.each<[string, unknown]>([
  ["a question", request([user("hi")])],
  [
    "a whole turn",
    request([...turn(result("a"), result("b", { is_error: true })), assistant("ok"), user("go on")]),
  ],
  ["text behind the results", request(turn(result("a"), result("b"), { type: "text", text: "and now?" }))],
  ["a user message right behind the results", request([...turn(result("a"), result("b")), user("and now?")])],
  ["an empty successful result", request(turn(result("a", { content: "" }), result("b", { content: [] })))],
  ["a result without content", request(turn(result("a", { content: undefined }), result("b")))],
  [
    "text and image in a result",
    request(
      turn(
        result("a", {
          content: [
            { type: "text", text: "see" },
            { type: "image", source: {} },
          ],
        }),
        result("b"),
      ),
    ),
  ],
  ["a welcome of the assistant first", request([assistant("hi"), user("hello")])],
  ["an empty last assistant message", request([user("hi"), assistant("")])],
  ["a tool that has to be called", request([user("hi")], { tool_choice: { type: "tool", name: "lookup" } })],
  ["no tools where none were used", request([user("hi")], { tools: undefined })],
])("accepts %s", async (_, body) => {
  expect(await send(body)).toMatchObject({
    status: 200,
    body: {
      type: "message",
      role: "assistant",
      stop_reason: "tool_use",
      content: [{ type: "text" }, { type: "tool_use" }],
    },
  });
});

test.each<[string, unknown, string]>([
  ["no model", { messages: [user("hi")], max_tokens: 1 }, "model: Field required"],
  ["no max_tokens", { ...request([user("hi")]), max_tokens: undefined }, "max_tokens: Field required"],
  ["unknown parameters", request([user("hi")], { n: 2 }), "n: Extra inputs are not permitted"],
  ["no messages", request([]), "messages: at least one message is required"],
  [
    "a system message among the others",
    request([user("hi"), { role: "system", content: "x" }]),
    'messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter, not "system" as an input message role.',
  ],
  [
    "an unknown role",
    request([{ role: "tool", content: "x" }]),
    "messages.0.role: Input should be 'user' or 'assistant'",
  ],
  [
    "unknown keys of a message",
    request([{ role: "user", content: "hi", name: "x" }]),
    "messages.0.name: Extra inputs are not permitted",
  ],
  [
    "an empty message",
    request([user("")]),
    "messages.0: all messages must have non-empty content except for the optional final assistant message",
  ],
  [
    "an empty list of blocks",
    request([user("hi"), assistant([]), user("x")]),
    "messages.1: all messages must have non-empty content except for the optional final assistant message",
  ],
  [
    "a blank message",
    request([user("  ")]),
    "messages: text content blocks must contain non-whitespace text",
  ],
  [
    "an empty text block",
    request([user([{ type: "text", text: "" }])]),
    "messages: text content blocks must be non-empty",
  ],
  [
    "a blank text block",
    request([user([{ type: "text", text: "\n" }])]),
    "messages: text content blocks must contain non-whitespace text",
  ],
  [
    "trailing space at the end",
    request([user("hi"), assistant("so ")]),
    "messages: final assistant content cannot end with trailing whitespace",
  ],
  [
    "trailing space in the last block",
    request([user("hi"), assistant([{ type: "text", text: "so\n" }])]),
    "messages: final assistant content cannot end with trailing whitespace",
  ],
  [
    "an unanswered call",
    request([user("hi"), assistant([use("a")]), user("well?")]),
    "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: a. Each `tool_use` block must have a corresponding `tool_result` block in the next message.",
  ],
  [
    "an unanswered call at the end",
    request([user("hi"), assistant([use("a"), use("b")])]),
    "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: a, b. Each `tool_use` block must have a corresponding `tool_result` block in the next message.",
  ],
  [
    "results in two messages",
    request([user("hi"), assistant([use("a"), use("b")]), user([result("a")]), user([result("b")])]),
    "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: b. Each `tool_use` block must have a corresponding `tool_result` block in the next message.",
  ],
  [
    "a result behind text",
    request(turn({ type: "text", text: "here:" }, result("a"), result("b"))),
    "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: a, b. Each `tool_use` block must have a corresponding `tool_result` block in the next message.",
  ],
  [
    "an orphan",
    request([user([result("z")])]),
    "messages.0.content.0: unexpected `tool_use_id` found in `tool_result` blocks: z. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.",
  ],
  [
    "a late result",
    request([...turn(result("a"), result("b")), assistant("ok"), user([result("a")])]),
    "messages.4.content.0: unexpected `tool_use_id` found in `tool_result` blocks: a. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.",
  ],
  [
    "two results for one call",
    request(turn(result("a"), result("b"), result("a"))),
    "messages.2.content.2: each tool_use must have a single result. Found multiple `tool_result` blocks with id: a",
  ],
  [
    "one id twice",
    request([...turn(result("a"), result("b")), assistant([use("a")]), user([result("a")])]),
    "messages.3.content.0: `tool_use` ids must be unique",
  ],
  [
    "an id of another alphabet",
    request([user("hi"), assistant([use("call:1")]), user([result("call:1")])]),
    "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
  ],
  [
    "arguments that are no object",
    request([user("hi"), assistant([use("a", { input: "{}" })]), user([result("a")])]),
    "messages.1.content.0.tool_use.input: Input should be a valid dictionary",
  ],
  [
    "a name of another alphabet",
    request([user("hi"), assistant([use("a", { name: "look up" })]), user([result("a")])]),
    "messages.1.content.0.tool_use.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
  ],
  [
    "a call of the user",
    request([user([use("a")])]),
    "messages.0.content.0: `tool_use` blocks can only be in `assistant` messages",
  ],
  [
    "a result of the assistant",
    request([user("hi"), assistant([result("a")])]),
    "messages.1.content.0: `tool_result` blocks can only be in `user` messages",
  ],
  [
    "an empty failed result",
    request(turn(result("a", { content: "", is_error: true }), result("b"))),
    "messages.2.content.0.tool_result: content cannot be empty if `is_error` is true",
  ],
  [
    "a blank failed result",
    request(turn(result("a", { content: " ", is_error: true }), result("b"))),
    "messages.2.content.0.tool_result: content cannot be empty if `is_error` is true",
  ],
  [
    "a failed result without blocks",
    request(turn(result("a"), result("b", { content: [], is_error: true }))),
    "messages.2.content.1.tool_result: content cannot be empty if `is_error` is true",
  ],
  [
    "an image in a failed result",
    request(turn(result("a", { content: [{ type: "image", source: {} }], is_error: true }), result("b"))),
    "messages.2.content.0.tool_result: all content must be type `text` if `is_error` is true",
  ],
  [
    "an empty text in a result",
    request(turn(result("a", { content: [{ type: "text", text: "" }] }), result("b"))),
    "messages: text content blocks must be non-empty",
  ],
  [
    "a nested result",
    request(turn(result("a", { content: [result("a")] }), result("b"))),
    "messages.2.content.0.tool_result.content.0: Input tag 'tool_result' found using 'type' does not match any of the expected tags: 'text', 'image', 'document', 'search_result'",
  ],
  [
    "unknown keys of a result",
    request(turn(result("a", { status: "error" }), result("b"))),
    "messages.2.content.0.tool_result.status: Extra inputs are not permitted",
  ],
  [
    "calls without tools",
    request(turn(result("a"), result("b")), { tools: undefined }),
    "Requests which include `tool_use` or `tool_result` blocks must define tools",
  ],
  [
    "a tool without a schema",
    request([user("hi")], { tools: [{ name: "x" }] }),
    "tools.0.custom.input_schema: Field required",
  ],
  [
    "a schema without a type",
    request([user("hi")], { tools: [{ name: "x", input_schema: {} }] }),
    "tools.0.custom.input_schema.type: Field required",
  ],
  [
    "a tool choice in OpenAI's form",
    request([user("hi")], { tool_choice: { type: "function", function: { name: "lookup" } } }),
    "tool_choice: Input tag 'function' found using 'type' does not match any of the expected tags: 'auto', 'any', 'tool', 'none'",
  ],
  [
    "two tools of one name",
    request([user("hi")], { tools: [...tools, ...tools] }),
    "tools: Tool names must be unique.",
  ],
])("refuses %s", async (_, body, message) => {
  expect(await send(body)).toMatchObject({
    status: 400,
    body: { type: "error", error: { type: "invalid_request_error", message } },
  });
});

test("asks for a key and a version", async () => {
  const body = request([user("hi")]);
  expect((await send(body, { "anthropic-version": "2023-06-01" })).status).toBe(401);
  expect((await send(body, { "x-api-key": "stub" })).status).toBe(400);
});

test("streams the same answer in pieces", async () => {
  const { text } = await send(request([user("hi")], { stream: true }));
  const events = text
    .split("\n\n")
    .filter(Boolean)
    .map((event) => JSON.parse(event.split("data: ")[1]!));
  expect(events[0].type).toBe("message_start");
  expect(events.at(-1).type).toBe("message_stop");
  const deltas = events.filter((event) => event.type === "content_block_delta").map((event) => event.delta);
  expect(deltas.map((delta) => delta.text ?? "").join("")).toBe("hello there");
  expect(deltas.map((delta) => delta.partial_json ?? "").join("")).toBe("{}");
});

test("records what came in, and says so when the script is over", async () => {
  const short = await startAnthropicStub({
    script: [{ text: "once" }, { refusal: { status: 529, message: "Overloaded" } }],
  });
  try {
    const body = request([user("hi")]);
    const answers = [];
    for (let index = 0; index < 3; index++) answers.push(await ask(short, "/v1/messages", body, HEADERS));
    expect(answers.map(({ status }) => status)).toEqual([200, 529, 400]);
    expect(answers[2]?.text).toContain("the script has no turn 3");
    expect(short.requests).toEqual([body, body, body]);
  } finally {
    await short.close();
  }
});
