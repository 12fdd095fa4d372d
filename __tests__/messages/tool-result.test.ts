import fc from "fast-check";
import { langchainMessagesToAgui } from "../../src/messages/to-agui";
import { aguiMessagesToLangChain } from "../../src/messages/to-langchain";
import {
  failureOf,
  isSynthetic,
  type LangChainToolMessage,
  makeLegible,
  syntheticToolResult,
  toolMessageToAgui,
  toolMessageToLangChain,
} from "../../src/messages/tool-result";
import type { AgentToolMessage } from "../../src/types";
import { arbitraryToolMessage, fingerprint } from "../support/arbitrary-tool-message";

const sent = (message: Partial<AgentToolMessage>): AgentToolMessage =>
  ({ id: "m1", role: "tool", toolCallId: "c1", content: "", ...message }) as AgentToolMessage;

const stored = (message: Partial<LangChainToolMessage>): LangChainToolMessage =>
  ({ id: "m1", type: "tool", tool_call_id: "c1", content: "", ...message }) as LangChainToolMessage;

describe("a tool result on its way to the graph", () => {
  it("keeps the exact error text and says that it failed", () => {
    expect(toolMessageToLangChain(sent({ content: "no: boom", error: "boom" }))).toEqual({
      id: "m1",
      type: "tool",
      role: "tool",
      content: "no: boom",
      tool_call_id: "c1",
      status: "error",
      additional_kwargs: { error: "boom" },
    });
  });

  it.each([
    ["no error", sent({ content: "42" })],
    ["an empty error", sent({ content: "42", error: "" })],
    ["null", sent({ content: "42", error: null as unknown as string })],
  ])("is a success with %s, and carries nothing else", (_, message) => {
    const result = toolMessageToLangChain(message);
    expect(result.status).toBe("success");
    expect(result).not.toHaveProperty("additional_kwargs");
  });

  it("failed when only the status says so, without a text being made up", () => {
    const result = toolMessageToLangChain(sent({ content: "gone", status: "error" }));
    expect(result.status).toBe("error");
    expect(result.additional_kwargs).not.toHaveProperty("error");
    expect(result.content).toBe("error\ngone");
  });

  it("takes an error that is no text for one", () => {
    const failed = (error: unknown) => toolMessageToLangChain(sent({ error: error as string }));
    expect(failed(new Error("boom")).additional_kwargs?.error).toBe("boom");
    expect(failed({ code: 1 }).additional_kwargs?.error).toBe('{"code":1}');
    expect(failed(true).status).toBe("error");
    expect(failed(() => 1).additional_kwargs?.error).toBe("error");
  });

  it("puts what LangChain has no field for into one JSON string", () => {
    const message = sent({
      content: [{ type: "text", text: "a" }],
      metadata: { lc: 1 },
      encryptedValue: "e",
      subagentRunId: "s",
    });
    const kwargs = toolMessageToLangChain(message).additional_kwargs;
    expect(Object.keys(kwargs ?? {})).toEqual(["ag-ui"]);
    expect(JSON.parse(String(kwargs?.["ag-ui"]))).toEqual({
      content: [{ type: "text", text: "a" }],
      metadata: { lc: 1 },
      encryptedValue: "e",
      subagentRunId: "s",
    });
  });

  it("survives cycles and big integers in what it carries", () => {
    const metadata: Record<string, unknown> = { big: 1n };
    metadata.self = metadata;
    const back = toolMessageToAgui(toolMessageToLangChain(sent({ content: "x", error: "boom", metadata })));
    expect(back).toMatchObject({ content: "x", error: "boom", metadata: { big: "1", self: "[Circular]" } });
  });
});

