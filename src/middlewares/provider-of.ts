import type { ModelProvider } from "../failures/model-view";

/** LangChain's names for the providers that have something of their own to be shown. */
const PROVIDERS: Record<string, ModelProvider> = {
  anthropic: "anthropic",
  google_genai: "google-genai",
  googlegenerativeai: "google-genai",
  amazon_bedrock: "bedrock",
  chat_bedrock_converse: "bedrock",
  openai: "openai",
};

/** What is looked at of a model; any of it may be missing, and models come from other copies of LangChain. */
interface ModelShape {
  _llmType?: () => unknown;
  getLsParams?: (options: object) => { ls_provider?: unknown };
  /** A binding: `withConfig`, `bindTools`, `withRetry`. */
  bound?: unknown;
  /** With fallbacks. */
  runnable?: unknown;
  fallbacks?: unknown;
  /** A sequence. */
  steps?: unknown;
  /** What `initChatModel` returns. */
  _getModelInstance?: (config?: object) => Promise<unknown>;
}

/**
 * The provider that a chat model talks to, or `"unknown"`: also where fallbacks talk to different ones, since all of
 * them are sent the same messages.
 */
export async function providerOf(model: unknown, config?: object): Promise<ModelProvider> {
  const found = new Set(await Promise.all(chatModels(model).map((each) => ofChatModel(each, config))));
  const [only = "unknown"] = found;
  return found.size === 1 ? only : "unknown";
}

/** The chat models inside bindings, sequences and fallbacks. */
function chatModels(model: unknown): ModelShape[] {
  if (typeof model !== "object" || model === null) return [];
  const shape = model as ModelShape;
  if (typeof shape._llmType === "function" && !shape._getModelInstance) return [shape];
  if (shape.bound) return chatModels(shape.bound);
  if (shape.runnable) return [shape.runnable, ...list(shape.fallbacks)].flatMap(chatModels);
  if (shape.steps) return list(shape.steps).flatMap(chatModels);
  return shape._getModelInstance ? [shape] : [];
}

async function ofChatModel(model: ModelShape, config?: object): Promise<ModelProvider> {
  if (model._getModelInstance) return providerOf(await model._getModelInstance(config), config);
  // the type says which package wrote the request; ls_provider may name a proxy behind it
  return PROVIDERS[String(model._llmType?.())] ?? PROVIDERS[String(lsProvider(model))] ?? "unknown";
}

function lsProvider(model: ModelShape): unknown {
  try {
    return model.getLsParams?.({})?.ls_provider;
  } catch {
    return undefined;
  }
}

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
