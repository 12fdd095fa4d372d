import { startOpenAIStub } from "../../examples/providers/openai";
import type { ProviderStub } from "../../examples/providers/server";
import { ask } from "./ask";

const HEADERS = { authorization: "Bearer stub" };
const user = (content: unknown) => ({ role: "user", content });
const call = (id: string, described: object = { name: "lookup", arguments: "{}" }) => ({
  id,
  type: "function",
  function: described,
});
const calls = (...list: unknown[]) => ({ role: "assistant", content: null, tool_calls: list });
const result = (id: string, content: unknown = "42") => ({ role: "tool", tool_call_id: id, content });
const request = (messages: unknown[], more: object = {}) => ({ model: "gpt-4.1-mini", messages, ...more });
const asked = [user("hi"), calls(call("a"), call("b"))];
const long = "x".repeat(41);

let stub: ProviderStub;
beforeAll(async () => {
  stub = await startOpenAIStub({
    script: () => ({ text: "hello there", toolCalls: [{ name: "lookup", args: { a: 1 } }] }),
  });
});
afterAll(() => stub.close());

const UNANSWERED =
  "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ";
const NOT_ASKED =
  "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.";

describe("Chat Completions", () => {
  test.each<[string, unknown]>([
    ["a question", request([{ role: "system", content: "be kind" }, user("hi")])],
    ["a whole turn", request([...asked, result("b"), result("a", ""), user("go on")])],
    [
      "arguments that are no JSON",
      request([user("hi"), calls(call("a", { name: "lookup", arguments: '{"q":' })), result("a")]),
    ],
    [
      "one id in two turns",
      request([...asked, result("a"), result("b"), ...asked, result("a"), result("b")]),
    ],
    ["text parts in a result", request([...asked, result("a", [{ type: "text", text: "x" }]), result("b")])],
  ])("accepts %s", async (_, body) => {
    expect(await ask(stub, "/chat/completions", body, HEADERS)).toMatchObject({
      status: 200,
      body: { choices: [{ finish_reason: "tool_calls", message: { content: "hello there" } }] },
    });
  });

  test.each<[string, unknown, string]>([
    [
      "no messages",
      request([]),
      "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.",
    ],
    [
      "an unknown role",
      request([{ role: "ai", content: "x" }]),
      "Invalid value: 'ai'. Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and 'developer'.",
    ],
    ["no content", request([user(null)]), "Invalid value for 'content': expected a string, got null."],
    [
      "an assistant message without content and calls",
      request([user("hi"), { role: "assistant", content: null }]),
      "Invalid value for 'content': expected a string, got null.",
    ],
    [
      "an empty list of parts",
      request([user([])]),
      "Invalid 'messages[0].content': empty array. Expected an array with minimum length 1, but got an empty array instead.",
    ],
    [
      "an image in a result",
      request([...asked, result("a", [{ type: "image_url", image_url: { url: "data:," } }]), result("b")]),
      "Invalid value: 'image_url'. Supported values are: 'text', 'refusal'.",
    ],
    [
      "no calls in the list of calls",
      request([user("hi"), calls()]),
      "Invalid 'messages[1].tool_calls': empty array. Expected an array with minimum length 1, but got an empty array instead.",
    ],
    [
      "a call without an id",
      request([user("hi"), calls(call(""))]),
      "Missing required parameter: 'messages[1].tool_calls[0].id'.",
    ],
    [
      "a long id",
      request([user("hi"), calls(call(long)), result(long)]),
      "Invalid 'messages[1].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a string with length 41 instead.",
    ],
    [
      "a name of another alphabet",
      request([user("hi"), calls(call("a", { name: "look up", arguments: "{}" })), result("a")]),
      "Invalid 'messages[1].tool_calls[0].function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
    ],
    [
      "an empty name",
      request([user("hi"), calls(call("a", { name: "", arguments: "{}" })), result("a")]),
      "Invalid 'messages[1].tool_calls[0].function.name': empty string. Expected a string with minimum length 1, but got an empty string instead.",
    ],
    [
      "arguments as an object",
      request([user("hi"), calls(call("a", { name: "lookup", arguments: {} })), result("a")]),
      "Invalid type for 'messages[1].tool_calls[0].function.arguments': expected a string, but got an object instead.",
    ],
    ["an unanswered call", request([...asked, result("a"), user("well?")]), `${UNANSWERED}b`],
    ["unanswered calls at the end", request(asked), `${UNANSWERED}a, b`],
    ["an orphan", request([result("z")]), NOT_ASKED],
    ["a late result", request([...asked, result("a"), result("b"), user("x"), result("a")]), NOT_ASKED],
    [
      "two results for one call",
      request([...asked, result("a"), result("a"), result("b")]),
      "Duplicate value for 'tool_call_id' of 'a' in message[3]",
    ],
    [
      "a result without an id",
      request([...asked, { role: "tool", content: "x" }]),
      "Missing required parameter: 'messages[2].tool_call_id'.",
    ],
    [
      "an empty list of tools",
      request([user("hi")], { tools: [] }),
      "Invalid 'tools': empty array. Expected an array with minimum length 1, but got an empty array instead.",
    ],
    [
      "a schema of no object",
      request([user("hi")], { tools: [{ type: "function", function: { name: "x", parameters: {} } }] }),
      "Invalid schema for function 'x': schema must be a JSON Schema of 'type: \"object\"', got 'type: \"None\"'.",
    ],
  ])("refuses %s", async (_, body, message) => {
    expect(await ask(stub, "/chat/completions", body, HEADERS)).toMatchObject({
      status: 400,
      body: { error: { type: "invalid_request_error", message } },
    });
  });
});

describe("Responses", () => {
  const fnCall = (id: string) => ({ type: "function_call", call_id: id, name: "lookup", arguments: "{}" });
  const output = (id: string) => ({ type: "function_call_output", call_id: id, output: "42" });
  const respond = (input: unknown) => ask(stub, "/responses", { model: "gpt-5", input }, HEADERS);

  test.each<[string, unknown]>([
    ["a question", "hi"],
    ["a whole turn", [user("hi"), fnCall("a"), fnCall("b"), output("b"), output("a"), user("go on")]],
  ])("accepts %s", async (_, input) => {
    expect(await respond(input)).toMatchObject({
      status: 200,
      body: { status: "completed", output: [{ type: "message" }, { type: "function_call" }] },
    });
  });

  test.each<[string, unknown, string]>([
    ["an unanswered call", [user("hi"), fnCall("a")], "No tool output found for function call a."],
    ["an orphan", [user("hi"), output("a")], "No tool call found for function call output with call_id a."],
    ["two results for one call", [fnCall("a"), output("a"), output("a")], "Duplicate item found with id a."],
    [
      "no input",
      [],
      "Invalid 'input': empty array. Expected an array with minimum length 1, but got an empty array instead.",
    ],
  ])("refuses %s", async (_, input, message) => {
    expect(await respond(input)).toMatchObject({ status: 400, body: { error: { message } } });
  });
});

test("asks for a key", async () => {
  expect((await ask(stub, "/chat/completions", request([user("hi")]))).status).toBe(401);
});
