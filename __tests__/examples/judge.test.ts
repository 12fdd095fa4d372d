import { type Hops, judge, judgeAnswer } from "../../examples/demo/judge";
import { PROVIDERS, type Provider } from "../../examples/model";

const error = "the printer is on fire";

const wires: Record<Provider, Record<string, unknown>> = {
  anthropic: { type: "tool_result", tool_use_id: "c", content: `${error}\nsent`, is_error: true },
  openai: { role: "tool", tool_call_id: "c", content: `${error}\nsent` },
  google: { functionResponse: { name: "print", response: { error: { details: `${error}\nsent` } } } },
  bedrock: { toolResult: { toolUseId: "c", content: [{ text: `${error}\nsent` }] } },
};

function hopsFor(provider: Provider, changes: Partial<Hops> = {}): Hops {
  return {
    client: { id: "m", role: "tool", toolCallId: "c", content: "sent", error },
    stored: { type: "tool", tool_call_id: "c", status: "error", additional_kwargs: { error } },
    wire: wires[provider],
    snapshot: { id: "m", role: "tool", toolCallId: "c", content: "sent", error },
    ...changes,
  };
}

const lostAt = (provider: Provider, changes: Partial<Hops>) =>
  judge(provider, hopsFor(provider, changes))
    .filter(({ lost }) => lost)
    .map(({ hop }) => hop);

test.each(PROVIDERS)("a failure that %s was told is lost nowhere", (provider) => {
  expect(lostAt(provider, {})).toEqual([]);
});

test.each<[string, Provider, Partial<Hops>, string]>([
  [
    "no error from the client",
    "openai",
    { client: { id: "m", role: "tool", toolCallId: "c", content: "sent" } },
    "client",
  ],
  ["no stored message", "openai", { stored: null }, "stored"],
  ["a stored success", "openai", { stored: { status: "success", additional_kwargs: { error } } }, "stored"],
  ["a stored failure without its text", "openai", { stored: { status: "error" } }, "stored"],
  ["no result in the request", "google", { wire: null }, "wire"],
  [
    "Anthropic's result without is_error",
    "anthropic",
    { wire: { ...wires.anthropic, is_error: undefined } },
    "wire",
  ],
  [
    "Anthropic's result without the text",
    "anthropic",
    { wire: { ...wires.anthropic, content: "sent" } },
    "wire",
  ],
  [
    "Gemini's result as a success",
    "google",
    { wire: { functionResponse: { response: { result: error } } } },
    "wire",
  ],
  ["OpenAI's result with the bare content", "openai", { wire: { ...wires.openai, content: "sent" } }, "wire"],
  [
    "Bedrock's result with the bare content",
    "bedrock",
    { wire: { toolResult: { content: [{ text: "sent" }] } } },
    "wire",
  ],
  ["no message in the snapshot", "openai", { snapshot: null }, "snapshot"],
  [
    "the constant instead of the text",
    "openai",
    { snapshot: { id: "m", content: "sent", error: "error" } },
    "snapshot",
  ],
  ["another message id", "openai", { snapshot: { id: "n", content: "sent", error } }, "snapshot"],
  [
    "the content that the model reads",
    "openai",
    { snapshot: { id: "m", content: `${error}\nsent`, error } },
    "snapshot",
  ],
])("%s is a loss", (_, provider, changes, hop) => {
  expect(lostAt(provider, changes)).toContain(hop);
});

test("an answer that does not name the failure is a loss", () => {
  expect(judgeAnswer(`It failed: ${error}.`, error).lost).toBe(false);
  expect(judgeAnswer("Printed!", error).lost).toBe(true);
  expect(judgeAnswer("", error).lost).toBe(true);
});
