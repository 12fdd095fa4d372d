import { langchainMessagesToAgui } from "../../src/messages/to-agui";
import { comparable, fold, protocol1, translateRun } from "../support/fold";
import { ai, brief, human, modelEnds, startsCall, streams, values } from "./rows";

const before = [{ id: "u1", role: "user" as const, content: "hi" }];
const thinks = (block: Record<string, unknown>) => streams({ content: [block] });
const says = (text: string, index = 9) => streams({ content: [{ type: "text", text, index }] });

type Shape = [name: string, rows: ReturnType<typeof streams>[], whole: Record<string, unknown>];

const shapes: Shape[] = [
  [
    "Anthropic's thinking, signed",
    [
      thinks({ type: "thinking", thinking: "", signature: "", index: 0 }),
      thinks({ type: "thinking", thinking: "Hm", index: 0 }),
      thinks({ type: "thinking", thinking: "m", index: 0 }),
      thinks({ type: "thinking", signature: "c2ln", index: 0 }),
    ],
    ai("m1", [
      { type: "thinking", thinking: "Hmm", signature: "c2ln", index: 0 },
      { type: "text", text: "So" },
    ]),
  ],
  [
    "Anthropic's redacted thinking",
    [thinks({ type: "redacted_thinking", data: "aGlk", index: 0 })],
    ai("m1", [
      { type: "redacted_thinking", data: "aGlk" },
      { type: "text", text: "So" },
    ]),
  ],
  [
    "OpenAI's summaries, part by part",
    [
      thinks({ type: "reasoning", id: "rs_1", summary: [], index: 0 }),
      thinks({ type: "reasoning", summary: [{ type: "summary_text", text: "on", index: 0 }], index: 0 }),
      thinks({ type: "reasoning", summary: [{ type: "summary_text", text: "e", index: 0 }], index: 0 }),
      thinks({ type: "reasoning", summary: [{ type: "summary_text", text: "two", index: 1 }], index: 0 }),
    ],
    ai("m1", [
      { type: "reasoning", id: "rs_1", summary: [{ text: "one" }, { text: "two" }] },
      { type: "text", text: "So" },
    ]),
  ],
  [
    "OpenAI's reasoning without a summary",
    [thinks({ type: "reasoning", id: "rs_1", summary: [], index: 0 })],
    ai("m1", [
      { type: "reasoning", id: "rs_1", summary: [] },
      { type: "text", text: "So" },
    ]),
  ],
  [
    "LangChain's standard block",
    [
      thinks({ type: "reasoning", reasoning: "a", index: 0 }),
      thinks({ type: "reasoning", reasoning: "b", index: 0 }),
    ],
    ai("m1", [
      { type: "reasoning", reasoning: "ab" },
      { type: "text", text: "So" },
    ]),
  ],
  [
    "Bedrock's block",
    [thinks({ type: "reasoning_content", reasoningText: { text: "b", signature: "c2ln" }, index: 0 })],
    ai("m1", [
      { type: "reasoning_content", reasoningText: { text: "b", signature: "c2ln" } },
      { type: "text", text: "So" },
    ]),
  ],
  [
    "Gemini's blocks without an index, each its own",
    [thinks({ type: "thinking", thinking: "a" }), thinks({ type: "thinking", thinking: "b" })],
    ai("m1", [
      { type: "thinking", thinking: "a" },
      { type: "thinking", thinking: "b" },
      { type: "text", text: "So" },
    ]),
  ],
  [
    "DeepSeek's, beside the content",
    [
      streams({ additional_kwargs: { reasoning_content: "a" } }),
      streams({ additional_kwargs: { reasoning_content: "b" } }),
    ],
    { ...ai("m1", "So"), additional_kwargs: { reasoning_content: "ab" } },
  ],
  [
    "OpenAI's, beside the content",
    [
      streams({ additional_kwargs: { reasoning: { id: "rs_1", type: "reasoning", summary: [] } } }),
      streams({ additional_kwargs: { reasoning: { summary: [{ text: "a", index: 0 }] } } }),
      streams({ additional_kwargs: { reasoning: { summary: [{ text: "b", index: 1 }] } } }),
    ],
    {
      ...ai("m1", "So"),
      additional_kwargs: {
        reasoning: { id: "rs_1", type: "reasoning", summary: [{ text: "a" }, { text: "b" }] },
      },
    },
  ],
];

