import type { Message } from "@ag-ui/client";
import fc from "fast-check";
import { langchainMessagesToAgui } from "../../src/messages/to-agui";
import { aguiMessagesToLangChain } from "../../src/messages/to-langchain";
import { officialConversions } from "../support/official-conversions";

/** Undefined fields are gone on every wire. */
const onTheWire = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const text = fc.oneof(fc.string({ unit: "grapheme", maxLength: 20 }), fc.constantFrom("", " ", "null", "\n"));

const args = fc.dictionary(
  fc.string({ maxLength: 6 }).filter((key) => key !== "__proto__" && key !== "lc"),
  fc.jsonValue({ depthSize: "small" }),
  { maxKeys: 3 },
);

const source = fc.oneof(
  fc.record({
    type: fc.constant("data"),
    value: fc.base64String({ maxLength: 12 }),
    mimeType: fc.constant("image/png"),
  }),
  fc.record({ type: fc.constant("url"), value: fc.webUrl() }),
);

const parts = fc.array(
  fc.oneof(
    fc.record({ type: fc.constant("text"), text }),
    fc.record({ type: fc.constantFrom("image", "audio", "video", "document"), source }),
    fc.record({ type: fc.constant("binary"), mimeType: fc.constant("image/png"), url: fc.webUrl() }),
    fc.record({ type: fc.constant("binary"), mimeType: fc.constant("image/png"), data: fc.constant("AAAA") }),
    fc.record({ type: fc.constant("binary"), mimeType: fc.constant("image/png"), id: fc.constant("file-1") }),
  ),
  { maxLength: 4 },
);

const inOrder = <T extends object>(messages: fc.Arbitrary<T>) =>
  fc
    .array(messages, { minLength: 1, maxLength: 8 })
    .map((list) => list.map((message, index) => ({ ...message, id: `m${index}` })));

const agui = inOrder<object>(
  fc.oneof(
    fc.record({ role: fc.constant("user"), content: fc.oneof(text, parts) }),
    fc.record({ role: fc.constantFrom("system", "developer"), content: text }),
    fc.record(
      { role: fc.constant("reasoning"), content: text, encryptedValue: text },
      { requiredKeys: ["role", "content"] },
    ),
    fc.record(
      {
        role: fc.constant("assistant"),
        content: text,
        toolCalls: fc.array(
          args.map((value) => ({
            id: "c",
            type: "function",
            function: { name: "look", arguments: JSON.stringify(value) },
          })),
          { maxLength: 3 },
        ),
      },
      { requiredKeys: ["role"] },
    ),
    fc.record({ role: fc.constant("tool"), toolCallId: fc.constantFrom("c", "d"), content: text }),
  ),
);

const reasoningBlock = fc.oneof(
  fc.record({ type: fc.constant("reasoning"), reasoning: text }),
  fc.record(
    {
      type: fc.constant("reasoning"),
      id: fc.constant("rs_1"),
      summary: fc.array(fc.record({ type: fc.constant("summary_text"), text }), { maxLength: 3 }),
      encrypted_content: text,
    },
    { requiredKeys: ["type", "summary"] },
  ),
);

const imageBlock = fc
  .oneof(fc.webUrl(), fc.constant("data:image/png;base64,AAAA"))
  .chain((url) =>
    fc.constantFrom({ type: "image_url", image_url: { url } }, { type: "image_url", image_url: url }),
  );

const langchain = inOrder<object>(
  fc.oneof(
    fc.record({
      type: fc.constant("human"),
      content: fc.oneof(
        text.filter((content) => content !== ""),
        fc.array(fc.oneof(fc.record({ type: fc.constant("text"), text }), imageBlock), { maxLength: 4 }),
      ),
    }),
    fc.record({ type: fc.constant("system"), content: text.filter((content) => content !== "") }),
    fc.record(
      {
        type: fc.constantFrom("ai", "generic"),
        content: fc.oneof(
          text,
          fc
            .tuple(
              fc.array(reasoningBlock, { maxLength: 3 }),
              fc.array(fc.record({ type: fc.constant("text"), text }), { maxLength: 1 }),
            )
            .map((blocks) => blocks.flat()),
        ),
        tool_calls: fc.array(
          args.map((value) => ({ id: "c", name: "look", args: value, type: "tool_call" })),
          { maxLength: 3 },
        ),
      },
      { requiredKeys: ["type", "content"] },
    ),
    fc.record(
      {
        type: fc.constant("tool"),
        tool_call_id: fc.constantFrom("c", "d"),
        content: text.filter((content) => content !== ""),
        status: fc.constantFrom("success", "error"),
      },
      { requiredKeys: ["type", "tool_call_id", "content"] },
    ),
  ),
);

describe("conversions give what the official adapter gives", () => {
  it("on the way to the graph", async () => {
    await fc.assert(
      fc.asyncProperty(agui, async (drawn) => {
        // The official run, not its conversion, drops a system message that comes first.
        const messages = [{ id: "first", role: "user", content: "hi" }, ...drawn] as Message[];
        const official = await officialConversions(messages);
        expect(onTheWire(aguiMessagesToLangChain(messages))).toEqual(onTheWire(official.toLangChain));
      }),
      { numRuns: 500 },
    );
  }, 60_000);

  it("on the way to the client", async () => {
    await fc.assert(
      fc.asyncProperty(langchain, async (messages) => {
        const official = await officialConversions([{ id: "u", role: "user", content: "hi" }], messages);
        expect(onTheWire(langchainMessagesToAgui(messages))).toEqual(onTheWire(official.toAgui));
      }),
      { numRuns: 500 },
    );
  }, 60_000);

  it("but for the failure's text, which the official adapter loses", async () => {
    const failed = { id: "t", role: "tool" as const, toolCallId: "c", content: "Error: boom", error: "boom" };
    const official = await officialConversions([failed]);
    const { additional_kwargs: kwargs, ...rest } = aguiMessagesToLangChain([failed])[0] ?? {};
    expect(kwargs).toEqual({ error: "boom" });
    expect(onTheWire([rest])).toEqual(onTheWire(official.toLangChain));
  });
});
