import { dispatchCustomEvent } from "@langchain/core/callbacks/dispatch";
import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import {
  Annotation,
  Command,
  END,
  interrupt,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
} from "@langchain/langgraph";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import { createAgent } from "langchain";
import { z } from "zod";
import { type ChunkFields, ScriptedModel, type Turn } from "../support/scripted-model";

/** A graph, and the payloads of the runs that it is asked for on one thread. */
export interface Scene {
  graph: unknown;
  runs: Record<string, unknown>[];
}

const says = (id: string, content: string) => ({ input: { messages: [{ type: "human", id, content }] } });
const hello = [says("h1", "Hi")];

const call = (index: number, id: string, name: string, args: string) => ({
  type: "tool_call_chunk" as const,
  index,
  id,
  name,
  args,
});
const more = (index: number, args: string) => ({ type: "tool_call_chunk" as const, index, args });
const finish = (finish_reason: string): ChunkFields => ({
  content: "",
  response_metadata: { finish_reason },
});

const city = z.object({ city: z.string() });
const about = (name: string) => ({ name, description: `The ${name} of a city`, schema: city });

/** Ends only when the other tools of its turn have ended. */
function slowTool() {
  return tool(async (input) => {
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
    return `slow in ${input.city}`;
  }, about("slow"));
}
const fast = tool(async (input) => `fast in ${input.city}`, about("fast"));
const broken = tool(async () => {
  throw new Error("the gauge is broken");
}, about("broken"));
const mute = tool(async () => undefined, about("mute"));
const commanding = tool(
  async (input, config) =>
    new Command({
      update: {
        note: input.city,
        messages: [new ToolMessage({ content: "noted", tool_call_id: config.toolCall?.id ?? "" })],
      },
    }),
  about("commanding"),
);

/** Calls of all kinds in one turn, cut across each other. */
const manyCalls: Turn = {
  chunks: [
    { content: "" },
    { content: "Let me " },
    { content: "see.", tool_call_chunks: [call(0, "c1", "slow", '{"city":')] },
    { content: "", tool_call_chunks: [call(1, "c2", "fast", '{"city":"B"}'), more(0, '"A"}')] },
    {
      content: "",
      tool_call_chunks: [call(2, "c3", "broken", '{"city":"C"}'), call(3, "c4", "unknown", "{}")],
    },
    { content: "", tool_call_chunks: [call(4, "c5", "fast", '{"town":1}')] },
    { content: "", tool_call_chunks: [call(5, "c6", "commanding", '{"city":"D"}')] },
    finish("tool_calls"),
  ],
};
const done: Turn = {
  chunks: [{ content: "Done" }, { content: ".", response_metadata: { finish_reason: "stop" } }],
};

const State = Annotation.Root({ ...MessagesAnnotation.spec, note: Annotation<string>() });

function loop(script: Turn[], tools: ConstructorParameters<typeof ToolNode>[0], options = {}) {
  const model = new ScriptedModel(script);
  return new StateGraph(State)
    .addNode("model", async (state) => ({ messages: [await model.invoke(state.messages)] }))
    .addNode("act", new ToolNode(tools, options))
    .addEdge(START, "model")
    .addConditionalEdges("model", (state) =>
      (state.messages.at(-1) as AIMessage).tool_calls?.length ? "act" : END,
    )
    .addEdge("act", "model")
    .compile({ checkpointer: new MemorySaver() });
}

export const toolLoop = (): Scene => ({
  graph: loop([manyCalls, done, done], [slowTool(), fast, broken, commanding]),
  runs: [...hello, says("h2", "And?")],
});

export const agent = (): Scene => ({
  graph: createAgent({
    model: new ScriptedModel([manyCalls, done]),
    tools: [slowTool(), fast, broken],
    checkpointer: new MemorySaver(),
  } as never),
  runs: hello,
});

export const notStreaming = (): Scene => ({
  graph: loop(
    [
      { message: { content: "Look:", tool_calls: [{ id: "n1", name: "fast", args: { city: "N" } }] } },
      { message: { content: "Bye" } },
    ],
    [fast],
  ),
  runs: hello,
});

/** A tool that gives nothing has an empty result. */
export const emptyResult = (): Scene => ({
  graph: loop(
    [{ chunks: [{ content: "", tool_call_chunks: [call(0, "e1", "mute", '{"city":"E"}')] }] }, done],
    [mute],
  ),
  runs: hello,
});

