import type { Runnable } from "@langchain/core/runnables";
import type { ClientTool, ServerTool } from "@langchain/core/tools";
import { type AgentMiddleware, createMiddleware } from "langchain";

/** Says that an argument of a tool call predicts a key of the state while it streams. */
export interface StateItem {
  /** The key of the state that is predicted. */
  stateKey: string;
  /** The name of the tool whose call carries the value. */
  tool: string;
  /** The argument of the tool that holds the value. */
  toolArgument: string;
}

/** Gives the item back as it is: there for the types of an object literal. Same as in `@ag-ui/langgraph`. */
export const stateItem = (item: StateItem): StateItem => item;

/**
 * A `createAgent` middleware that streams state from the arguments of tool calls: each model call carries
 * `predict_state` in its metadata, from which the agent emits the `PredictState` event that clients follow. Same as in
 * `@ag-ui/langgraph`.
 *
 * The model call right after a result of one of the tools goes without: its answer predicts nothing.
 *
 * @param items What is predicted from which argument of which tool.
 */
export const stateStreamingMiddleware = (
  ...items: StateItem[]
): AgentMiddleware<undefined, undefined, unknown, readonly (ClientTool | ServerTool)[]> => {
  const tools = new Set(items.map((item) => item.tool));
  const metadata = {
    predict_state: items.map(({ stateKey, tool, toolArgument }) => ({
      state_key: stateKey,
      tool,
      tool_argument: toolArgument,
    })),
  };
  return createMiddleware({
    name: "StateStreamingMiddleware",
    wrapModelCall: (request, handler) => {
      const last = request.messages.at(-1);
      if (last?.type === "tool" && tools.has(last.name ?? "")) return handler(request);
      // the declared type is that of an invoke-only model; every chat model is a runnable
      const model = request.model as unknown as Runnable;
      return handler({
        ...request,
        model: model.withConfig({ metadata }) as unknown as typeof request.model,
      });
    },
  });
};
