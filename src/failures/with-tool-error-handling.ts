import { parseCallbackConfigArg } from "@langchain/core/callbacks/manager";
import { textOrNothing } from "../messages/json";
import { field, isObject } from "../thrown";
import { failedResult } from "./failed-result";
import {
  answerTo,
  type ToolErrorAnswer,
  type ToolErrorHandlingOptions,
  type ToolErrorSource,
} from "./tool-error-answer";

/** Any tool that a graph runs: `tool(…)`, a `StructuredTool` of any copy of LangChain, a runnable as a tool. */
export interface InvokableTool {
  name: string;
  invoke(input: never, config?: never): unknown;
}

/** How an invocation of a tool ended: with what it threw, if it threw. */
export type ToolOutcome = { threw: false } | { threw: true; error: unknown };

type Method = (this: unknown, ...args: unknown[]) => unknown;

/** The three layers of LangChain's tools: `invoke` calls `call`, which checks the arguments and calls `_call`. */
interface ToolLayers {
  name: string;
  metadata?: Record<string, unknown>;
  responseFormat?: string;
  invoke: Method;
  call?: Method;
  _call?: Method;
}

/**
 * A tool that handles its own failures, as `handle_tool_error` and `handle_validation_error` of LangChain for Python:
 * `handleToolError` says what becomes of a `ToolException`, `handleValidationError` of arguments that do not fit the
 * schema. All other errors are thrown on, and interrupts and commands of LangGraph always are.
 *
 * A handled failure is a result. Invoked with a tool call, the tool gives a ToolMessage with `status: "error"`, its
 * name and the call's id, and with the text under `additional_kwargs.error`, so that a client gets it back; otherwise
 * the bare content. Both with `responseFormat: "content_and_artifact"` too (the artifact is then `undefined`).
 * Callbacks see the tool end; for arguments that do not fit they see nothing, since LangChain checks them before.
 *
 * @param tool Stays as it is.
 * @param options Without any, all errors are thrown on.
 * @returns A tool of the same class with the same name, description and schema. Its `func` is the bare function.
 * @throws A TypeError that says "Got unexpected type of …", when there is an error to handle and its option is none of
 *   the allowed ones.
 * @example
 * const search = withToolErrorHandling(tool(find, { name: "search", schema }), { handleToolError: true });
 */
export function withToolErrorHandling<T extends InvokableTool>(
  tool: T,
  options: ToolErrorHandlingOptions = {},
): T {
  return guardTool(tool, (error, source) => answerTo(error, source, options));
}

/** {@link withToolErrorHandling} with any way to find the answer, and an ear for how each `invoke` ends. */
export function guardTool<T extends InvokableTool>(
  tool: T,
  answer: (error: unknown, source: ToolErrorSource) => Promise<ToolErrorAnswer | undefined>,
  onEnd: (outcome: ToolOutcome) => void = () => {},
): T {
  const layers = tool as unknown as ToolLayers;
  const { invoke, call, _call } = layers;
  const thrownOn = new WeakSet<object>();

  const settle = async (error: unknown, source: ToolErrorSource, callId: string | undefined) => {
    try {
      const found = await answer(error, source);
      if (!found) throw error;
      return callId === undefined ? found.content : failedResult(found, callId, layers);
    } catch (thrown) {
      if (isObject(thrown)) thrownOn.add(thrown);
      throw thrown;
    }
  };
  /** For the outer layers, which see again what an inner one has thrown on. */
  const settleOnce = (error: unknown, input: unknown, config: unknown) => {
    if (isObject(error) && thrownOn.has(error)) throw error;
    return settle(error, "arguments", callIdOf(input, config));
  };

  const guarded: Partial<ToolLayers> = {
    async invoke(input, config, ...rest) {
      try {
        const output = await attempt(
          () => invoke.call(this, input, config, ...rest),
          (error) => settleOnce(error, input, config),
        );
        onEnd({ threw: false });
        return output;
      } catch (error) {
        onEnd({ threw: true, error });
        throw error;
      }
    },
  };
  if (call)
    guarded.call = function (input, configOrCallbacks, ...rest) {
      const given = parseCallbackConfigArg(configOrCallbacks as Parameters<typeof parseCallbackConfigArg>[0]);
      // the layer beneath reads the call's id in the config only
      const config = isToolCall(input) ? { ...given, toolCall: input } : given;
      return attempt(
        () => call.call(this, input, config, ...rest),
        (error) => settleOnce(error, input, config),
      );
    };
  if (_call)
    guarded._call = async function (...args) {
      const recover = async (error: unknown) => {
        const result = await settle(error, "run", callIdOf(undefined, args[2]));
        return (this as ToolLayers).responseFormat === "content_and_artifact" ? [result, undefined] : result;
      };
      // on the tool itself: a subclass may have private fields
      const output = await attempt(() => _call.apply(tool, args), recover);
      return isAsyncGenerator(output) ? attemptEach(output, recover) : output;
    };
  // getters of a subclass may read private fields as well
  const readThrough = new Proxy(tool, { get: (target, key) => Reflect.get(target, key) });
  return Object.create(readThrough, Object.getOwnPropertyDescriptors(guarded));
}

async function attempt(run: () => unknown, recover: (error: unknown) => Promise<unknown>): Promise<unknown> {
  try {
    return await run();
  } catch (error) {
    return await recover(error);
  }
}

/** The same for a tool that streams: what it yields passes, what it throws in between counts as thrown. */
async function* attemptEach(
  output: AsyncGenerator<unknown, unknown>,
  recover: (error: unknown) => Promise<unknown>,
): AsyncGenerator<unknown, unknown> {
  try {
    return yield* output;
  } catch (error) {
    return await recover(error);
  }
}

/** The id of the call that is to be answered; nothing where the tool is simply used. */
function callIdOf(input: unknown, config: unknown): string | undefined {
  const call = isToolCall(input) ? input : field(config, "toolCall");
  const id = textOrNothing(field(call, "id"));
  // a tool node makes a success of a bare content, also for a call whose model gave it no id
  return id ?? (isObject(config) && "toolCallId" in config ? "" : undefined);
}

const isToolCall = (input: unknown): boolean => field(input, "type") === "tool_call";

function isAsyncGenerator(output: unknown): output is AsyncGenerator<unknown, unknown> {
  return typeof field(output, "next") === "function" && isObject(output) && Symbol.asyncIterator in output;
}
