import {
  AIMessage,
  AIMessageChunk,
  type BaseMessage,
  ChatMessage,
  FunctionMessage,
  HumanMessage,
  RemoveMessage,
  SystemMessage,
  ToolMessage,
} from "@langchain/core/messages";
import fc from "fast-check";
import { readMessage } from "../../src/messages/read-message";
import { langchainMessagesToAgui } from "../../src/messages/to-agui";
import type { AguiMessage } from "../../src/types";

/** The tools of the generated histories; `__proto__` because some client will name one so. */
export const TOOLS = ["search", "look", "__proto__", "constructor"];

const name = fc.constantFrom(...TOOLS);

/** Few ids, so that they meet; some that no provider takes. */
const callId = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom("c1", "c2", "c3", "c4", "c5", "c6") },
  { weight: 1, arbitrary: fc.constantFrom("", "call 0!", "x".repeat(90), "ü\u0000", "__proto__", "c1-2") },
);

const rawArguments = fc.oneof(
  { weight: 4, arbitrary: fc.json({ maxDepth: 1 }).map((json) => `{"q":${json}}`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('{"q":', "{}{}", "[1]", '""', "", "null", "nonsense", '{"__proto__":{"a":1}}'),
  },
);

const textCall = fc.constantFrom(
  '[search(q="x", n=2)]',
  '<tool_call>{"name":"look","arguments":{"q":"x"}}</tool_call>',
  "<function=search>{}</function>",
  "[unknown()]",
);

const placeholder = fc.constantFrom(
  "Forwarded to client",
  "Tool call 'search' with id 'c1' was interrupted before completion.",
  "Tool call look with id c2 was cancelled - another message came in before it could be completed.",
);

const said = fc.oneof(
  { weight: 6, arbitrary: fc.nat(9999).map((n) => `text ${n}`) },
  { weight: 1, arbitrary: fc.constantFrom("", " ", "\n") },
);

const parts = fc.array(
  fc.oneof(
    said.map((text) => ({ type: "text" as const, text })),
    fc.constant({
      type: "image" as const,
      source: { type: "data" as const, value: "iVBORw0KGgo=", mimeType: "image/png" },
    }),
  ),
  { maxLength: 3 },
);

const resultText = fc.oneof(
  { weight: 6, arbitrary: fc.nat(9999).map((n) => `result ${n}`) },
  { weight: 1, arbitrary: fc.constant("") },
  { weight: 2, arbitrary: placeholder },
);

const failure = fc.oneof(
  { weight: 3, arbitrary: fc.constant(undefined) },
  fc.constantFrom("boom", "quota exceeded", " "),
);

const id = fc.oneof(
  { weight: 30, arbitrary: fc.nat(60).map((n) => `m${n}`) },
  { weight: 1, arbitrary: fc.constantFrom("", undefined) },
);

const aguiMessage = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ id, role: fc.constant("user"), content: fc.oneof(said, said, parts) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ id, role: fc.constant("assistant"), content: fc.oneof(said, said, textCall) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      id,
      role: fc.constant("assistant"),
      content: fc.oneof(said, fc.constant(undefined)),
      toolCalls: fc.array(
        fc.record({
          id: callId,
          type: fc.constant("function"),
          function: fc.record({ name, arguments: rawArguments }),
        }),
        { minLength: 1, maxLength: 3 },
      ),
    }),
  },
  {
    weight: 7,
    arbitrary: fc.record({
      id,
      role: fc.constant("tool"),
      toolCallId: callId,
      content: fc.oneof(resultText, resultText, parts),
      error: failure,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<unknown>(
      { id: "s", role: "system", content: "be kind" },
      { id: "d", role: "developer", content: "be kind" },
      { id: "r", role: "reasoning", content: "hm" },
      { id: "a", role: "activity", activityType: "x", content: {} },
      { id: "u", role: "wizard", content: "x" },
      { role: "user" },
      { role: "tool" },
      { role: "assistant", toolCalls: [null, {}, { id: 7, function: null }] },
      null,
      undefined,
      7,
      "text",
    ),
  },
);

/** A client's history, made without mercy. */
export const clientHistory: fc.Arbitrary<AguiMessage[]> = fc
  .array(aguiMessage, { maxLength: 12 })
  .map((messages) => messages as AguiMessage[]);

/** `__proto__` and `lc` are taken out of arguments, which is a repair. */
const harmlessJson = fc.json({ maxDepth: 1 }).filter((json) => !/__proto__|"lc"|\\u/.test(json));

const turn = fc.record({
  question: fc.string({ minLength: 1 }).map((text) => `?${text}`),
  calls: fc.array(
    fc.record({
      name: fc.constantFrom("search", "look"),
      args: harmlessJson,
      failed: fc.boolean(),
    }),
    {
      maxLength: 3,
    },
  ),
  answer: fc.string().map((text) => `!${text}`),
});

/** A history with which nothing is wrong. */
export const validHistory: fc.Arbitrary<AguiMessage[]> = fc.array(turn, { maxLength: 6 }).map((turns) =>
  turns.flatMap(({ question, calls, answer }, at): AguiMessage[] => {
    const toolCalls = calls.map(({ name: tool, args: json }, nth) => ({
      id: `call_${at}_${nth}`,
      type: "function" as const,
      function: { name: tool, arguments: `{"q":${json}}` },
    }));
    const results = calls.map(({ failed }, nth) => ({
      id: `t${at}-${nth}`,
      role: "tool" as const,
      toolCallId: `call_${at}_${nth}`,
      content: failed ? "" : `result ${nth}`,
      ...(failed && { error: "boom" }),
    }));
    return [
      { id: `u${at}`, role: "user", content: question },
      ...(calls.length > 0
        ? [{ id: `c${at}`, role: "assistant" as const, content: "", toolCalls }, ...results]
        : []),
      { id: `a${at}`, role: "assistant", content: answer },
    ];
  }),
);

const args = fc.oneof(
  { weight: 5, arbitrary: fc.record({ q: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>('{"q":1}', '{"q":', [1], null, undefined) },
);

const nativeCalls = fc.array(
  fc.record({ id: fc.oneof({ weight: 12, arbitrary: callId }, fc.constant(undefined)), name, args }),
  { minLength: 1, maxLength: 3 },
);

/** The forms in which providers' packages leave calls in a message. */
const callForm = fc.constantFrom("plain", "blocks", "raw", "invalid", "chunk");

const aiWithCalls = fc
  .tuple(id, said, nativeCalls, callForm)
  .map(([messageId, text, calls, form]): BaseMessage => {
    const toolCalls = calls.map((call) => ({
      ...call,
      type: "tool_call" as const,
    })) as AIMessage["tool_calls"];
    const base = { id: messageId, content: text, tool_calls: toolCalls };
    switch (form) {
      case "blocks":
        return new AIMessage({
          ...base,
          content: [
            { type: "text", text },
            ...calls.map((call) => ({ type: "tool_use", id: call.id, name: call.name, input: call.args })),
          ],
        });
      case "raw":
        return new AIMessage({
          ...base,
          additional_kwargs: {
            tool_calls: calls.map((call) => ({
              id: call.id ?? "",
              type: "function",
              function: { name: call.name, arguments: JSON.stringify(call.args) ?? "" },
            })),
          },
        });
      case "invalid":
        return new AIMessage({
          id: messageId,
          content: text,
          tool_calls: toolCalls?.slice(1),
          invalid_tool_calls: [
            {
              id: calls[0]?.id ?? "",
              name: calls[0]?.name,
              args: '{"q":',
              type: "invalid_tool_call",
              error: "bad",
            },
          ],
        });
      case "chunk":
        return new AIMessageChunk(base);
      default:
        return new AIMessage(base);
    }
  });

const toolMessage = fc
  .record({
    id,
    tool_call_id: callId,
    content: fc.oneof(
      { weight: 5, arbitrary: resultText },
      fc.array(
        said.map((text) => ({ type: "text", text })),
        { maxLength: 2 },
      ),
    ),
    status: fc.constantFrom("success", "error", undefined),
    name: fc.option(name, { nil: undefined }),
    additional_kwargs: fc.constantFrom({}, {}, {}, { error: "boom" }, { tool_calls: [], type: "x" }),
  })
  .map((fields): BaseMessage => new ToolMessage(fields as ConstructorParameters<typeof ToolMessage>[0]));

const storedMessage = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(id, said).map(([i, content]): BaseMessage => new HumanMessage({ id: i, content })),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(id, fc.oneof(said, textCall))
      .map(([i, content]): BaseMessage => new AIMessage({ id: i, content })),
  },
  { weight: 5, arbitrary: aiWithCalls },
  { weight: 7, arbitrary: toolMessage },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom<() => BaseMessage>(
        () => new SystemMessage({ id: "sys", content: "be kind" }),
        () => new RemoveMessage({ id: "gone" }),
        () => new FunctionMessage({ id: "fn", name: "f", content: "x" }),
        () => new ChatMessage({ id: "chat", role: "user", content: "chat text" }),
        () => new ChatMessage({ id: "chat", role: "wizard", content: "chat text" }),
      )
      .map((make) => make()),
  },
);

