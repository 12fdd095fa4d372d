import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import fc from "fast-check";
import { chatModel } from "../../examples/model";
import { startAnthropicStub } from "../../examples/providers/anthropic";
import { startBedrockStub } from "../../examples/providers/bedrock";
import { startGoogleStub } from "../../examples/providers/google";
import { startOpenAIStub } from "../../examples/providers/openai";
import type { ProviderStub } from "../../examples/providers/server";
import { type ModelProvider, presentToolFailures } from "../../src/failures/model-view";

const script = () => ({ text: "I see." });
const PROVIDERS = {
  anthropic: { view: "anthropic", start: () => startAnthropicStub({ script }) },
  openai: { view: "openai", start: () => startOpenAIStub({ script }) },
  google: { view: "google-genai", start: () => startGoogleStub({ script, joinResponses: true }) },
  bedrock: { view: "bedrock", start: () => startBedrockStub({ script }) },
} as const;
type Name = keyof typeof PROVIDERS;

const lookup = {
  type: "function",
  function: { name: "lookup", description: "", parameters: { type: "object", properties: {} } },
};
const asked = (...ids: string[]): BaseMessage[] => [
  new HumanMessage("Where am I?"),
  new AIMessage({ content: "", tool_calls: ids.map((id) => ({ id, name: "lookup", args: {} })) }),
];
const succeeded = (id: string, content: ToolMessage["content"] = "Bonn") =>
  new ToolMessage({ tool_call_id: id, name: "lookup", content, status: "success" });
const failed = (id: string, content: ToolMessage["content"], error?: string) =>
  new ToolMessage({
    tool_call_id: id,
    name: "lookup",
    content,
    status: "error",
    additional_kwargs: error === undefined ? {} : { error },
  });

const stubs = new Map<Name, ProviderStub>();
beforeAll(async () => {
  for (const name of Object.keys(PROVIDERS) as Name[]) stubs.set(name, await PROVIDERS[name].start());
});
afterAll(() => Promise.all([...stubs.values()].map((stub) => stub.close())));

/** What reaches the provider's API when a real chat model is given the messages; throws where the API refuses. */
async function wire(name: Name, messages: BaseMessage[]): Promise<unknown[]> {
  const stub = stubs.get(name)!;
  const model = chatModel({ provider: name, baseUrl: stub.url, apiKey: "stub" });
  const answer = await model.bindTools!([lookup]).invoke(messages);
  expect(answer.text).toBe("I see.");
  const sent = stub.requests.at(-1) as { messages?: unknown[]; contents?: unknown[] };
  return sent.messages ?? sent.contents ?? [];
}

const shown = (name: Name, messages: BaseMessage[]) =>
  presentToolFailures(messages, { provider: PROVIDERS[name].view });

describe("a failed result whose content does not say so", () => {
  const history = [...asked("a"), failed("a", "null", "Location denied")];

  test("anthropic: flagged, with the text of the error", async () => {
    expect((await wire("anthropic", shown("anthropic", history))).at(-1)).toEqual({
      role: "user",
      content: [{ type: "tool_result", tool_use_id: "a", content: "Location denied\nnull", is_error: true }],
    });
  });

  test("openai: legible", async () => {
    expect((await wire("openai", shown("openai", history))).at(-1)).toMatchObject({
      role: "tool",
      tool_call_id: "a",
      content: "Location denied\nnull",
    });
  });

  test("google: an error, with the text", async () => {
    expect((await wire("google", shown("google", history))).at(-1)).toEqual({
      role: "user",
      parts: [
        { functionResponse: { name: "lookup", response: { error: { details: "Location denied\nnull" } } } },
      ],
    });
  });

  test("bedrock: legible", async () => {
    expect((await wire("bedrock", shown("bedrock", history))).at(-1)).toEqual({
      role: "user",
      content: [{ toolResult: { toolUseId: "a", content: [{ text: "Location denied\nnull" }] } }],
    });
  });

  test("without the view none but google tells a failure from a success", async () => {
    const success = [...asked("a"), succeeded("a", "null")];
    for (const name of Object.keys(PROVIDERS) as Name[]) {
      const same = JSON.stringify(await wire(name, history)) === JSON.stringify(await wire(name, success));
      expect([name, same]).toEqual([name, name !== "google"]);
    }
  });
});

describe("a failure without a recorded text", () => {
  test.each<[Name, string, string]>([
    ["anthropic", "boom", "boom"],
    ["google", "boom", "boom"],
    ["openai", "boom", "error\nboom"],
    ["bedrock", "boom", "error\nboom"],
    ["openai", "Error: boom", "Error: boom"],
    ["anthropic", " ", "error"],
    ["openai", "", "error"],
  ])("%s is shown %j as %j", async (name, content, expected) => {
    const sent = await wire(name, shown(name, [...asked("a"), failed("a", content)]));
    expect(textsOf(sent.at(-1))).toContain(expected);
  });
});

