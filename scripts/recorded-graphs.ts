import { MemorySaver } from "@langchain/langgraph";
import * as scenes from "../__tests__/stream/graphs";
import * as shared from "../__tests__/support/graphs";
import { frontendToolFailure } from "../examples/demo/graph";

/** What is recorded of one graph, and where each home finds it. */
export interface RecordedGraph {
  /** The graph for this process. Made when it is due, since the models of some count their calls. */
  inProcess(): unknown;
  /** For the dev server: `file:export`. */
  served: string;
  /** The payloads of the runs on one thread. */
  runs: Record<string, unknown>[];
}

const says = (content: string, id = "h1") => ({ input: { messages: [{ type: "human", id, content }] } });

const ofScenes = Object.entries(scenes).map(([name, scene]): [string, RecordedGraph] => [
  name,
  { inProcess: () => scene().graph, served: `__tests__/stream/served.ts:${name}`, runs: scene().runs },
]);

const sharedGraphs = new Map(Object.entries(shared));

function ofShared(name: keyof typeof shared, ...runs: Record<string, unknown>[]): RecordedGraph {
  return {
    inProcess: () => sharedGraphs.get(name),
    served: `__tests__/support/graphs/index.ts:${name}`,
    runs,
  };
}

/** What the scripted provider of {@link frontendTool} says, turn by turn. */
export const PROVIDER_SCRIPT = [
  {
    text: "I will book that for you.",
    reasoning: "The user wants a table.",
    toolCalls: [{ id: "toolu_book", name: "book_table", args: { restaurant: "Da Enzo", persons: 2 } }],
  },
  { text: "The table could not be booked." },
];

const bookTable = {
  name: "book_table",
  description: "Books a table in the user's browser.",
  parameters: {
    type: "object",
    properties: { restaurant: { type: "string" }, persons: { type: "number" } },
  },
};
const failedResult = {
  type: "tool",
  id: "result-1",
  tool_call_id: "toolu_book",
  name: "book_table",
  content: "Form filled in",
  status: "error",
  additional_kwargs: { error: "no bookings online today" },
};

/** An agent of `createAgent` with a tool of the client, which fails there; its model talks to a provider's stub. */
const frontendTool: RecordedGraph = {
  inProcess: () => frontendToolFailure({ checkpointer: new MemorySaver() }),
  served: "examples/demo/graph.ts:graph",
  runs: [says("A table for two, please."), { input: { messages: [failedResult] } }].map(({ input }) => ({
    input: { ...input, "ag-ui": { tools: [bookTable], context: [] } },
  })),
};

/** By the name of the fixture. */
export const RECORDED_GRAPHS = new Map<string, RecordedGraph>([
  ...ofScenes,
  ["chat", ofShared("chat", says("Hi"), says("And?", "h2"))],
  ["tools", ofShared("tools", says("What is the weather?"))],
  ["nestedTwice", ofShared("nested", says("Hi"))],
  ["oneInterrupt", ofShared("oneInterrupt", { input: {} }, { command: { resume: "yes" } })],
  ["nestedInterrupt", ofShared("nestedInterrupt", says("Hi"), { command: { resume: "yes" } })],
  ["counter", ofShared("counter", says("Hi"), { input: { count: 5 } })],
  ["throws", ofShared("throws", { input: { how: "error" } }, { input: { how: "string" } })],
  ["nestedFailure", ofShared("nestedFailure", says("Hi"))],
  ["frontendTool", frontendTool],
]);
