import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { type StructuredTool, tool } from "@langchain/core/tools";
import {
  type LangGraphRunnableConfig,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
} from "@langchain/langgraph";
import { ToolNode, toolsCondition } from "@langchain/langgraph/prebuilt";
import { ToolException, withToolErrorHandling } from "ag-ui-langgraph/middlewares";
import { z } from "zod";

/** One kind of failure: a graph of this file, by its name. */
export interface FailureKind {
  name:
    | "toolThrows"
    | "toolUnknown"
    | "toolArguments"
    | "toolException"
    | "nodeDeep"
    | "retryRunsOut"
    | "retryHeals"
    | "sideBySide"
    | "stopped";
  title: string;
  /** The client stops the run as soon as it is told that the graph waits. */
  stops?: true;
}

export const FAILURE_KINDS: readonly FailureKind[] = [
  { name: "toolThrows", title: "a tool throws" },
  { name: "toolUnknown", title: "the model calls a tool that is not there" },
  { name: "toolArguments", title: "the arguments do not fit the tool's schema" },
  { name: "toolException", title: "a tool means to fail (ToolException)" },
  { name: "nodeDeep", title: "a node fails three subgraphs deep" },
  { name: "retryRunsOut", title: "a node fails as often as it is tried" },
  { name: "retryHeals", title: "a node fails, and succeeds when it is tried again" },
  { name: "sideBySide", title: "two nodes fail side by side" },
  { name: "stopped", title: "the client stops the run", stops: true },
];

type Node = (state: { messages: BaseMessage[] }, config: LangGraphRunnableConfig) => Promise<object>;

const orderId = { id: z.string() };

const lookUp = tool(
  ({ id }) => {
    throw new Error(`There is no order ${id}`);
  },
  { name: "look_up", description: "Looks an order up.", schema: z.object(orderId) },
);

const stock = withToolErrorHandling(
  tool(
    () => {
      throw new ToolException("The stock is counted today, ask again tomorrow");
    },
    { name: "stock", description: "Says how many are in stock.", schema: z.object(orderId) },
  ),
  { handleToolError: true },
);

/** A model that makes one call and says that it is done when it has the result. */
function callingTool(name: string, args: object, tools: StructuredTool[] = [lookUp]) {
  const call = { id: "call_1", name, args };
  const model: Node = async ({ messages }) => ({
    messages: [
      messages.at(-1)?.type === "tool"
        ? new AIMessage({ id: "done", content: "I could not find out." })
        : new AIMessage({ id: "asks", content: "", tool_calls: [call] }),
    ],
  });
  return new StateGraph(MessagesAnnotation)
    .addNode("model", model)
    .addNode("tools", new ToolNode(tools))
    .addEdge(START, "model")
    .addConditionalEdges("model", toolsCondition)
    .addEdge("tools", "model")
    .compile({ checkpointer: new MemorySaver() });
}

export const toolThrows = callingTool("look_up", { id: "7" });
export const toolUnknown = callingTool("fly", { to: "the moon" });
export const toolArguments = callingTool("look_up", { number: 7 });
export const toolException = callingTool("stock", { id: "7" }, [stock]);

class DeclinedError extends Error {
  override name = "DeclinedError";
  code = "E_DECLINED";
}

const declined: Node = async () => {
  throw new DeclinedError("The card was declined");
};

const outOfStock: Node = async () => {
  throw new RangeError("Only 2 are left");
};

const within = (name: string, graph: Node | ReturnType<typeof graphOf>) => graphOf({ [name]: graph });

function builder(nodes: Record<string, unknown>, maxAttempts?: number) {
  const graph = new StateGraph(MessagesAnnotation);
  const retryPolicy = { maxAttempts, initialInterval: 1, logWarning: false, retryOn: () => true };
  for (const [name, node] of Object.entries(nodes)) {
    graph.addNode(name, node as Node, maxAttempts === undefined ? {} : { retryPolicy });
    graph.addEdge(START, name as typeof START);
  }
  return graph;
}

const graphOf = (nodes: Record<string, unknown>) => builder(nodes).compile();
const rootOf = (nodes: Record<string, unknown>, maxAttempts?: number) =>
  builder(nodes, maxAttempts).compile({ checkpointer: new MemorySaver() });

export const nodeDeep = rootOf({ shop: within("order", within("payment", within("charge", declined))) });
export const retryRunsOut = rootOf({ charge: declined }, 3);

let calls = 0;
export const retryHeals = rootOf(
  {
    charge: async () => {
      calls += 1;
      if (calls % 2 === 1) throw new DeclinedError("The bank does not answer");
      return {};
    },
  },
  3,
);

export const sideBySide = rootOf({ charge: declined, reserve: outOfStock });

export const stopped = rootOf({
  wait: (async (_state, { writer, signal }) => {
    const aborted = new Promise((_, reject) => {
      signal?.addEventListener("abort", () => reject(signal.reason));
    });
    writer?.("waiting");
    return await aborted;
  }) as Node,
});
