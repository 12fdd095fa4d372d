import { dispatchCustomEvent } from "@langchain/core/callbacks/dispatch";
import type { BaseMessage } from "@langchain/core/messages";
import {
  Annotation,
  END,
  type LangGraphRunnableConfig,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
} from "@langchain/langgraph";
import { createAgent, createMiddleware } from "langchain";
import { z } from "zod";
import { ScriptedModel } from "../scripted-model";

const Counted = Annotation.Root({
  ...MessagesAnnotation.spec,
  count: Annotation<number>({ reducer: (left, right) => left + right, default: () => 0 }),
  log: Annotation<string[]>({ reducer: (left, right) => [...left, ...right], default: () => [] }),
});

/** Reducers of the graph's own: a counter and a list that is appended to. */
export const counter = new StateGraph(Counted)
  .addNode("first", async () => ({ count: 1, log: ["first"] }))
  .addNode("second", async () => ({ count: 1, log: ["second"] }))
  .addEdge(START, "first")
  .addEdge("first", "second")
  .addEdge("second", END)
  .compile({ checkpointer: new MemorySaver(), name: "counter" });

const Concatenated = Annotation.Root({
  messages: Annotation<BaseMessage[]>({ reducer: (left, right) => left.concat(right), default: () => [] }),
});

const model = new ScriptedModel((messages) => ({
  chunks: [{ id: `said-${messages.length}`, content: "Yes." }],
}));

/** Messages that are only ever appended: LangGraph's ids and remove markers mean nothing to it. */
export const concatenating = new StateGraph(Concatenated)
  .addNode("speak", async (state) => ({ messages: [await model.invoke(state.messages)] }))
  .addEdge(START, "speak")
  .addEdge("speak", END)
  .compile({ checkpointer: new MemorySaver(), name: "concatenating" });

const Seen = Annotation.Root({ seen: Annotation<Record<string, unknown>>() });

/** Tells what a node sees of context, configuration and thread. */
export const configured = new StateGraph(Seen, z.object({ user: z.string().optional() }))
  .addNode("look", async (_state, config: LangGraphRunnableConfig) => {
    const { thread_id, graph_id, tone } = config.configurable ?? {};
    return { seen: { context: config.context ?? null, thread_id, graph_id, tone, tags: config.tags ?? [] } };
  })
  .addEdge(START, "look")
  .addEdge("look", END)
  .compile({ checkpointer: new MemorySaver(), name: "configured" });

/** Custom events by both ways: the stream writer and LangChain's dispatch. */
export const customEvents = new StateGraph(Seen)
  .addNode("tell", async (_state, config: LangGraphRunnableConfig) => {
    config.writer?.({ progress: 1 });
    await dispatchCustomEvent("manually_emit_state", { seen: { early: true } }, config);
    return { seen: { late: true } };
  })
  .addEdge(START, "tell")
  .addEdge("tell", END)
  .compile({ checkpointer: new MemorySaver(), name: "custom_events" });

/** Waits until its run is aborted, and does not know how to go on without. */
export const waits = new StateGraph(Seen)
  .addNode("wait", async (_state, config: LangGraphRunnableConfig) => {
    config.writer?.("waiting");
    await new Promise((_, reject) => {
      config.signal?.addEventListener("abort", () => reject(new Error("the wait was aborted")));
    });
    return { seen: { done: true } };
  })
  .addEdge(START, "wait")
  .addEdge("wait", END)
  .compile({ checkpointer: new MemorySaver(), name: "waits" });

/** Keeps the messages that it is given. */
export const keeps = new StateGraph(MessagesAnnotation)
  .addNode("idle", async () => ({}))
  .addEdge(START, "idle")
  .addEdge("idle", END)
  .compile({ checkpointer: new MemorySaver(), name: "keeps" });

/** Says that it has begun, and comes to its end a second later. */
export const takesItsTime = new StateGraph(MessagesAnnotation)
  .addNode("work", async (_state, config: LangGraphRunnableConfig) => {
    config.writer?.("begun");
    await new Promise((resolve) => setTimeout(resolve, 1000));
    return { messages: [{ type: "ai", id: "done", content: "done at last" }] };
  })
  .addEdge(START, "work")
  .addEdge("work", END)
  .compile({ checkpointer: new MemorySaver(), name: "takes_its_time" });

const stateSchema = z.object({ servings: z.number().optional(), plates: z.number().optional() });

/** An agent with a state of its own, which LangGraph's schema of it does not have. */
export const setsTable = createAgent({
  model: new ScriptedModel(() => ({ chunks: [{ content: "Done." }] })),
  tools: [],
  middleware: [
    createMiddleware({
      name: "table",
      stateSchema,
      beforeAgent: ({ servings = 0 }) => ({ plates: servings }),
    }),
  ],
  checkpointer: new MemorySaver(),
} as never);
