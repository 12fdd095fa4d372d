import { ChatAnthropic } from "@langchain/anthropic";
import { chatModel, type ModelSettings, settingsFromEnv, type ToolCallingModel } from "./model";
import { startAnthropicStub } from "./providers/anthropic";
import { type Json, list, object } from "./providers/rules";
import type { ScriptedTurn } from "./providers/script";
import type { ProviderStub } from "./providers/server";

/** What a scripted model goes by when it is its turn: what its provider was told. */
export interface Seen {
  /** What the user said last. */
  user: string;
  /** The media types of what came with it. */
  media: string[];
  /** The system prompt. */
  system: string;
  /** The results of the calls that the model has just made; none where the user has spoken since. */
  results: { tool: string; text: string; failed: boolean }[];
}

/** The model of an example, as far as it is scripted. */
export type ExampleScript = (seen: Seen) => ScriptedTurn;

/**
 * The chat model of an example: LangChain's package for Anthropic against a strict stub of its API, which says what the
 * script says. With `ANTHROPIC_API_KEY` or `OPENAI_API_KEY` in the environment it is the real provider's, and with
 * `EXAMPLE_PROVIDER` the one that it names (`examples/model.ts`); `EXAMPLE_MODEL` names the model.
 */
export function exampleModel(
  script: ExampleScript,
  options: Pick<ModelSettings, "reasoning"> = {},
): ToolCallingModel {
  const real = realModel();
  if (real) return chatModel({ ...real, ...options });
  return new ChatAnthropic({
    model: named(script),
    apiKey: "stub",
    maxRetries: 0,
    clientOptions: { fetch: askStub },
  });
}

/** The real model that the environment asks for; nothing where models are scripted. */
export function realModel(env: NodeJS.ProcessEnv = process.env): ModelSettings | undefined {
  if (env.EXAMPLE_PROVIDER) return settingsFromEnv(env);
  const model = env.EXAMPLE_MODEL || undefined;
  if (env.ANTHROPIC_API_KEY) return { provider: "anthropic", model };
  if (env.OPENAI_API_KEY) return { provider: "openai", model };
  return undefined;
}

/** The scripts of this process by the name of their model: one stub plays them all, so that its ids are each used once. */
const scripts = new Map<string, ExampleScript>();

function named(script: ExampleScript): string {
  const name = `scripted-${scripts.size + 1}`;
  scripts.set(name, script);
  return name;
}

let starting: Promise<ProviderStub> | undefined;

/** Sends what was meant for Anthropic to the stub, which starts with the first request. */
const askStub: typeof fetch = async (input, init) => {
  starting ??= startAnthropicStub({ script: play });
  const { pathname, search } = new URL(input instanceof Request ? input.url : input);
  return fetch((await starting).url + pathname + search, init);
};

function play(body: unknown): ScriptedTurn {
  const script = scripts.get(String(object(body).model));
  return script?.(seenIn(body)) ?? { refusal: { status: 404, message: "there is no such model" } };
}

function seenIn(body: unknown): Seen {
  const { messages, system } = object(body);
  const turns = list(messages).map((message) => {
    const { role, content } = object(message);
    return { role, blocks: blocksOf(content) };
  });
  const asked = turns.findLast(({ role, blocks }) => role === "user" && textOf(blocks) !== "")?.blocks ?? [];
  const names = new Map(
    turns.flatMap(({ blocks }) => blocks).map(({ id, name }) => [String(id), String(name)]),
  );
  const latest = turns.slice(turns.findLastIndex(({ role }) => role === "assistant") + 1);
  const answered = latest.flatMap(({ blocks }) => blocks);
  return {
    user: textOf(asked),
    media: asked.flatMap(({ source }) => (source ? [String(object(source).media_type)] : [])),
    system: textOf(blocksOf(system)),
    results: answered.some(({ type }) => type === "text")
      ? []
      : answered
          .filter(({ type }) => type === "tool_result")
          .map(({ tool_use_id: id, content, is_error }) => ({
            tool: names.get(String(id)) ?? "",
            text: textOf(blocksOf(content)),
            failed: is_error === true,
          })),
  };
}

const blocksOf = (content: unknown): Json[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : list(content).map(object);

const textOf = (blocks: Json[]): string =>
  blocks
    .filter(({ type }) => type === "text")
    .map(({ text }) => text)
    .join("\n");
