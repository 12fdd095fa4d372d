import { Command } from "@langchain/langgraph";
import { createMiddleware } from "langchain";
import { z } from "zod/v4";
import { passesThrough, thrownToolMessage } from "../failures/thrown-tool-error";
import { consoleLogger, type Logger } from "../logger";
import { frontendTools, pendingFrontendCalls } from "./frontend-tools";

/** Options of {@link frontendToolsMiddleware}. */
export interface FrontendToolsOptions {
  /** Where the warning about a name that both sides use goes. Default: the console. */
  logger?: Pick<Logger, "warn">;
}

/**
 * Lets the model of a `createAgent` graph call the tools that the client declares (AG-UI's `input.tools`).
 *
 * - The client's tools are bound to the model next to the agent's own. A tool of the agent wins over one of the
 *   client with the same name, and one warning names it.
 * - A call of a client's tool is left unanswered; the other calls of the same turn run as usual. The run then ends
 *   before the model is asked again, and the client's result, which comes with the next input, continues the thread.
 * - A tool that throws becomes a failed tool message, in the words that `createAgent` uses by default but without a
 *   stack, and with the text under `additional_kwargs.error`, so that a client gets it back. (`createAgent` makes
 *   thrown errors fatal as soon as any middleware wraps tool calls.) Interrupts and commands of LangGraph pass.
 *
 * A middleware that has to see what a tool throws (a retry, say) comes after this one in the list. For graphs
 * written by hand there are {@link frontendTools} and {@link pendingFrontendCalls}.
 *
 * @example
 * const agent = createAgent({ model, tools, middleware: [frontendToolsMiddleware(), toolFailureMiddleware()] });
 */
export function frontendToolsMiddleware({ logger = consoleLogger }: FrontendToolsOptions = {}) {
  const warned = new Set<string>();
  return createMiddleware({
    name: "FrontendToolsMiddleware",
    // createAgent takes state keys as zod schemas only; without them the graph drops what the client sends
    stateSchema: z.object({ "ag-ui": z.any().optional(), copilotkit: z.any().optional() }),
    beforeModel: {
      canJumpTo: ["end"],
      hook: (state) => (pendingFrontendCalls(state).length ? { jumpTo: "end" as const } : undefined),
    },
    wrapModelCall: (request, handler) => {
      const own = new Set((request.tools ?? []).map(nameOf));
      const definitions = frontendTools(request.state).filter(({ function: { name } }) => {
        if (!own.has(name)) return true;
        if (!warned.has(name))
          logger.warn(`the agent's own tool "${name}" hides the client's tool of the same name`);
        warned.add(name);
        return false;
      });
      return handler(
        definitions.length ? { ...request, tools: [...(request.tools ?? []), ...definitions] } : request,
      );
    },
    wrapToolCall: async (request, handler) => {
      const { name } = request.toolCall;
      if (!request.tool && frontendTools(request.state).some((tool) => tool.function.name === name))
        return new Command({ update: {} });
      try {
        return await handler(request);
      } catch (error) {
        if (passesThrough(error) || request.runtime.signal?.aborted) throw error;
        return thrownToolMessage(error, request.toolCall);
      }
    },
  });
}

/** The name of a tool in any of the forms that `bindTools` takes. */
function nameOf(tool: unknown): unknown {
  const { name, function: described } = tool as { name?: unknown; function?: { name?: unknown } };
  return name ?? described?.name;
}