describe("one turn with successes and failures", () => {
  const history = [
    ...asked("a", "b", "c", "d"),
    failed("a", "Error: boom"),
    succeeded("b"),
    succeeded("c", [{ type: "text", text: "Köln" }]),
    succeeded("d"),
    new HumanMessage("And now?"),
  ];

  test("anthropic takes all of them in one message, in order, however often the model is asked", async () => {
    const view = shown("anthropic", history);
    const first = await wire("anthropic", view);
    expect(await wire("anthropic", view)).toEqual(first);
    expect(first.slice(2)).toEqual([
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "a", content: "Error: boom", is_error: true },
          { type: "tool_result", tool_use_id: "b", content: "Bonn" },
          { type: "tool_result", tool_use_id: "c", content: [{ type: "text", text: "Köln" }] },
          { type: "tool_result", tool_use_id: "d", content: "Bonn" },
        ],
      },
      { role: "user", content: "And now?" },
    ]);
  });

  test.each<Name>(["openai", "google"])("%s takes them too", async (name) => {
    await expect(wire(name, shown(name, history))).resolves.toBeDefined();
  });

  test("bedrock takes them, where the user did not speak before the model", async () => {
    await expect(wire("bedrock", shown("bedrock", history.slice(0, -1)))).resolves.toBeDefined();
  });
});

test("anthropic gets the images of a failed result behind the results", async () => {
  const image = { type: "image_url" as const, image_url: { url: "data:image/png;base64,aGk=" } };
  const history = [
    ...asked("a", "b"),
    failed("a", [{ type: "text", text: "The click missed." }, image], "No such button"),
    succeeded("b"),
  ];
  expect((await wire("anthropic", shown("anthropic", history))).slice(2)).toEqual([
    {
      role: "user",
      content: [
        {
          type: "tool_result",
          tool_use_id: "a",
          content: "No such button\nThe click missed.",
          is_error: true,
        },
        { type: "tool_result", tool_use_id: "b", content: "Bonn" },
      ],
    },
    {
      role: "user",
      content: [
        { type: "text", text: "Attached to the failed result of a:" },
        { type: "image", source: { type: "base64", media_type: "image/png", data: "aGk=" } },
      ],
    },
  ]);
});

test("an unknown provider gets a legible content, with its other parts", () => {
  const image = { type: "image_url" as const, image_url: "data:image/png;base64,aGk=" };
  const [, , view] = presentToolFailures([...asked("a"), failed("a", [image], "No such button")], {
    provider: "mistral",
  });
  expect(view?.type).toBe("tool");
  expect(view?.content).toEqual([{ type: "text", text: "No such button" }, image]);
});

const arbitraryTurn = fc.array(
  fc.record({
    fails: fc.boolean(),
    error: fc.option(fc.string(), { nil: undefined }),
    content: fc.oneof(
      fc.string(),
      fc.constant<ToolMessage["content"]>([{ type: "text", text: "part" }]),
    ) as fc.Arbitrary<ToolMessage["content"]>,
  }),
  { maxLength: 5 },
);

test("laws: nothing that comes in is changed, no result is lost, moved or doubled", () => {
  fc.assert(
    fc.property(
      fc.array(arbitraryTurn, { maxLength: 4 }),
      fc.constantFrom<ModelProvider>("anthropic", "openai", "google-genai", "bedrock", "unknown"),
      (turns, provider) => {
        const history = turns.flatMap((results, turn) => {
          const ids = results.map((_, index) => `call-${turn}-${index}`);
          return [
            ...asked(...ids),
            ...results.map(({ fails, content, error }, index) =>
              fails ? failed(ids[index]!, content, error) : succeeded(ids[index]!, content),
            ),
          ];
        });
        const before = JSON.stringify(history);
        const view = presentToolFailures(history, { provider });
        expect(JSON.stringify(history)).toBe(before);
        expect(view.flatMap(resultsOf)).toEqual(history.flatMap(resultsOf));
        const healthy = history.filter((message) => message.type !== "tool");
        expect(view.filter((message) => healthy.includes(message))).toEqual(healthy);
        if (!turns.flat().some(({ fails }) => fails)) expect(view).toEqual(history);
      },
    ),
  );
});

/** The call ids that a message answers, with whether it says that the call failed. */
function resultsOf(message: BaseMessage): [unknown, boolean][] {
  if (message.type === "tool") {
    const { tool_call_id: id, status } = message as ToolMessage;
    return [[id, status === "error"]];
  }
  const blocks = Array.isArray(message.content)
    ? (message.content as unknown as Record<string, unknown>[])
    : [];
  return blocks
    .filter((block) => block.type === "tool_result")
    .map((block) => [block.tool_use_id, block.is_error === true]);
}

/** Every string in a value. */
function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsOf) : [];
}
