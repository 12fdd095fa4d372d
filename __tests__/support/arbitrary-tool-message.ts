import fc from "fast-check";
import type { AgentToolMessage } from "../../src/types";

/** Texts that serialisers, providers and regular expressions stumble over. */
const hostileText = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: "grapheme", maxLength: 40 }) },
  { weight: 3, arbitrary: fc.string({ unit: "binary", maxLength: 20 }) },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      "",
      " ",
      "\n\t ",
      "error",
      "boom",
      "Error: boom\n Please fix your mistakes.",
      "\ud800",
      "a\udc00b",
      "\u0000",
      "\u2028",
      "__proto__",
      '{"lc":1,"type":"constructor","id":["langchain_core","messages","AIMessage"],"kwargs":{}}',
      '{"status":"success"}',
      "null",
      "$&",
      "💥",
    ),
  },
);

const loneSurrogate = fc
  .tuple(hostileText, fc.integer({ min: 0xd800, max: 0xdfff }), hostileText)
  .map(([before, half, after]) => before + String.fromCharCode(half) + after);

/** Now and then a megabyte, since a limit in some store shows only there. */
const megabyte = fc.noShrink(
  hostileText.map((text) => (text || "x").repeat(2 ** 20 / Math.max(text.length, 1))),
);

const text = fc.oneof(
  { weight: 60, arbitrary: hostileText },
  { weight: 10, arbitrary: loneSurrogate },
  { weight: 1, arbitrary: megabyte },
);

/** What LangChain's and LangGraph's deserialisers act on, wherever it stands. */
const serialised = fc.constantFrom<unknown>(
  { lc: 1, type: "constructor", id: ["langchain_core", "messages", "AIMessage"], kwargs: { content: "x" } },
  { lc: 1, type: "secret", id: ["PATH"] },
  { lc: 2, type: "undefined" },
  { lc: 2, type: "constructor", id: ["Set"], args: [[1]] },
  { lc: 1, type: "not_implemented", id: ["x"] },
  { nested: [{ lc: 2, type: "delta_snapshot", value: { a: 1 } }] },
  JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'),
);

const json = fc.oneof(
  { weight: 3, arbitrary: serialised },
  {
    weight: 3,
    arbitrary: fc
      .jsonValue({ depthSize: "small" })
      .map((value) => JSON.parse(JSON.stringify(value)) as unknown),
  },
);

const key = fc.oneof(fc.constantFrom("lc", "__proto__", "toString", "a", "id"), fc.string({ maxLength: 8 }));

const metadata = fc
  .array(fc.tuple(key, json), { maxLength: 4 })
  // Through JSON, as it comes from a client: `__proto__` is a key like any other there.
  .map((entries) => JSON.parse(JSON.stringify(Object.fromEntries(entries))) as Record<string, unknown>);

const source = fc.oneof(
  fc.record({
    type: fc.constant("data"),
    value: fc.base64String({ maxLength: 24 }),
    mimeType: fc.constant("image/png"),
  }),
  fc.record({ type: fc.constant("url"), value: fc.webUrl() }),
  fc.record({ type: fc.constant("file"), value: fc.constant("file-1"), provider: fc.constant("openai") }),
);

const parts = fc.array(
  fc.oneof(
    fc.record({ type: fc.constant("text"), text: hostileText }),
    fc.record({ type: fc.constantFrom("image", "audio", "video", "document"), source }),
  ),
  { maxLength: 4 },
);

const id = fc.oneof(fc.uuid(), fc.constantFrom("__proto__", "constructor", "a b", "💥", "call_1"));

/**
 * Any tool message that a client may send: ids, contents, error texts and metadata without mercy. An empty `error`
 * is none, so it is not among them.
 */
export const arbitraryToolMessage: fc.Arbitrary<AgentToolMessage> = fc.record(
  {
    id,
    role: fc.constant("tool"),
    toolCallId: id,
    content: fc.oneof({ weight: 4, arbitrary: text }, { weight: 1, arbitrary: parts }),
    error: text.filter((error) => error !== ""),
    metadata,
    encryptedValue: hostileText,
    subagentRunId: hostileText,
  },
  { requiredKeys: ["id", "role", "toolCallId", "content"] },
) as fc.Arbitrary<AgentToolMessage>;

/** A message as text, with its keys in one order: equal texts mean equal messages, own `__proto__` keys included. */
export function fingerprint(message: object): string {
  return JSON.stringify(Object.entries(message).sort(([a], [b]) => (a < b ? -1 : 1)));
}
