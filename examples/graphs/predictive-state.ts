import assert from "node:assert/strict";
import { type BaseEvent, EventType } from "@ag-ui/client";
import { ToolMessage } from "@langchain/core/messages";
import { type ToolRuntime, tool } from "@langchain/core/tools";
import {
  Annotation,
  Command,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
} from "@langchain/langgraph";
import { ToolNode, toolsCondition } from "@langchain/langgraph/prebuilt";
import { z } from "zod";
import { type ExampleScript, exampleModel } from "../example-model";
import type { Play } from "../play/client";

const POEM =
  "The kettle sings, the window fogs, a cat asleep on yesterday's news; the morning takes its time.";

const script: ExampleScript = ({ results }) =>
  results.length > 0
    ? { text: "There it is." }
    : { toolCalls: [{ name: "write_document", args: { text: POEM } }] };

const State = Annotation.Root({ ...MessagesAnnotation.spec, document: Annotation<string>() });

const writeDocument = tool(
  ({ text }, { toolCallId }: ToolRuntime) =>
    new Command({
      update: {
        document: text,
        messages: [new ToolMessage({ content: "written", tool_call_id: toolCallId })],
      },
    }),
  {
    name: "write_document",
    description: "Writes the whole document.",
    schema: z.object({ text: z.string() }),
  },
);

/** Says that `text` becomes the state's `document`; for `createAgent` there is `stateStreamingMiddleware`. */
const prediction = [{ state_key: "document", tool: "write_document", tool_argument: "text" }];

const model = exampleModel(script)
  .bindTools([writeDocument])
  .withConfig({ metadata: { predict_state: prediction } });

export const graph = new StateGraph(State)
  .addNode("write", async ({ messages }) => ({ messages: [await model.invoke(messages)] }))
  .addNode("tools", new ToolNode([writeDocument]))
  .addEdge(START, "write")
  .addConditionalEdges("write", toolsCondition)
  .addEdge("tools", "write")
  .compile({ checkpointer: new MemorySaver(), name: "poem" });

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