describe("what the model reads", () => {
  const content = (message: Partial<AgentToolMessage>, as: "legible" | "as-is" = "legible") =>
    toolMessageToLangChain(sent(message), { toolErrorContent: as }).content;

  it.each([
    ["is the content where that says it as a line", "a\nboom\nb", "boom", "a\nboom\nb"],
    ["is the content where that says it in whole words", "Error: boom!", "boom", "Error: boom!"],
    ["has the text before it where it is only a part of a word", "boomerang", "boom", "boom\nboomerang"],
    ["has the text before it where that is missing", "{}", "disk full", "disk full\n{}"],
    ["takes letters of every script for words", "éboomé", "boom", "boom\néboomé"],
    ["finds the whole word behind a look-alike", "booms boom", "boom", "booms boom"],
    ["does not take a punctuation mark for a report", "Saved!", "!", "!\nSaved!"],
    ["is the text where the content is empty", "", "boom", "boom"],
    ["is the text where the content is blank", " \n", "boom", "boom"],
    ["counts a blank text as error", "", "  ", "error"],
    ["counts a blank text as error beside a content", "{}", "  ", "error\n{}"],
    ["compares without the blanks around the text", "it says boom", " boom\n", "it says boom"],
  ])("%s", (_, given, error, expected) => {
    expect(content({ content: given, error })).toBe(expected);
  });

  it("stays as it is with as-is, except that a blank one is filled", () => {
    expect(content({ content: "{}", error: "boom" }, "as-is")).toBe("{}");
    expect(content({ content: " ", error: "boom" }, "as-is")).toBe("boom");
    expect(content({ content: "", status: "error" }, "as-is")).toBe("error");
  });

  it("is a string for parts: their text, or all of them as JSON", () => {
    expect(
      content({
        content: [
          { type: "text", text: "a" },
          { type: "text", text: "b" },
        ],
      }),
    ).toBe("ab");
    const image = { type: "image", source: { type: "url", value: "https://x.test/i.png" } } as const;
    expect(content({ content: [{ type: "text", text: "a" }, image] })).toBe(
      JSON.stringify([{ type: "text", text: "a" }, image]),
    );
  });

  it("is never the word null", () => {
    expect(content({ content: null as unknown as string })).toBe("");
    expect(content({ content: undefined as unknown as string, error: "boom" })).toBe("boom");
  });

  it("is found among look-alikes without taking minutes", () => {
    const error = "a".repeat(200_000);
    expect(content({ content: "a".repeat(400_000), error })).toBe(`${error}\n${"a".repeat(400_000)}`);
  });

  it("always has the failure's text", () => {
    fc.assert(
      fc.property(
        arbitraryToolMessage,
        fc.constantFrom("legible" as const, "as-is" as const),
        (message, mode) => {
          const result = toolMessageToLangChain(message, { toolErrorContent: mode });
          expect(typeof result.content).toBe("string");
          if (message.error === undefined) return;
          expect(String(result.content).trim()).not.toBe("");
          if (mode === "legible")
            expect(String(result.content).includes(message.error.trim() || "error")).toBe(true);
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe("a tool result on its way to the client", () => {
  it("has the recorded text, or error where only the status is known", () => {
    expect(toolMessageToAgui(stored({ status: "error", additional_kwargs: { error: "boom" } })).error).toBe(
      "boom",
    );
    expect(toolMessageToAgui(stored({ status: "error", content: "x" }))).toEqual({
      id: "m1",
      role: "tool",
      toolCallId: "c1",
      content: "x",
      error: "error",
    });
    expect(toolMessageToAgui(stored({ content: "x" }))).not.toHaveProperty("error");
  });

  it("has failed where a serialiser lost the status, and has not where the graph wrote success", () => {
    expect(failureOf(stored({ additional_kwargs: { error: "boom" } }))).toBe("boom");
    expect(failureOf(stored({ status: "success", additional_kwargs: { error: "boom" } }))).toBeUndefined();
  });

  it("has all text of its blocks, and parts or JSON for the others", () => {
    const blocks = (content: unknown, protocol1 = true) =>
      toolMessageToAgui(stored({ content: content as string }), { protocol1 }).content;
    expect(blocks([{ type: "text", text: "a" }, "b", { type: "text", text: "c" }])).toBe("abc");
    expect(blocks(null)).toBe("");
    expect(blocks([])).toBe("");
    const image = { type: "image_url", image_url: { url: "https://x.test/i.png" } };
    const parts = [
      { type: "text", text: "a" },
      { type: "image", source: { type: "url", value: "https://x.test/i.png" } },
      { type: "text", text: '{"type":"json","json":1}' },
    ];
    expect(blocks([{ type: "text", text: "a" }, image, { type: "json", json: 1 }])).toEqual(parts);
    expect(blocks([{ type: "text", text: "a" }, image, { type: "json", json: 1 }], false)).toBe(
      JSON.stringify(parts),
    );
  });

  it("has the content that a graph wrote over the stored one", () => {
    const failed = toolMessageToLangChain(sent({ content: "{}", error: "boom" }));
    expect(toolMessageToAgui({ ...failed, content: "shortened" }).content).toBe("shortened");
    expect(toolMessageToAgui({ ...failed, content: [] }).content).toBe("");
    const parts = toolMessageToLangChain(sent({ content: [{ type: "text", text: "long" }] }));
    expect(toolMessageToAgui({ ...parts, content: "l…" }).content).toBe("l…");
  });

  it.each([
    "no json",
    "null",
    "[]",
    '"text"',
    '{"content":7,"metadata":[1],"encryptedValue":{},"subagentRunId":false}',
    '{"content":[{"type":"image"}],"metadata":"m"}',
    '{"id":"stolen","role":"user","toolCallId":"stolen","error":"stolen","status":"x","type":"x","name":"x"}',
    '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
  ])("cannot be led astray by what was tampered with: %s", (text) => {
    const message = toolMessageToAgui(
      stored({ content: "x", status: "error", additional_kwargs: { "ag-ui": text } }),
    );
    expect(message).toMatchObject({ id: "m1", role: "tool", toolCallId: "c1", content: "x", error: "error" });
    expect(message).not.toHaveProperty("metadata");
    expect(message).not.toHaveProperty("encryptedValue");
    expect(message).not.toHaveProperty("subagentRunId");
    expect(message).not.toHaveProperty("status");
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect((message as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it("never throws, whatever additional_kwargs hold", () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), fc.anything(), (kwargs, content, status) => {
        const message = { type: "tool", additional_kwargs: kwargs, content, status } as LangChainToolMessage;
        expect(toolMessageToAgui(message).role).toBe("tool");
        expect(makeLegible(message).type).toBe("tool");
      }),
      { numRuns: 2000 },
    );
  });
});

describe("there and back", () => {
  const back = (message: AgentToolMessage, mode: "legible" | "as-is", through: (value: unknown) => unknown) =>
    langchainMessagesToAgui([through(aguiMessagesToLangChain([message], { toolErrorContent: mode })[0])])[0];

  const unchanged = (through: (value: unknown) => unknown) =>
    fc.property(
      arbitraryToolMessage,
      fc.constantFrom("legible" as const, "as-is" as const),
      (message, mode) => {
        return fingerprint(back(message, mode, through) ?? {}) === fingerprint(message);
      },
    );

  it("is the identity", () => {
    fc.assert(
      unchanged((value) => value),
      { numRuns: 4000 },
    );
  });

  it("is the identity through JSON", () => {
    fc.assert(
      unchanged((value) => JSON.parse(JSON.stringify(value))),
      { numRuns: 4000 },
    );
  });

  it("uses no key that changes what a provider is sent", () => {
    fc.assert(
      fc.property(arbitraryToolMessage, (message) => {
        const kwargs = toolMessageToLangChain(message).additional_kwargs ?? {};
        expect(["error", "ag-ui"]).toEqual(expect.arrayContaining(Object.keys(kwargs)));
        for (const value of Object.values(kwargs)) expect(typeof value).toBe("string");
      }),
      { numRuns: 1000 },
    );
  });

  it("gives back the parts as a string to clients before protocol 1.0", () => {
    const message = sent({ content: [{ type: "text", text: "a" }] });
    expect(toolMessageToAgui(toolMessageToLangChain(message), { protocol1: false }).content).toBe("a");
  });
});

describe("a failed result of the graph made legible", () => {
  it("is the same object where it did not fail or already says so", () => {
    for (const message of [
      stored({ content: "x", status: "success" }),
      stored({ content: "Error: boom\n Please fix your mistakes.", status: "error" }),
      stored({ content: "boom", status: "error", additional_kwargs: { error: "boom" } }),
    ]) {
      expect(makeLegible(message)).toBe(message);
    }
  });

  it("keeps what the client has to see", () => {
    const blank = makeLegible(stored({ status: "error", additional_kwargs: { other: 1 } }));
    expect(blank.content).toBe("error");
    expect(blank.additional_kwargs?.other).toBe(1);
    expect(toolMessageToAgui(blank)).toMatchObject({ content: "", error: "error" });
    const blocks = [{ type: "image_url" as const, image_url: { url: "https://x.test/i.png" } }];
    const image = makeLegible(stored({ status: "error", content: blocks }));
    expect(String(image.content).startsWith("error\n")).toBe(true);
    expect(toolMessageToAgui(image).content).toEqual(toolMessageToAgui(stored({ content: blocks })).content);
  });

  it("stays the same when it is made legible again", () => {
    fc.assert(
      fc.property(arbitraryToolMessage, (message) => {
        const once = makeLegible(toolMessageToLangChain(message, { toolErrorContent: "as-is" }));
        expect(makeLegible(once)).toBe(once);
        return fingerprint(toolMessageToAgui(once)) === fingerprint(message);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("the result that stands for one that never came", () => {
  it("is a failure, is recognised, also after the client has sent it back, and says nothing of itself to the client", () => {
    const made = syntheticToolResult({ toolCallId: "c1", name: "lookup" });
    expect(failureOf(made)).toBe(made.content);
    expect(isSynthetic(made)).toBe(true);
    const shown = toolMessageToAgui(made);
    expect(Object.keys(shown).sort()).toEqual(["content", "error", "id", "role", "toolCallId"]);
    expect(isSynthetic(toolMessageToLangChain(shown))).toBe(true);
    expect(isSynthetic(stored({ content: `I say: ${made.content}` }))).toBe(false);
  });
});
