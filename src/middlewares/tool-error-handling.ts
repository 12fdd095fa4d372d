import type { ToolMessage } from "@langchain/core/messages";
import { createMiddleware } from "langchain";
import { failedResult } from "../failures/failed-result";
import {
  type FailedCall,
  isBubbleUp,
  isThrownBy,
  originalError,
  passesThrough,
  thrownToolMessage,
} from "../failures/thrown-tool-error";
import {
  answerTo,
  type ToolErrorHandlingOptions,
  type ToolErrorSource,
  UnexpectedHandlerError,
} from "../failures/tool-error-answer";
import { isToolException } from "../failures/tool-exception";
import { guardTool, type InvokableTool, type ToolOutcome } from "../failures/with-tool-error-handling";

/**
 * `withToolErrorHandling` for all tools of a `createAgent` graph: the same options, and callbacks see what they would
 * see there.
 *
 * What the options leave to be thrown on (all errors but a `ToolException` and arguments that do not fit, and these
 * where their option is off) becomes the failed result that `createAgent` gives by default, but without a stack and
 * with the text under `additional_kwargs.error`: otherwise a middleware that wraps tool calls makes it the end of the
 * run. So does what a handler throws. Interrupts and commands of LangGraph pass, as does what another middleware
 * throws by itself.
 *
 * Put it before the middlewares that catch what tools throw, as `toolRetryMiddleware`: then interrupts pass them too.
 * A handled failure is a result for them, and is not tried again.
 *
 * @param options Without any, every failure gets the default result.
 * @returns A middleware. The run ends with a TypeError that says "Got unexpected type of …" when there is an error to
 *   handle and its option is none of the allowed ones.
 * @example
 * createAgent({ model, tools, middleware: [toolErrorHandlingMiddleware({ handleToolError: true })] });
 */
export function toolErrorHandlingMiddleware(options: ToolErrorHandlingOptions = {}) {
  return createMiddleware({
    name: "ToolErrorHandlingMiddleware",
    wrapToolCall: async (request, handler) => {
      const { tool, toolCall, runtime } = request;
      const handling = handlingOf(toolCall, options);
      try {
        const guarded = isInvokable(tool) ? { ...request, tool: handling.guard(tool) } : request;
        return handling.checked(await handler(guarded));
      } catch (error) {
        if (runtime.signal?.aborted) throw error;
        return await handling.recover(error);
      }
    },
  });
}

/** What happens to one call of a tool. */
function handlingOf(call: FailedCall, options: ToolErrorHandlingOptions) {
  let outcome: ToolOutcome | undefined;
  let mistake: UnexpectedHandlerError | undefined;

  const answer = async (error: unknown, source: ToolErrorSource) => {
    try {
      return await answerTo(error, source, options);
    } catch (thrown) {
      // in createAgent's terms an error of the middleware itself, which the others let pass
      if (thrown instanceof UnexpectedHandlerError)
        mistake = Object.assign(thrown, { "~brand": "MiddlewareError" });
      throw thrown;
    }
  };

  /** For a tool that only a middleware further inside knows, or for what that middleware threw itself. */
  const recoverUnguarded = async (error: unknown) => {
    const original = originalError(error);
    if (passesThrough(error) && !isToolException(original)) throw error;
    try {
      const found = await answer(original, "arguments");
      return found ? failedResult(found, call.id ?? "", call) : thrownToolMessage(error, call);
    } catch (thrown) {
      if (mistake || isBubbleUp(thrown)) throw thrown;
      return thrownToolMessage(thrown, call);
    }
  };

  return {
    guard: <T extends InvokableTool>(tool: T) =>
      guardTool(tool, answer, (ended) => {
        outcome = ended;
      }),

    /** A middleware further inside may have made a result of what has to pass. */
    checked<R>(result: R): R {
      if (mistake) throw mistake;
      if (outcome?.threw && isBubbleUp(outcome.error)) throw outcome.error;
      return result;
    },

    async recover(error: unknown): Promise<ToolMessage> {
      if (mistake) throw mistake;
      if (isBubbleUp(error)) throw error;
      if (!outcome?.threw || !isThrownBy(error, outcome.error))
        return (await recoverUnguarded(error)) as ToolMessage;
      // the options have had their say; the error knows more than what the tool threw if it was wrapped
      return thrownToolMessage(originalError(error) === outcome.error ? error : outcome.error, call);
    },
  };
}

/** Tools that run elsewhere, at the provider or at the client, have nothing to invoke. */
const isInvokable = <T>(tool: T): tool is T & InvokableTool =>
  typeof (tool as Partial<InvokableTool> | undefined)?.invoke === "function";
