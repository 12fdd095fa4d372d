import { createMiddleware } from "langchain";
import { type ModelProvider, presentToolFailures } from "../failures/model-view";
import { providerOf } from "./provider-of";

/** Options of {@link toolFailureMiddleware}. */
export interface ToolFailureOptions {
  /** The provider that the model talks to. Default: found from the model itself, at each call. */
  provider?: ModelProvider;
}

/**
 * Shows the model which of its tool calls failed, in the terms of its provider. LangChain's JavaScript providers drop
 * the `status` of a tool message, all but google-genai.
 *
 * Works at model-call time only: the messages of the graph's state stay as they are. What each provider gets is said
 * at `presentToolFailures`. The provider is read from the model, also through bindings, configurable models
 * and fallbacks; where it cannot be told, or where fallbacks talk to different ones, failures are made legible in
 * the content, which every provider delivers.
 *
 * Put it last in the list of middlewares, so that the others see the messages of the state.
 *
 * @example
 * const agent = createAgent({ model: new ChatAnthropic({ … }), tools, middleware: [toolFailureMiddleware()] });
 */
export function toolFailureMiddleware({ provider }: ToolFailureOptions = {}) {
  return createMiddleware({
    name: "ToolFailureMiddleware",
    wrapModelCall: async (request, handler) => {
      const shownTo =
        provider ?? (await providerOf(request.model, { configurable: request.runtime.configurable }));
      return handler({ ...request, messages: presentToolFailures(request.messages, { provider: shownTo }) });
    },
  });
}
