import { Readable } from "node:stream";
import { ChatAnthropic } from "@langchain/anthropic";
import { ChatBedrockConverse } from "@langchain/aws";
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { ChatGoogleGenerativeAI } from "@langchain/google-genai";
import { ChatOpenAI } from "@langchain/openai";

export const PROVIDERS = ["anthropic", "openai", "google", "bedrock"] as const;
export type Provider = (typeof PROVIDERS)[number];

/** Which chat model an example talks to, and where. */
export interface ModelSettings {
  provider: Provider;
  /** The provider's base URL. Default: the provider's own. */
  baseUrl?: string;
  /** Default: a small model of the provider. */
  model?: string;
  /** Default: what the provider's package finds in the environment. */
  apiKey?: string;
  /** Whether the model thinks aloud before it answers (Anthropic and OpenAI). */
  reasoning?: boolean;
}

const MODELS: Record<Provider, string> = {
  anthropic: "claude-haiku-4-5",
  openai: "gpt-4.1-mini",
  google: "gemini-2.5-flash",
  bedrock: "anthropic.claude-haiku-4-5-20251001-v1:0",
};

/** Settings as variables, so that a graph in a LangGraph server's process finds them. */
export function settingsToEnv({ provider, baseUrl, model, apiKey }: ModelSettings): Record<string, string> {
  return {
    EXAMPLE_PROVIDER: provider,
    EXAMPLE_BASE_URL: baseUrl ?? "",
    EXAMPLE_MODEL: model ?? "",
    EXAMPLE_API_KEY: apiKey ?? "",
  };
}

export function settingsFromEnv(env: NodeJS.ProcessEnv = process.env): ModelSettings {
  const provider = env.EXAMPLE_PROVIDER || "anthropic";
  if (!isProvider(provider)) throw new Error(`EXAMPLE_PROVIDER is none of ${PROVIDERS.join(", ")}`);
  return {
    provider,
    baseUrl: env.EXAMPLE_BASE_URL || undefined,
    model: env.EXAMPLE_MODEL || undefined,
    apiKey: env.EXAMPLE_API_KEY || undefined,
  };
}

export const isProvider = (name: string): name is Provider => (PROVIDERS as readonly string[]).includes(name);

/** The region that Bedrock is asked in. */
export const awsRegion = (env: NodeJS.ProcessEnv = process.env): string =>
  env.AWS_REGION || env.AWS_DEFAULT_REGION || "us-east-1";

/** A chat model to which tools can be bound, as to all of the providers'. */
export type ToolCallingModel = BaseChatModel & Required<Pick<BaseChatModel, "bindTools">>;

/** The chat model of an example. Without settings they come from the environment (`EXAMPLE_PROVIDER`, …). */
export function chatModel(settings: ModelSettings = settingsFromEnv()): ToolCallingModel {
  const { provider, baseUrl, apiKey, reasoning } = settings;
  const common = { model: settings.model ?? MODELS[provider], maxRetries: 1 };
  const key = apiKey ? { apiKey } : {};
  switch (provider) {
    case "anthropic":
      return new ChatAnthropic({
        ...common,
        ...key,
        anthropicApiUrl: baseUrl,
        ...(reasoning && { maxTokens: 4096, thinking: { type: "enabled", budget_tokens: 1024 } }),
      });
    case "openai":
      return new ChatOpenAI({
        ...common,
        ...key,
        configuration: { baseURL: baseUrl },
        ...(reasoning && {
          model: settings.model ?? "gpt-5-mini",
          useResponsesApi: true,
          reasoning: { effort: "low", summary: "auto" },
        }),
      });
    case "google":
      return new ChatGoogleGenerativeAI({ ...common, ...key, baseUrl });
    case "bedrock":
      return new ChatBedrockConverse({
        ...common,
        region: awsRegion(),
        ...(apiKey && { credentials: { accessKeyId: apiKey, secretAccessKey: apiKey } }),
        ...(baseUrl && { clientOptions: { requestHandler: sendTo(baseUrl) } }),
      });
  }
}

interface SignedRequest {
  method: string;
  path: string;
  query?: Record<string, string | string[]>;
  headers: Record<string, string>;
  body?: Uint8Array | string;
}

/**
 * Sends the requests of an AWS client to another address. Needed because the chat model takes only https hosts, and
 * done behind the signing, so that the signature stays the one for Bedrock's own host.
 */
function sendTo(baseUrl: string) {
  return {
    async handle({ method, path, query, headers, body }: SignedRequest, options?: { abortSignal?: unknown }) {
      const url = new URL(path, baseUrl);
      for (const [name, value] of Object.entries(query ?? {}))
        for (const each of [value].flat()) url.searchParams.append(name, each);
      const { host: _, "content-length": __, ...sent } = headers;
      const signal = options?.abortSignal as AbortSignal | undefined;
      const response = await fetch(url, {
        method,
        headers: sent,
        body: body as BodyInit | undefined,
        signal,
      });
      return {
        response: {
          statusCode: response.status,
          headers: Object.fromEntries(response.headers),
          body: response.body && Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]),
        },
      };
    },
  };
}
