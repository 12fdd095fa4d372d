import { startGoogleStub } from "../../examples/providers/google";
import type { ProviderStub } from "../../examples/providers/server";
import { ask } from "./ask";

const user = (...parts: unknown[]) => ({ role: "user", parts });
const model = (...parts: unknown[]) => ({ role: "model", parts });
const text = { text: "hi" };
const call = (name = "lookup", args: unknown = {}) => ({ functionCall: { name, args } });
const result = (name = "lookup", response: unknown = { result: "42" }) => ({
  functionResponse: { name, response },
});
const request = (...contents: unknown[]) => ({ contents });
const PATH = "/v1beta/models/gemini-2.5-flash:generateContent";

let stub: ProviderStub;
let joining: ProviderStub;
beforeAll(async () => {
  const script = () => ({ text: "hello there", toolCalls: [{ name: "lookup", args: { a: 1 } }] });
  stub = await startGoogleStub({ script });
  joining = await startGoogleStub({ script, joinResponses: true });
});
afterAll(() => Promise.all([stub.close(), joining.close()]));

const NUMBER =
  "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.";

test.each<[string, unknown]>([
  ["a question", request(user(text))],
  ["a whole turn", request(user(text), model(text, call(), call("other")), user(result("other"), result()))],
  [
    "calls turn after turn",
    request(user(text), model(call()), user(result()), model(call()), user(result())),
  ],
  ["two questions in a row", request(user(text), user(text))],
])("accepts %s", async (_, body) => {
  expect(await ask(stub, PATH, body)).toMatchObject({
    status: 200,
    body: {
      candidates: [
        { finishReason: "STOP", content: { parts: [{ text: "hello there" }, { functionCall: {} }] } },
      ],
    },
  });
});

test.each<[string, unknown, string]>([
  ["no contents", request(), "* GenerateContentRequest.contents: contents is not specified"],
  ["an unknown role", request({ role: "tool", parts: [text] }), "Please use a valid role: user, model."],
  [
    "no parts",
    request(user()),
    "* GenerateContentRequest.contents[0].parts: contents.parts must not be empty.",
  ],
  [
    "an empty text",
    request(user({ text: "" })),
    "* GenerateContentRequest.contents[0].parts[0].data: required oneof field 'data' must have one initialized field",
  ],
  [
    "a call first",
    request(model(call()), user(result())),
    "Please ensure that function call turn comes immediately after a user turn or after a function response turn.",
  ],
  [
    "a call behind a model's turn",
    request(user(text), model(text), model(call()), user(result())),
    "Please ensure that function call turn comes immediately after a user turn or after a function response turn.",
  ],
  [
    "an orphan",
    request(user(text), model(text), user(result())),
    "Please ensure that function response turn comes immediately after a function call turn.",
  ],
  ["an unanswered call", request(user(text), model(call()), user(text)), NUMBER],
  ["an unanswered call at the end", request(user(text), model(call())), NUMBER],
  ["one result of two", request(user(text), model(call(), call()), user(result())), NUMBER],
  [
    "results in two contents",
    request(user(text), model(call(), call()), user(result()), user(result())),
    NUMBER,
  ],
  ["a result of another function", request(user(text), model(call()), user(result("other"))), NUMBER],
  [
    "a result without a name",
    request(user(text), model(call()), user(result(""))),
    "* GenerateContentRequest.contents[2].parts[0].function_response.name: Name cannot be empty.",
  ],
  [
    "a result that is no object",
    request(user(text), model(call()), user(result("lookup", "boom"))),
    "Invalid value at 'contents[2].parts[0].function_response.response' (type.googleapis.com/google.protobuf.Struct), \"boom\"",
  ],
  [
    "a model's turn last",
    request(user(text), model(text)),
    "Please ensure that single turn requests end with a user role or the role field is empty.",
  ],
  [
    "a schema of no object",
    {
      ...request(user(text)),
      tools: [{ functionDeclarations: [{ name: "x", parameters: { type: "string" } }] }],
    },
    "* GenerateContentRequest.tools[0].function_declarations[0].parameters.type: Parameters schema should be of type OBJECT",
  ],
])("refuses %s", async (_, body, message) => {
  expect(await ask(stub, PATH, body)).toMatchObject({
    status: 400,
    body: { error: { code: 400, status: "INVALID_ARGUMENT", message } },
  });
});

test("takes results in contents of their own only where it was told to", async () => {
  const split = request(user(text), model(call(), call()), user(result()), user(result()));
  expect((await ask(joining, PATH, split)).status).toBe(200);
  const missing = request(user(text), model(call(), call()), user(result()), user(text));
  expect((await ask(joining, PATH, missing)).body).toMatchObject({ error: { message: NUMBER } });
});
