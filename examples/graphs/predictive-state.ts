import assert from "node:assert/strict";
import { type BaseEvent, EventType } from "@ag-ui/client";
import { Command, MemorySaver } from "@langchain/langgraph";
import { stateItem, stateStreamingMiddleware } from "ag-ui-langgraph/middlewares";
import { createAgent, ToolMessage, type ToolRuntime, tool } from "langchain";
import { z } from "zod";
import { type ExampleScript, exampleModel } from "../example-model";
import type { Play } from "../play/client";

const POEM =
  "The kettle sings, the window fogs, a cat asleep on yesterday's news; the morning takes its time.";

const script: ExampleScript = ({ results }) =>
  results.length > 0
    ? { text: "There it is." }
    : { toolCalls: [{ name: "write_document", args: { text: POEM } }] };

const writeDocument = tool(
  ({ text }, { toolCallId }: ToolRuntime) =>
    new Command({
      update: {
        document: text,
        messages: [new ToolMessage({ content: "written", tool_call_id: toolCallId, name: "write_document" })],
      },
    }),
  {
    name: "write_document",
    description: "Writes the whole document.",
    schema: z.object({ text: z.string() }),
  },
);

/** The middleware says that the argument `text` will become the state's `document`, before it has. */
export const graph = createAgent({
  model: exampleModel(script),
  tools: [writeDocument],
  stateSchema: z.object({ document: z.string().default("") }),
  middleware: [
    stateStreamingMiddleware(
      stateItem({ stateKey: "document", tool: "write_document", toolArgument: "text" }),
    ),
  ],
  checkpointer: new MemorySaver(),
});

export const play: Play = async (client) => {
  let predicted = false;
  let args = "";
  const drafts: string[] = [];
  client.onEvent = (event: BaseEvent & { name?: string; delta?: string }) => {
    if (event.type === EventType.CUSTOM && event.name === "PredictState") predicted = true;
    if (event.type !== EventType.TOOL_CALL_ARGS || !predicted) return;
    args += event.delta;
    const draft = /"text"\s*:\s*"((?:[^"\\]|\\.)*)/.exec(args)?.[1] ?? "";
    if (draft.length < (drafts.at(-1)?.length ?? 0) + 30) return;
    drafts.push(draft);
    client.show(`${draft}▌`);
  };
  await client.say("Write me a short poem about a slow morning.");
  const { document } = client.agent.state;
  assert.ok(drafts.length > 0 && document.length > 0, "the document should have grown on the user's screen");
  client.show(document);
};
