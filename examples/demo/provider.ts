import { awsRegion, type ModelSettings, type Provider } from "../model";
import { startAnthropicStub } from "../providers/anthropic";
import { startBedrockStub } from "../providers/bedrock";
import { startGoogleStub } from "../providers/google";
import { startOpenAIStub } from "../providers/openai";
import { startRecorder } from "../providers/recorder";
import type { ProviderStub } from "../providers/server";
import { UsageError } from "../terminal/command";
import { scriptFor } from "./conversation";
import { type DemoOptions, USAGE } from "./options";

const STUBS = {
  anthropic: startAnthropicStub,
  openai: startOpenAIStub,
  google: startGoogleStub,
  bedrock: startBedrockStub,
};

interface Live {
  /** The variables that hold a key; one of them has to be set. */
  keys: readonly string[];
  /** The variable by which the provider's own tools are pointed elsewhere, and where they go without it. */
  at: readonly [variable: string, url: string];
}

const LIVE: Record<Provider, Live> = {
  anthropic: { keys: ["ANTHROPIC_API_KEY"], at: ["ANTHROPIC_BASE_URL", "https://api.anthropic.com"] },
  openai: { keys: ["OPENAI_API_KEY"], at: ["OPENAI_BASE_URL", "https://api.openai.com/v1"] },
  google: {
    keys: ["GOOGLE_API_KEY", "GEMINI_API_KEY"],
    at: ["GOOGLE_GEMINI_BASE_URL", "https://generativelanguage.googleapis.com"],
  },
  bedrock: {
    keys: ["AWS_ACCESS_KEY_ID", "AWS_PROFILE", "AWS_BEARER_TOKEN_BEDROCK"],
    at: ["AWS_ENDPOINT_URL_BEDROCK_RUNTIME", `https://bedrock-runtime.${awsRegion()}.amazonaws.com`],
  },
};

/** What answers the chat model, and what it was asked. */
export interface Endpoint {
  settings: ModelSettings;
  requests: readonly unknown[];
  close(): Promise<void>;
}

/** A stub of the provider whose model calls the client's tool and then says what it was told. */
export function startProviderStub(provider: Provider): Promise<ProviderStub> {
  return STUBS[provider]({ script: scriptFor(provider) });
}

/** Starts the provider's stub, or a recorder in front of the real provider. */
export async function openProvider({ provider, live }: DemoOptions, env = process.env): Promise<Endpoint> {
  if (live) {
    const { keys, at } = LIVE[provider];
    if (!keys.some((key) => env[key]))
      throw new UsageError(
        `--live talks to ${provider} and needs ${keys.join(" or ")} in the environment.`,
        USAGE,
      );
    const recorder = await startRecorder({ upstream: env[at[0]] || at[1] });
    return endpoint(recorder, { provider, baseUrl: recorder.url, model: env.EXAMPLE_MODEL });
  }
  const stub = await startProviderStub(provider);
  return endpoint(stub, { provider, baseUrl: stub.url, apiKey: "stub" });
}

function endpoint({ requests, close }: ProviderStub, settings: ModelSettings): Endpoint {
  return { settings, requests, close };
}
