import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { BaseCheckpointSaver } from "@langchain/langgraph";
import { frontendToolsMiddleware, toolFailureMiddleware } from "ag-ui-langgraph/middlewares";
import { createAgent } from "langchain";
import { chatModel } from "../model";

/** What the graph is made of besides its two middlewares. */
interface FrontendToolFailureOptions {
  /** Default: the one that the environment names (`examples/model.ts`). */
  model?: BaseChatModel;
  /** Keeps the threads, where no server does it. */
  checkpointer?: BaseCheckpointSaver;
  /** `false` leaves out `toolFailureMiddleware`, to see what the model is told without it. */
  showFailures?: boolean;
}

/**
 * A chat whose tools are the client's: the model may call what the browser offers, and is told when that failed.
 * The first middleware brings the client's tools to the model, the second one their failures to its provider.
 */
export function frontendToolFailure(options: FrontendToolFailureOptions = {}) {
  const { model = chatModel(), checkpointer, showFailures = true } = options;
  return createAgent({
    model,
    tools: [],
    systemPrompt: "You book tables. Say honestly whether it worked.",
    middleware: [frontendToolsMiddleware(), ...(showFailures ? [toolFailureMiddleware()] : [])],
    checkpointer,
  });
}

/** For a LangGraph server, which brings its own checkpointer. */
export const graph = () =>
  frontendToolFailure({ showFailures: process.env.EXAMPLE_SHOW_FAILURES !== "false" });
