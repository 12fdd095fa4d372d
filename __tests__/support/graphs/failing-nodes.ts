import { tool } from "@langchain/core/tools";
import {
  Annotation,
  Command,
  entrypoint,
  type LangGraphRunnableConfig,
  MemorySaver,
  MessagesAnnotation,
  type RetryPolicy,
  Send,
  START,
  StateGraph,
  task,
} from "@langchain/langgraph";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import { z } from "zod";

const State = Annotation.Root({
  ...MessagesAnnotation.spec,
  how: Annotation<string>(),
  log: Annotation<string[]>({ reducer: (before, added) => before.concat(added), default: () => [] }),
});

type Node = (
  state: typeof State.State,
  config: LangGraphRunnableConfig,
) => Promise<Partial<typeof State.State>>;
type Nodes = Record<string, Node | { invoke: ReturnType<typeof graphOf>["invoke"] }>;
interface Options {
  retryPolicy?: RetryPolicy;
  timeout?: number;
}

class RefusedError extends Error {
  override name = "RefusedError";
  code = "E_REFUSED";
}

const refuse: Node = async () => {
  throw new RefusedError("the order is refused");
};
const tooFar: Node = async () => {
  throw new RangeError("too far");
};

/** All nodes start at once. */
function builder(nodes: Nodes, options?: Options) {
  const graph = new StateGraph(State);
  for (const [name, node] of Object.entries(nodes)) {
    graph.addNode(name, node as Node, options);
    graph.addEdge(START, name as "__start__");
  }
  return graph;
}

const graphOf = (nodes: Nodes, options?: Options) => builder(nodes, options).compile();
const rootOf = (nodes: Nodes, options?: Options) =>
  builder(nodes, options).compile({ checkpointer: new MemorySaver() });

const attempts = (maxAttempts: number): Options => ({
  retryPolicy: {
    maxAttempts,
    initialInterval: 1,
    maxInterval: 1,
    jitter: false,
    logWarning: false,
    retryOn: () => true,
  },
});

const refusing = graphOf({ leaf: refuse });

/** Fails the first time, and every other time after that. */
function flaky(): Node {
  let calls = 0;
  return async () => {
    calls += 1;
    if (calls % 2 === 1) throw new RefusedError("not yet");
    return { log: ["healed"] };
  };
}

const chargeTask = task("charge", async () => {
  throw new RefusedError("the order is refused");
});
const flow = entrypoint({ name: "flow" }, async (_input: unknown) => {
  await chargeTask();
  return {};
});

/** Waits until the run is aborted, or until nobody would wait any longer. */
const waitLong: Node = (_state, { signal }) =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, 20_000, {});
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });

/** One of many subgraphs that run side by side fails. */
export const failsAmongMany = new StateGraph(State)
  .addNode("plan", async () => ({}))
  .addNode(
    "worker",
    graphOf({
      leaf: (state, config) => (state.how === "3" ? refuse(state, config) : waitLong(state, config)),
    }),
  )
  .addEdge(START, "plan")
  .addConditionalEdges(
    "plan",
    () => Array.from({ length: 6 }, (_, at) => new Send("worker", { how: String(at) })),
    ["worker"],
  )
  .compile({ checkpointer: new MemorySaver() });

export const failsThreeDeep = rootOf({ outer: graphOf({ middle: graphOf({ inner: refusing }) }) });

/** The failing node is tried three times, the one around it twice. */
export const failsAgain = rootOf({ outer: graphOf({ leaf: refuse }, attempts(3)) }, attempts(2));

export const failsOuter = rootOf({
  outer: async () => {
    await graphOf({ fine: async () => ({ log: ["fine"] }) }).invoke({});
    throw new RangeError("too far");
  },
});

/** An entrypoint is cancelled when a task that it runs fails. */
export const failsInTask = rootOf({ outer: async () => flow.invoke({}) });

export const failsInFunction = rootOf({
  outer: async () => {
    await refusing.invoke({});
    return {};
  },
});

export const failsOnThirdCall = rootOf({
  outer: async () => {
    await Promise.allSettled([refusing.invoke({}), refusing.invoke({})]);
    return await refusing.invoke({});
  },
});

export const failsAfterCatching = rootOf({
  outer: async () => {
    await refusing.invoke({}).catch(() => {});
    throw new RangeError("too far");
  },
});

export const failsInOtherWords = rootOf({
  outer: async () => {
    await refusing.invoke({}).catch((cause: Error) => {
      throw new Error(`no order: ${cause.message}`, { cause });
    });
    return {};
  },
});

export const healsInOuterRetry = rootOf({ outer: graphOf({ leaf: flaky() }) }, attempts(3));

/** A first attempt fails in one node, a second one in another. */
let firstCalls = 0;
export const failsElsewhereAgain = rootOf(
  {
    outer: new StateGraph(State)
      .addNode("first", async () => {
        firstCalls += 1;
        if (firstCalls % 2 === 1) throw new Error("no connection");
        return {};
      })
      .addNode("second", async () => {
        throw new Error("no connection");
      })
      .addEdge(START, "first")
      .addEdge("first", "second")
      .compile(),
  },
  attempts(2),
);