/** What a checkpoint may hold; each id once, as LangGraph's reducer keeps it. */
export const checkpoint: fc.Arbitrary<BaseMessage[]> = fc
  .array(storedMessage, { maxLength: 10 })
  .map((messages) => [...new Map(messages.map((message, at) => [message.id ?? at, message])).values()]);

/** A checkpoint and what a client sends for it: its own copy, in part and under other result ids, and new messages. */
export const meeting = meetingWith(checkpoint, clientHistory, "any");

/** The same with ids as LangGraph and clients make them: each message and each call has its own. */
export const orderlyMeeting = meetingWith(
  checkpoint.map(orderlyCheckpoint),
  clientHistory.map(orderlyClient),
  "last",
);

function orderlyCheckpoint(stored: readonly BaseMessage[]): BaseMessage[] {
  const used = new Set<string>();
  return stored.flatMap((message, at) => {
    const { tool_calls: calls = [], invalid_tool_calls: invalid = [] } = message as AIMessage;
    if (![...calls, ...invalid].every((call) => isFresh(call.id, used))) return [];
    const id = `${message.type}-${message.id || `stored-${at}`}`;
    return [Object.assign(Object.create(Object.getPrototypeOf(message)), message, { id })];
  });
}

function orderlyClient(messages: readonly AguiMessage[]): AguiMessage[] {
  const used = new Set<string>();
  return messages.flatMap((message) => {
    if (!message?.id || !isFresh(`message ${message.id}`, used)) return [];
    const { toolCalls = [], toolCallId } = message as { toolCalls?: { id: string }[]; toolCallId?: string };
    if (!toolCalls.every((call) => isFresh(call?.id, used))) return [];
    // Most results of the client are for its own calls, some for the checkpoint's.
    const own = toolCalls.map((call) => ({ ...call, id: `own-${call.id}` }));
    return [
      {
        ...message,
        id: `${message.role}-${message.id}`,
        ...(toolCalls.length > 0 && { toolCalls: own }),
        ...(toolCallId && used.has(toolCallId) && { toolCallId: `own-${toolCallId}` }),
      } as AguiMessage,
    ];
  });
}

function isFresh(id: string | undefined, used: Set<string>): boolean {
  if (!id || used.has(id)) return false;
  used.add(id);
  return true;
}

function meetingWith(
  stores: fc.Arbitrary<BaseMessage[]>,
  clients: fc.Arbitrary<AguiMessage[]>,
  missing: "any" | "last",
) {
  return fc
    .tuple(stores, clients, fc.infiniteStream(fc.nat(9)), fc.nat(12))
    .map(([stored, fresh, dice, cut]) => {
      const known = langchainMessagesToAgui(missing === "last" ? stored.slice(0, cut) : stored);
      const echo = known.flatMap((message): AguiMessage[] => {
        const thrown = dice.next().value;
        if (thrown === 0 && missing === "any") return [];
        if (thrown < 3 && message.role === "tool") return [{ ...message, id: `again-${message.id}` }];
        return [message];
      });
      // Instances print as nothing that could be read in a counterexample.
      const show = () => JSON.stringify(stored.map((message) => readMessage(message)));
      return {
        stored: Object.assign([...stored], { [fc.toStringMethod]: show }),
        input: [...echo, ...fresh],
      };
    });
}
