import { AIMessage, AIMessageChunk } from "@langchain/core/messages";
import fc from "fast-check";
import type { Random } from "./random";

/** What a model says in one turn, before any provider cuts it. */
export type Block =
  | { kind: "text"; text: string }
  | { kind: "reasoning"; text: string; signature?: string; redacted?: boolean }
  | { kind: "call"; id: string; name: string; args: Record<string, unknown> };

export const providers = [
  "openai",
  "openai-responses",
  "anthropic",
  "gemini",
  "ollama",
  "bedrock",
  "deepseek",
  "arguments-late",
  "not-streaming",
] as const;
export type Provider = (typeof providers)[number];

/** Chunks as the provider's package makes them, and the message that LangChain makes of them. */
export interface CutTurn {
  chunks: AIMessageChunk[];
  whole: AIMessage | AIMessageChunk;
}

const words = fc.string({
  unit: fc.constantFrom("a", "é", " ", "\n", '"', "\\", "{", "😀", "\u2028"),
  minLength: 1,
  maxLength: 12,
});
const args = fc.dictionary(
  fc.constantFrom("q", "n", "list", "é"),
  fc.constantFrom<unknown>(1, null, true, '}{"', [{ deep: [] }], "😀\n", {}, -1.5e10),
  {
    maxKeys: 3,
  },
);

export const blocks = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ kind: fc.constant("text" as const), text: words }) },
    {
      weight: 1,
      arbitrary: fc.record(
        {
          kind: fc.constant("reasoning" as const),
          text: words,
          signature: fc.constant("c2ln"),
          redacted: fc.boolean(),
        },
        { requiredKeys: ["kind", "text"] },
      ),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant("call" as const),
        id: fc.constant(""),
        name: fc.constantFrom("search", "chart", "tools"),
        args,
      }),
    },
  ),
  { maxLength: 5 },
);

type Fields = { content?: unknown } & Record<string, unknown>;

/** One turn as this provider streams it: `random` decides where the pieces are cut, and what comes together. */
export function cut(turn: readonly Block[], provider: Provider, random: Random, id: string): CutTurn {
  if (provider === "not-streaming") return notStreaming(turn, id);
  const cutter = cutters[provider];
  const ids = random.pick(["all", "first"]);
  const fields = cutter(turn, random, id).map((field, at) =>
    ids === "all" || at === 0 ? { ...field, id } : field,
  );
  let chunks = fields.map((field) => new AIMessageChunk(field as never));
  chunks = grouped(withEmpty(chunks, random, id), random);
  for (const chunk of chunks) chunk.id ??= id;
  const concat = chunks.reduce((left, right) => left.concat(right));
  if (provider !== "arguments-late") return { chunks, whole: concat };
  const calls = turn.flatMap((block) => (block.kind === "call" ? [callOf(block)] : []));
  return { chunks, whole: new AIMessage({ id, content: concat.content, tool_calls: calls }) };
}

function notStreaming(turn: readonly Block[], id: string): CutTurn {
  const content = turn.flatMap((block): Record<string, unknown>[] =>
    block.kind === "call"
      ? []
      : block.kind === "text"
        ? [{ type: "text", text: block.text }]
        : [thinking(block)],
  );
  const calls = turn.flatMap((block) => (block.kind === "call" ? [callOf(block)] : []));
  return { chunks: [], whole: new AIMessage({ id, content: content as never, tool_calls: calls }) };
}

const thinking = (block: Extract<Block, { kind: "reasoning" }>) =>
  block.redacted
    ? { type: "redacted_thinking", data: block.text }
    : { type: "thinking", thinking: block.text, ...(block.signature ? { signature: block.signature } : {}) };

const callOf = ({ id, name, args }: Extract<Block, { kind: "call" }>) => ({
  id,
  name,
  args,
  type: "tool_call" as const,
});

const piece = (fields: Record<string, unknown>) => ({ type: "tool_call_chunk", ...fields });

type Cutter = (turn: readonly Block[], random: Random, id: string) => Fields[];

