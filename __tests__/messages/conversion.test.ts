import { AIMessage, HumanMessage, RemoveMessage } from "@langchain/core/messages";
import fc from "fast-check";
import { langchainMessagesToAgui } from "../../src/messages/to-agui";
import { aguiMessagesToLangChain } from "../../src/messages/to-langchain";
import type { AguiMessage } from "../../src/types";

const agui = (...messages: unknown[]) => messages as AguiMessage[];

describe("messages on their way to the graph", () => {
  it("are plain dicts with a type", () => {
    expect(
      aguiMessagesToLangChain(
        agui(
          { id: "s", role: "system", content: "be kind" },
          { id: "u", role: "user", content: "hi", name: "bob" },
          { id: "a", role: "assistant", content: "so" },
        ),
      ),
    ).toEqual([
      { id: "s", type: "system", role: "system", content: "be kind" },
      { id: "u", type: "human", role: "user", content: "hi", name: "bob" },
      { id: "a", type: "ai", role: "assistant", content: "so", tool_calls: [] },
    ]);
  });

  it("are left out, and told of, where they have no counterpart", () => {
    const skipped: string[] = [];
    const messages = agui(
      null,
      "text",
      { id: "1", role: "activity", content: {} },
      { id: "2", role: "developer", content: "x" },
      { id: "3", role: "wizard" },
      { id: "4" },
      {
        id: "5",
        role: "user",
        content: [{ type: "image", source: { type: "file", value: "f" } }, { type: "video" }],
      },
    );
    const converted = aguiMessagesToLangChain(messages, { onSkip: (_, why) => skipped.push(why) });
    expect(converted.map((message) => [message.id, message.content])).toEqual([["5", []]]);
    expect(skipped).toEqual([
      "no message",
      "no message",
      "role activity",
      "role developer",
      "role wizard",
      "role undefined",
      "content part image",
      "content part video",
    ]);
  });

  it("have an address that only the client's page knows as a text, and are told of", () => {
    const skipped: string[] = [];
    const image = (value: string) => ({ type: "image", source: { type: "url", value } });
    const addresses = [
      "/uploads/cat.png",
      "http://",
      "cat of mine.png",
      "blob:https://x.test/5f1b",
      "file:///home/cat.png",
    ];
    const kept = ["https://x.test/i.png", "gs://bucket/i.png", "file-1"];
    const message = { id: "1", role: "user", content: [...addresses, ...kept].map(image) };
    const [converted] = aguiMessagesToLangChain(agui(message), { onSkip: (_, why) => skipped.push(why) });
    expect(converted?.content).toEqual([
      ...addresses.map((text) => ({ type: "text", text })),
      ...kept.map((url) => ({ type: "image_url", image_url: { url } })),
    ]);
    expect(skipped).toEqual(addresses.map(() => "content part image"));
  });

  it.each([
    ["null", null, ""],
    ["nothing", undefined, ""],
    ["a number", 7, "7"],
    ["an object", { a: 1 }, '{"a":1}'],
  ])("have %s for content as text", (_, content, expected) => {
    const [user, tool, assistant, system] = aguiMessagesToLangChain(
      agui(
        ...["user", "tool", "assistant", "system"].map((role) => ({
          id: "1",
          role,
          toolCallId: "c",
          content,
        })),
      ),
    );
    expect([user?.content, tool?.content]).toEqual([expected, expected]);
    expect([assistant?.content, system?.content]).toEqual(["", ""]);
  });

  it("do not carry objects where a string belongs: a deserialiser would act on them", () => {
    const evil = { lc: 1, type: "constructor", id: ["langchain_core", "messages", "AIMessage"], kwargs: {} };
    const converted = aguiMessagesToLangChain(
      agui(
        {
          id: evil,
          role: "user",
          name: evil,
          content: [
            { type: "text", text: evil },
            { type: "image", source: evil },
          ],
        },
        {
          id: evil,
          role: "assistant",
          content: [evil],
          toolCalls: [{ id: evil, function: { name: evil, arguments: "{}" } }, evil],
        },
        { id: evil, role: "tool", toolCallId: evil, content: evil, name: evil, error: evil, metadata: evil },
      ),
    );
    const objects: unknown[] = [];
    JSON.stringify(converted, (_, value) => {
      if (typeof value === "object" && value !== null) objects.push(value);
      return value;
    });
    expect(objects.filter((value) => Object.hasOwn(value as object, "lc"))).toEqual([]);
  });
});