export const reasoning = (): Scene => ({
  graph: loop(
    [
      {
        chunks: [
          { content: [{ type: "thinking", thinking: "", signature: "", index: 0 }] },
          { content: [{ type: "thinking", thinking: "Hm", index: 0 }] },
          { content: [{ type: "thinking", thinking: "m.", index: 0 }] },
          { content: [{ type: "thinking", signature: "c2ln", index: 0 }] },
          { content: [{ type: "redacted_thinking", data: "aGlk", index: 1 }] },
          { content: [{ type: "text", text: "", index: 2 }] },
          { content: [{ type: "text", text: "So: ", index: 2 }] },
          { content: [{ type: "text", text: "yes", index: 2 }] },
          { content: "", additional_kwargs: { stop_reason: "end_turn" } },
        ],
      },
    ],
    [fast],
  ),
  runs: hello,
});

/** Nodes side by side; the checkpoint has their messages in the order of their names. */
export const sideBySide = (): Scene => {
  const speaker = (word: string) =>
    new ScriptedModel([{ chunks: [1, 2, 3].map((at) => ({ content: `${word}${at} ` })) }]);
  const [zeta, alpha] = [speaker("z"), speaker("a")];
  return {
    graph: new StateGraph(MessagesAnnotation)
      .addNode("zeta", async (state) => ({ messages: [await zeta.invoke(state.messages)] }))
      .addNode("alpha", async (state) => ({ messages: [await alpha.invoke(state.messages)] }))
      .addEdge(START, "zeta")
      .addEdge(START, "alpha")
      .compile({ checkpointer: new MemorySaver() }),
    runs: hello,
  };
};

/** An agent as a node of another graph. */
export const nested = (): Scene => {
  const inner = loop(
    [
      {
        chunks: [
          { content: "In: " },
          { content: "", tool_call_chunks: [call(0, "i1", "fast", '{"city":"I"}')] },
        ],
      },
      done,
    ],
    [fast],
  );
  const model = new ScriptedModel([done]);
  return {
    graph: new StateGraph(State)
      .addNode("worker", inner as never)
      .addNode("report", async (state) => ({ messages: [await model.invoke(state.messages)] }))
      .addEdge(START, "worker")
      .addEdge("worker", "report")
      .compile({ checkpointer: new MemorySaver() }),
    runs: hello,
  };
};

/** Messages that no model streamed: a greeting, a question in the user's name. */
export const byHand = (): Scene => ({
  graph: new StateGraph(State)
    .addNode("greet", async (_state, config) => {
      await dispatchCustomEvent(
        "manually_emit_message",
        { message_id: "by-hand", message: "Welcome" },
        config,
      );
      await dispatchCustomEvent("manually_emit_state", { note: "soon" }, config);
      await dispatchCustomEvent("progress", { percent: 50 }, config);
      config.writer?.({ wrote: true });
      return {
        note: "now",
        messages: [
          new AIMessage({ id: "by-hand", content: "Welcome" }),
          new AIMessage("Good to see you"),
          new HumanMessage("A question"),
        ],
      };
    })
    .addEdge(START, "greet")
    .compile({ checkpointer: new MemorySaver() }),
  runs: hello,
});

/** The run stops at an interrupt in a tool, and is resumed. */
export const resumed = (): Scene => {
  const asking = tool(async (input) => `${input.city}: ${interrupt({ question: "sure?" })}`, about("asking"));
  const calls: Turn = {
    chunks: [
      {
        content: "",
        tool_call_chunks: [call(0, "r1", "fast", '{"city":"F"}'), call(1, "r2", "asking", '{"city":"R"}')],
      },
      finish("tool_calls"),
    ],
  };
  return {
    graph: loop([calls, done], [fast, asking]),
    runs: [...hello, { command: { resume: "yes" } }],
  };
};

export const breaksInText = (): Scene => ({
  graph: loop([{ chunks: [{ content: "Star" }, new Error("the model broke")] }], [fast]),
  runs: hello,
});

export const breaksInCall = (): Scene => ({
  graph: loop(
    [
      {
        chunks: [
          { content: "", tool_call_chunks: [call(0, "b1", "fast", '{"ci')] },
          new Error("the model broke"),
        ],
      },
    ],
    [fast],
  ),
  runs: hello,
});

/** A tool whose failure ends the run. */
export const fatalTool = (): Scene => ({
  graph: loop(
    [{ chunks: [{ content: "", tool_call_chunks: [call(0, "f1", "broken", '{"city":"F"}')] }] }],
    [broken],
    { handleToolErrors: false },
  ),
  runs: hello,
});