const finish = (key: string, value: unknown): Fields => ({
  content: "",
  response_metadata: { [key]: value },
});

/** Calls by index, the id with the first piece only; arguments of calls in a row may come interleaved. */
function indexedCalls(turn: readonly Block[], random: Random, content: unknown): Fields[] {
  const queues = turn
    .filter((block) => block.kind === "call")
    .map((block, index) => {
      const pieces = random.cut(JSON.stringify(block.args));
      const first = random.chance(0.5) ? "" : pieces.shift();
      const start: Record<string, unknown> = { index, id: block.id, name: block.name, args: first };
      return [start, ...pieces.map((args): Record<string, unknown> => ({ index, args }))];
    });
  const interleave = random.chance(0.4);
  const order = interleave ? random.interleave(queues) : queues.flat();
  // Several calls may have pieces in one chunk; LangChain merges two pieces of one call in a chunk wrongly.
  return random
    .group(order)
    .flatMap((pieces) => (distinct(pieces) ? [pieces] : pieces.map((one) => [one])))
    .map((pieces) => ({ content, tool_call_chunks: pieces.map(piece) }));
}

const distinct = (pieces: Record<string, unknown>[]) =>
  new Set(pieces.map(({ index }) => index)).size === pieces.length;

const cutters: Record<Exclude<Provider, "not-streaming">, Cutter> = {
  openai(turn, random) {
    const texts = turn.flatMap((block) => (block.kind === "text" ? random.cut(block.text) : []));
    return [
      { content: "" },
      ...texts.map((content) => ({ content })),
      ...indexedCalls(turn, random, ""),
      finish("finish_reason", turn.some((block) => block.kind === "call") ? "tool_calls" : "stop"),
      { content: "", usage_metadata: { input_tokens: 1, output_tokens: 2, total_tokens: 3 } },
    ];
  },
  deepseek(turn, random, id) {
    const thoughts = turn.flatMap((block) => (block.kind === "reasoning" ? random.cut(block.text) : []));
    return [
      ...thoughts.map((text) => ({ content: "", additional_kwargs: { reasoning_content: text } })),
      ...cutters.openai(turn, random, id),
    ];
  },
  "openai-responses"(turn, random, id) {
    const fields: Fields[] = [{ content: [] }];
    const reasoning = turn.filter((block) => block.kind === "reasoning");
    if (reasoning.length > 0) {
      fields.push({
        content: [],
        additional_kwargs: { reasoning: { id: `rs_${id}`, type: "reasoning", summary: [] } },
      });
    }
    const inContent = random.chance(0.5);
    reasoning.forEach((block, index) => {
      for (const text of random.cut(block.text)) {
        const summary = [{ type: "summary_text", text, index }];
        fields.push({
          content: inContent ? [{ type: "reasoning", reasoning: text, index }] : [],
          additional_kwargs: { reasoning: { type: "reasoning", summary } },
        });
      }
    });
    turn
      .filter((block) => block.kind === "text")
      .forEach((block, index) => {
        for (const text of random.cut(block.text)) fields.push({ content: [{ type: "text", text, index }] });
      });
    return [
      ...fields,
      ...indexedCalls(turn, random, []),
      { content: [], response_metadata: { status: "completed" } },
    ];
  },
  anthropic(turn, random) {
    const fields: Fields[] = [
      { content: "", usage_metadata: { input_tokens: 5, output_tokens: 0, total_tokens: 5 } },
    ];
    turn.forEach((block, index) => {
      if (block.kind === "text") {
        fields.push({ content: [{ index, type: "text", text: "" }] });
        for (const text of random.cut(block.text)) fields.push({ content: [{ index, type: "text", text }] });
      } else if (block.kind === "reasoning" && block.redacted) {
        fields.push({ content: [{ index, type: "redacted_thinking", data: block.text }] });
      } else if (block.kind === "reasoning") {
        fields.push({ content: [{ index, type: "thinking", thinking: "", signature: "" }] });
        for (const thinking of random.cut(block.text))
          fields.push({ content: [{ index, type: "thinking", thinking }] });
        if (block.signature) {
          fields.push({ content: [{ index, type: "thinking", signature: block.signature }] });
        }
      } else {
        const { id, name } = block;
        fields.push({
          content: [{ index, type: "tool_use", id, name, input: "" }],
          tool_call_chunks: [piece({ index, id, name, args: "" })],
        });
        for (const args of random.cut(JSON.stringify(block.args))) {
          fields.push({
            content: [{ index, type: "input_json_delta", input: args }],
            tool_call_chunks: [piece({ index, args })],
          });
        }
      }
    });
    const usage_metadata = { input_tokens: 0, output_tokens: 7, total_tokens: 7 };
    return [...fields, { content: "", additional_kwargs: { stop_reason: "end_turn" }, usage_metadata }];
  },
  bedrock(turn, random) {
    const fields: Fields[] = [{ content: "" }];
    turn.forEach((block, index) => {
      if (block.kind === "text") for (const content of random.cut(block.text)) fields.push({ content });
      else if (block.kind === "reasoning" && block.redacted) {
        fields.push({ content: [{ type: "reasoning_content", redactedContent: block.text, index }] });
      } else if (block.kind === "reasoning") {
        for (const reasoning of random.cut(block.text)) {
          fields.push({ content: [{ type: "reasoning", reasoning, index }] });
        }
      } else {
        fields.push({ content: "", tool_call_chunks: [piece({ index, id: block.id, name: block.name })] });
        for (const args of random.cut(JSON.stringify(block.args))) {
          fields.push({ content: "", tool_call_chunks: [piece({ index, args })] });
        }
      }
    });
    return [...fields, finish("stopReason", "tool_use")];
  },
  gemini(turn, random) {
    const fields: Fields[] = turn.flatMap((block): Fields[] => {
      if (block.kind === "text") return random.cut(block.text).map((content) => ({ content }));
      if (block.kind === "reasoning") return [{ content: [{ type: "thinking", thinking: block.text }] }];
      const { id, name, args } = block;
      return [{ content: "", tool_call_chunks: [piece({ id, name, args: JSON.stringify(args) })] }];
    });
    const last = fields.at(-1) ?? { content: "" };
    // The last chunk carries what the model says and why it stops.
    return [...fields.slice(0, -1), { ...last, response_metadata: { finishReason: "STOP" } }];
  },
  ollama(turn, random) {
    const fields: Fields[] = turn.flatMap((block): Fields[] => {
      if (block.kind === "text") return random.cut(block.text).map((content) => ({ content }));
      if (block.kind === "reasoning") return [];
      const { id, name, args } = block;
      return [{ content: "", tool_call_chunks: [piece({ id, name, args: JSON.stringify(args), index: 0 })] }];
    });
    return [...fields, { content: "", response_metadata: { done_reason: "stop", done: true } }];
  },
  "arguments-late"(turn, random) {
    const announced = random.chance(0.7);
    const fields: Fields[] = turn.flatMap((block, index): Fields[] => {
      if (block.kind === "text") return random.cut(block.text).map((content) => ({ content }));
      if (block.kind === "reasoning") return [];
      return !announced
        ? []
        : [{ content: "", tool_call_chunks: [piece({ id: block.id, name: block.name, args: "", index })] }];
    });
    return [{ content: "" }, ...fields, finish("finish_reason", "tool_calls")];
  },
};

function withEmpty(chunks: AIMessageChunk[], random: Random, id: string): AIMessageChunk[] {
  return chunks.flatMap((chunk) =>
    random.chance(0.1)
      ? [chunk, new AIMessageChunk({ id, content: Array.isArray(chunk.content) ? [] : "" })]
      : [chunk],
  );
}

/** Chunks that come together, as a slow network or a proxy brings them. */
function grouped(chunks: AIMessageChunk[], random: Random): AIMessageChunk[] {
  if (random.chance(0.6)) return chunks;
  return random.group(chunks).map((group) => group.reduce((left, right) => left.concat(right)));
}
