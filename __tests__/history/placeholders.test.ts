import { isPlaceholder } from "../../src/history/placeholders";
import { aguiMessagesToLangChain } from "../../src/messages/to-langchain";
import {
  syntheticToolResult,
  toolMessageToAgui,
  toolMessageToLangChain,
} from "../../src/messages/tool-result";
import type { AguiMessage } from "../../src/types";
import { result } from "./messages";

const is = (message: unknown) => isPlaceholder(message as Parameters<typeof isPlaceholder>[0]);

test.each([
  "Forwarded to client",
  " forwarded to client.\n",
  "Tool call 'search' with id 'c1' was interrupted before completion.",
  "Tool call was interrupted before completion",
  "Tool call search with id c1 was cancelled - another message came in before it could be completed.",
])("stands for a result: %s", (text) => {
  expect(is(result("t", "c1", text))).toBe(true);
  expect(is(result("t", "c1", text, { status: "error" }))).toBe(true);
  expect(is(result("t", "c1", [{ type: "text", text }]))).toBe(true);
});

test.each([
  "Forwarded to client: 3 items",
  "The mail was forwarded to client",
  "Report: Tool call x was interrupted before completion. The retry gave 42.",
  "Tool call x was interrupted before completion. The retry gave 42.",
  "Tool call 'a'\nTool call 'b' was interrupted before completion.",
  "The upload was interrupted before completion.",
  "",
  "ok",
])("is a result: %j", (text) => {
  expect(is(result("t", "c1", text))).toBe(false);
});

test("a failure that is told in other words is a real result", () => {
  const told = {
    id: "t",
    role: "tool",
    toolCallId: "c1",
    content: "Forwarded to client",
    error: "quota",
  } as AguiMessage;
  expect(is(aguiMessagesToLangChain([told])[0])).toBe(false);
});

test("a placeholder that a graph had marked as failed is known after the client has sent it back", () => {
  const stored = result("t", "c1", "Tool call x with id c1 was interrupted before completion.", {
    status: "error",
  });
  const sent = toolMessageToAgui(stored as Parameters<typeof toolMessageToAgui>[0]);
  expect(is(toolMessageToLangChain(sent))).toBe(true);
});

test("our own answer to an unanswered call is one, also after the client has sent it back", () => {
  const synthetic = syntheticToolResult({ toolCallId: "c1", name: "search" });
  expect(is(synthetic)).toBe(true);
  expect(is(toolMessageToLangChain(toolMessageToAgui(synthetic)))).toBe(true);
});
