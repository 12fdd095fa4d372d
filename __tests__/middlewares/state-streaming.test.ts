import * as official from "@ag-ui/langgraph/middlewares";
import { tool } from "@langchain/core/tools";
import * as ours from "ag-ui-langgraph/middlewares";
import { createAgent } from "langchain";
import { z } from "zod";
import { chatModel } from "../../examples/model";
import { startAnthropicStub } from "../../examples/providers/anthropic";

const write = tool(async () => "written", {
  name: "write",
  description: "",
  schema: z.object({ document: z.string() }),
});
const read = tool(async () => "read", { name: "read", description: "", schema: z.object({}) });
const item = { stateKey: "document", tool: "write", toolArgument: "document" };

/** Which model calls carry what prediction, in the events that the agent reads. */
async function predictions(stateStreamingMiddleware: typeof ours.stateStreamingMiddleware) {
  const stub = await startAnthropicStub({
    script: [
      { text: "Reading.", toolCalls: [{ name: "read", args: {} }] },
      { toolCalls: [{ name: "write", args: { document: "Dear reader" } }] },
      { text: "Done." },
    ],
  });
  try {
    const agent = createAgent({
      model: chatModel({ provider: "anthropic", baseUrl: stub.url, apiKey: "stub" }),
      tools: [write, read],
      middleware: [stateStreamingMiddleware(item)],
    });
    const perCall = new Map<string, Set<string>>();
    const events = agent.streamEvents({ messages: [{ role: "user", content: "hi" }] }, { version: "v2" });
    for await (const { event, run_id: id, metadata } of events)
      if (event === "on_chat_model_stream")
        perCall.set(id, (perCall.get(id) ?? new Set()).add(JSON.stringify(metadata.predict_state)));
    return [...perCall.values()].map((values) => [...values]);
  } finally {
    await stub.close();
  }
}

test("every chunk of a model call carries the prediction, but not right after the tool's result", async () => {
  const predicted = JSON.stringify([{ state_key: "document", tool: "write", tool_argument: "document" }]);
  const expected = [[predicted], [predicted], [undefined]];
  expect(await predictions(ours.stateStreamingMiddleware)).toEqual(expected);
  expect(await predictions(official.stateStreamingMiddleware as never)).toEqual(expected);
});

test("stateItem gives the item back, as the official one does", () => {
  expect(ours.stateItem(item)).toBe(item);
  expect(official.stateItem(item)).toBe(item);
});