describe.each(shapes)("%s", (_name, rows, whole) => {
  const run = [values([human("u1")]), ...rows, says("So"), modelEnds(whole), values([human("u1"), whole])];

  it("is what the snapshot has, under its id", async () => {
    const { events } = translateRun(run);
    const { messages } = await fold(events, before);
    const expected = langchainMessagesToAgui([human("u1"), whole], { protocol1 });
    expect(messages.map(comparable)).toEqual(expected.map(comparable));
  });

  it("is closed before the text", () => {
    const { events } = translateRun(run);
    const types = events.map(({ type }) => type as string);
    const text = types.indexOf("TEXT_MESSAGE_START");
    expect(types.lastIndexOf("REASONING_END")).toBeLessThan(text);
    expect(types.filter((type) => type === "REASONING_START")).toHaveLength(
      types.filter((type) => type === "REASONING_END").length,
    );
  });

  it("comes whole with a message that was not streamed", async () => {
    const { events } = translateRun([values([human("u1")]), values([human("u1"), whole])]);
    const { messages } = await fold(events, before);
    const expected = langchainMessagesToAgui([human("u1"), whole], { protocol1 });
    expect(messages.map(comparable)).toEqual(expected.map(comparable));
  });
});

it("reasoning, text and a call of one chunk come in their order, each closed before the next", () => {
  const content = [
    { type: "thinking", thinking: "Hm", index: 0 },
    { type: "text", text: "So", index: 1 },
  ];
  const { events } = translateRun([
    streams({ content, tool_call_chunks: [startsCall(2, "c1", "search", "{}")] }),
  ]);
  expect(brief(events)).toEqual([
    "REASONING_START m1-thinking-0",
    "REASONING_MESSAGE_START m1-thinking-0",
    "REASONING_MESSAGE_CONTENT m1-thinking-0 Hm",
    "REASONING_MESSAGE_END m1-thinking-0",
    "REASONING_END m1-thinking-0",
    "TEXT_MESSAGE_START m1",
    "TEXT_MESSAGE_CONTENT m1 So",
    "TEXT_MESSAGE_END m1",
    "TOOL_CALL_START c1 search",
    "TOOL_CALL_ARGS c1 {}",
    "TOOL_CALL_END c1",
  ]);
});

it("a signature that comes after the text has begun still reaches its thought", () => {
  const { events } = translateRun([
    thinks({ type: "thinking", thinking: "Hm", index: 0 }),
    says("So", 1),
    thinks({ type: "thinking", signature: "c2ln", index: 0 }),
  ]);
  expect(brief(events)).toContain("REASONING_ENCRYPTED_VALUE m1-thinking-0 c2ln");
  expect(brief(events).filter((line) => line.startsWith("REASONING_START"))).toHaveLength(1);
});

it("what a model thinks whose messages are not shown is not shown", () => {
  const metadata = { langgraph_node: "model", "emit-messages": false };
  const { events } = translateRun([
    streams({ content: [{ type: "thinking", thinking: "Hm" }] }, { metadata }),
  ]);
  expect(brief(events)).toEqual([]);
});

it("reasoning by hand is opened and closed by its index", () => {
  const { translator } = translateRun([]);
  const one = translator.reason({ type: "text", text: "a", index: 0, signature: "c2ln" });
  const two = translator.reason({ type: "text", text: "b", index: 1 });
  expect(brief([...one, ...two, ...translator.end()]).map((line) => line.replace(/minted-\d/, "r"))).toEqual([
    "REASONING_START r",
    "REASONING_MESSAGE_START r",
    "REASONING_MESSAGE_CONTENT r a",
    "REASONING_ENCRYPTED_VALUE r c2ln",
    "REASONING_MESSAGE_END r",
    "REASONING_END r",
    "REASONING_START r",
    "REASONING_MESSAGE_START r",
    "REASONING_MESSAGE_CONTENT r b",
    "REASONING_MESSAGE_END r",
    "REASONING_END r",
  ]);
});
