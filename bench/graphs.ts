import { tool } from "@langchain/core/tools";
import { Annotation, END, MemorySaver, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { createAgent } from "langchain";
import { z } from "zod";
import { ScriptedModel } from "../__tests__/support/scripted-model";

const State = Annotation.Root({ ...MessagesAnnotation.spec, documents: Annotation<string[]>() });

const tokens = (id: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({ id, content: `word${index} ` }));

/** One node that says as many tokens as it is told; `documents` is state that it never touches. */
export function speaker(count: number) {
  const model = new ScriptedModel([{ chunks: tokens("said", count) }]);
  return new StateGraph(State)
    .addNode("speak", async ({ messages }) => ({ messages: [await model.invoke(messages)] }))
    .addEdge(START, "speak")
    .addEdge("speak", END)
    .compile({ checkpointer: new MemorySaver() });
}

/** State of about so many bytes. */
export const documents = (bytes: number) =>
  Array.from({ length: bytes / 1000 }, (_, index) => `${index} `.padEnd(997, "lorem ipsum "));

const callsRead = {
  type: "tool_call_chunk" as const,
  index: 0,
  id: "call_1",
  name: "read",
  args: '{"path":"report.txt"}',
};

/** An agent that reads a file once and then says 40 tokens about it. */
export function reader(content: string) {
  const read = tool(async () => content, {
    name: "read",
    description: "Reads a file",
    schema: z.object({ path: z.string() }),
  });
  const model = new ScriptedModel([
    { chunks: [{ id: "calls", content: "", tool_call_chunks: [callsRead] }] },
    { chunks: tokens("said", 40) },
  ]);
  return createAgent({
    model,
    tools: [read],
    systemPrompt: "You read files for people. ".repeat(40),
    checkpointer: new MemorySaver(),
  } as never);
}
