import { inferToolErrors } from "../../src/run/infer-tool-errors";
import type { AguiMessage } from "../../src/types";

const calls: AguiMessage = {
  id: "a",
  role: "assistant",
  toolCalls: [
    { id: "front", type: "function", function: { name: "book", arguments: "{}" } },
    { id: "back", type: "function", function: { name: "lookup", arguments: "{}" } },
  ],
};
const result = (toolCallId: string, content: string, error?: string): AguiMessage => ({
  id: `r-${toolCallId}`,
  role: "tool",
  toolCallId,
  content,
  ...(error && { error }),
});
const errorsOf = (messages: AguiMessage[], rule: Parameters<typeof inferToolErrors>[2] = true) =>
  inferToolErrors(messages, new Set(["book"]), rule).map((message) => (message as { error?: string })?.error);

describe("inferToolErrors", () => {
  it("takes what CopilotKit writes for a frontend tool that threw for a failure, and leaves the content alone", () => {
    const failed = result("front", "Error: no\ntable");
    expect(inferToolErrors([calls, failed], new Set(["book"]), true)).toEqual([
      calls,
      { ...failed, error: "no\ntable" },
    ]);
  });

  it("knows a failure without a text", () => {
    expect(errorsOf([calls, result("front", "Error: ")])).toEqual([undefined, "error"]);
  });

  it.each([
    ["a backend tool's result", [calls, result("back", "Error: boom")]],
    ["a text that only mentions one", [calls, result("front", "No Error: fine")]],
    ["a call that is not there", [result("front", "Error: boom")]],
  ])("leaves %s alone", (_what, messages) => {
    expect(errorsOf(messages).every((error) => error === undefined)).toBe(true);
  });

  it("keeps an error that the client said", () => {
    expect(errorsOf([calls, result("front", "Error: x", "said")])).toEqual([undefined, "said"]);
  });

  it("can be switched off, or replaced", () => {
    const messages = [calls, result("front", "Error: x"), result("back", "FAILED")];
    expect(errorsOf(messages, false)).toEqual([undefined, undefined, undefined]);
    const rule = ({ content }: { content: unknown }) => (content === "FAILED" ? "it failed" : undefined);
    expect(errorsOf(messages, rule)).toEqual([undefined, undefined, "it failed"]);
  });

  it("takes null entries and calls without a function", () => {
    const odd = [
      null,
      { id: "a", role: "assistant", toolCalls: [null, { id: "x" }] },
    ] as unknown as AguiMessage[];
    expect(errorsOf([...odd, result("front", "Error: x")])).toHaveLength(3);
  });
});