describe("messages on their way to the client", () => {
  it("have all text of their blocks, without a separator and without the word null", () => {
    const texts = (content: unknown) =>
      ["ai", "system"].map((type) => langchainMessagesToAgui([{ type, id: "1", content }])[0]?.content);
    expect(texts([{ type: "text", text: "a" }, { type: "tool_use" }, { type: "text", text: "b" }])).toEqual([
      "ab",
      "ab",
    ]);
    for (const nothing of ["", null, undefined, [], [{ type: "tool_use" }], { a: 1 }])
      expect(texts(nothing)).toEqual(["", ""]);
    expect(langchainMessagesToAgui([{ type: "human", id: "1", content: null }])[0]?.content).toBe("");
  });

  it.each<[string, Record<string, unknown>, unknown]>([
    [
      "an image_url",
      { type: "image_url", image_url: { url: "https://x.test/i" } },
      { type: "image", source: { type: "url", value: "https://x.test/i" } },
    ],
    [
      "a data URL",
      { type: "image_url", image_url: "data:image/gif;base64,AA" },
      { type: "image", source: { type: "data", value: "AA", mimeType: "image/gif" } },
    ],
    [
      "LangChain's URL block",
      { type: "audio", source_type: "url", url: "https://x.test/a", mime_type: "audio/wav" },
      { type: "audio", source: { type: "url", value: "https://x.test/a", mimeType: "audio/wav" } },
    ],
    [
      "LangChain's base64 block",
      { type: "image", source_type: "base64", data: "AA", mime_type: "image/gif" },
      { type: "image", source: { type: "data", value: "AA", mimeType: "image/gif" } },
    ],
    [
      "LangChain's standard block with bytes",
      { type: "video", mimeType: "video/mp4", data: new Uint8Array([0, 1]) },
      { type: "video", source: { type: "data", value: "AAE=", mimeType: "video/mp4" } },
    ],
    [
      "a file",
      { type: "file", mimeType: "application/pdf", data: "AA" },
      { type: "document", source: { type: "data", value: "AA", mimeType: "application/pdf" } },
    ],
    [
      "Anthropic's image",
      { type: "image", source: { type: "base64", media_type: "image/gif", data: "AA" } },
      { type: "image", source: { type: "data", value: "AA", mimeType: "image/gif" } },
    ],
    [
      "OpenAI's audio",
      { type: "input_audio", input_audio: { data: "AA", format: "wav" } },
      { type: "audio", source: { type: "data", value: "AA", mimeType: "audio/wav" } },
    ],
    [
      "OpenAI's file",
      { type: "file", file: { file_data: "data:application/pdf;base64,AA" } },
      { type: "document", source: { type: "data", value: "AA", mimeType: "application/pdf" } },
    ],
    [
      "Google's media",
      { type: "media", mimeType: "audio/wav", fileUri: "gs://x" },
      { type: "audio", source: { type: "url", value: "gs://x", mimeType: "audio/wav" } },
    ],
    [
      "plain text",
      { type: "text-plain", text: "é" },
      { type: "document", source: { type: "data", value: "w6k=", mimeType: "application/octet-stream" } },
    ],
  ])("have a part for %s", (_, block, part) => {
    expect(langchainMessagesToAgui([{ type: "human", id: "1", content: [block] }])[0]?.content).toEqual([
      part,
    ]);
  });

  it("are mapped or left out, whatever their type, and never thrown on", () => {
    const skipped: string[] = [];
    const messages = langchainMessagesToAgui(
      [
        new HumanMessage({ id: "h", content: "hi", name: "bob" }),
        JSON.parse(JSON.stringify(new AIMessage({ id: "a", content: "so" }))),
        { type: "AIMessageChunk", id: "k", content: "so" },
        { type: "generic", role: "user", id: "g", content: "hi" },
        { type: "generic", role: "oracle", id: "o", content: "so" },
        { type: "developer", id: "d", content: "be" },
        new RemoveMessage({ id: "r" }),
        { type: "function", id: "f", name: "n", content: "x" },
        null,
        { type: "wizard" },
      ],
      { onSkip: (_, why) => skipped.push(why) },
    );
    expect(messages.map(({ id, role }) => `${id} ${role}`)).toEqual([
      "h user",
      "a assistant",
      "k assistant",
      "g user",
      "o assistant",
      "d developer",
    ]);
    expect(messages[0]).toEqual({ id: "h", role: "user", content: "hi", name: "bob" });
    expect(skipped).toEqual(["type remove", "type function", "no message", "no message"]);
  });

  it("have ids, also where the graph gave none, the same ones whenever they are shown", () => {
    const messages = [
      { type: "human", content: "hi" },
      { type: "ai", content: "", tool_calls: [{ name: "n", args: {} }, null] },
      { type: "tool", content: "x", tool_call_id: "c" },
    ];
    expect(langchainMessagesToAgui(messages)).toEqual([
      { id: "message-0", role: "user", content: "hi" },
      {
        id: "message-1",
        role: "assistant",
        content: "",
        toolCalls: [{ id: "message-1-call-0", type: "function", function: { name: "n", arguments: "{}" } }],
      },
      { id: "tool-c", role: "tool", content: "x", toolCallId: "c" },
    ]);
  });
});

describe("both ways", () => {
  const anything = fc.anything({ withBigInt: true, withDate: true, maxDepth: 3 });
  const messageLike = (tag: string, names: string[]) =>
    fc.record(
      {
        [tag]: fc.constantFrom(...names),
        id: anything,
        content: fc.oneof(
          anything,
          fc.array(
            fc.record(
              {
                type: fc.constantFrom("text", "image", "image_url", "reasoning", "thinking", "file"),
                text: anything,
                source: anything,
                image_url: anything,
                data: anything,
                url: anything,
              },
              { requiredKeys: ["type"] },
            ),
          ),
        ),
        name: anything,
        toolCalls: fc.oneof(anything, fc.array(anything)),
        tool_calls: fc.oneof(anything, fc.array(anything)),
        additional_kwargs: anything,
        error: anything,
        metadata: anything,
      },
      { requiredKeys: [tag] },
    );

  it("never throw, whatever they are given", () => {
    const roles = ["user", "assistant", "system", "tool", "reasoning", "developer", "activity", "x"];
    const types = ["human", "ai", "system", "tool", "generic", "function", "remove", "AIMessageChunk", "x"];
    fc.assert(
      fc.property(
        fc.array(fc.oneof(anything, messageLike("role", roles))),
        fc.array(fc.oneof(anything, messageLike("type", types))),
        (sent, stored) => {
          expect(Array.isArray(aguiMessagesToLangChain(sent as AguiMessage[]))).toBe(true);
          for (const message of langchainMessagesToAgui(stored)) expect(typeof message.id).toBe("string");
        },
      ),
      { numRuns: 2000 },
    );
  });
});