export const catchesFailure = rootOf({
  outer: async () => {
    await refusing.invoke({}).catch(() => {});
    return { log: ["caught"] };
  },
});

export const handlesFailure = new StateGraph(State)
  .addNode("leaf", refuse, { errorHandler: () => new Command({ goto: "later" }) })
  .addNode("later", tooFar)
  .addEdge(START, "leaf")
  .addEdge("leaf", "later")
  .compile({ checkpointer: new MemorySaver() });

/** A subgraph hands over to a node of the graph around it, which fails unless the state says that it is not to. */
export const handsOver = new StateGraph(State)
  .addNode(
    "team",
    graphOf({ leaf: async () => new Command({ graph: Command.PARENT, goto: "later" }) as never }),
    {
      ends: ["later"],
    },
  )
  .addNode("later", async (state, config) => (state.how === "finish" ? {} : tooFar(state, config)))
  .addEdge(START, "team")
  .compile({ checkpointer: new MemorySaver() });

export const failsTwice = rootOf({ left: refuse, right: tooFar });
export const failsTwiceDeep = rootOf({ left: graphOf({ leaf: refuse }), right: graphOf({ leaf: tooFar }) });
export const failsTwiceWithin = rootOf({ outer: graphOf({ left: refuse, right: tooFar }) });
export const cancelsSibling = rootOf({ bad: refuse, slow: waitLong });

export const failsInRouter = new StateGraph(State)
  .addNode("first", async () => ({}))
  .addNode("never", async () => ({}))
  .addEdge(START, "first")
  .addConditionalEdges("first", () => {
    throw new RefusedError("no way");
  }, ["never"])
  .compile({ checkpointer: new MemorySaver() });

export const failsBeforeNodes = new StateGraph(State)
  .addNode("never", async () => ({}))
  .addConditionalEdges(START, () => {
    throw new RefusedError("no way");
  }, ["never"])
  .compile({ checkpointer: new MemorySaver() });

export const timesOut = rootOf({ slow: waitLong }, { timeout: 50 });
export const timesOutAround = rootOf({ outer: graphOf({ slow: waitLong }) }, { timeout: 50 });
export const waitsForStop = rootOf({
  outer: graphOf({
    slow: (state, config) => {
      config.writer?.("waiting");
      return waitLong(state, config);
    },
  }),
});

const orderTool = tool(
  async () => {
    await refusing.invoke({});
    return "ordered";
  },
  { name: "order", description: "orders", schema: z.object({}) },
);

const callsTool = (handleToolErrors: boolean) =>
  new StateGraph(State)
    .addNode("model", async () => ({
      messages: [
        { type: "ai", id: "a1", content: "", tool_calls: [{ id: "call_1", name: "order", args: {} }] },
      ],
    }))
    .addNode("run_tools", new ToolNode([orderTool], { handleToolErrors }))
    .addEdge(START, "model")
    .addEdge("model", "run_tools")
    .compile({ checkpointer: new MemorySaver() });

export const failsInTool = callsTool(false);
export const failsInHandledTool = callsTool(true);

const endlessGraph = new StateGraph(State)
  .addNode("again", async () => ({}))
  .addEdge(START, "again")
  .addEdge("again", "again")
  .compile();
export const endlessWithin = rootOf({ outer: endlessGraph });

const sameError = new RefusedError("the same object");
export const throwsSameError = rootOf({
  check: async () => {
    throw sameError;
  },
});

/** Fails once in a thread: where the state says so. */
export const failsOnDemand = rootOf({
  outer: graphOf({
    leaf: async ({ messages }) => {
      if (messages.at(-1)?.content === "fail") throw new RefusedError("as you say");
      return { messages: [{ type: "ai", id: `a${messages.length}`, content: "done" } as never] };
    },
  }),
});

function cyclic() {
  const error = new Error("cyclic") as Error & { cause: unknown };
  error.cause = error;
  return error;
}

function trapped() {
  return Object.defineProperty(new Error(), "message", {
    get() {
      throw new Error("a trap");
    },
  });
}

const ODD: Record<string, () => unknown> = {
  text: () => "a bare text",
  nothing: () => undefined,
  null: () => null,
  object: () => ({ reason: "secret state", stack: "at /host/path" }),
  "message only": () => ({ message: "only a message" }),
  number: () => 7,
  cyclic,
  trapped,
  frozen: () => Object.freeze(new RefusedError("frozen")),
  proxy: () =>
    new Proxy(new RefusedError("hidden"), {
      get(target, key) {
        if (key === "message" || key === "name") throw new Error("a trap");
        return Reflect.get(target, key);
      },
    }),
  huge: () => new Error("x".repeat(10_000_000)),
  stack: () => new Error("in short\n    at work (/host/path/a.js:1:2)"),
};

const odd: Node = async ({ how }) => {
  throw ODD[how]?.();
};

/** Throws what the state's `how` names. */
export const throwsOddly = rootOf({ odd });
export const throwsOddlyWithin = rootOf({ outer: graphOf({ odd }) });
