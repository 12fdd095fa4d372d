import type { BaseMessage } from "@langchain/core/messages";
import { messagesStateReducer } from "@langchain/langgraph";
import fc from "fast-check";
import { convertMessages } from "../../src/history/convert";
import { guardForModel } from "../../src/history/guard-for-model";
import { prepareHistory } from "../../src/history/prepare";
import { checkHistory } from "../../src/history/rules";
import { readMessage } from "../../src/messages/read-message";
import { aguiMessagesToLangChain } from "../../src/messages/to-langchain";
import type { LangChainMessage } from "../../src/types";
import { checkpoint, clientHistory, meeting, orderlyMeeting, TOOLS, validHistory } from "./arbitrary-history";

const RUNS = Number(process.env.HISTORY_RUNS ?? 5000);

const allowed = new Set(TOOLS);
const danglingCalls = fc.constantFrom("answer" as const, "demote" as const);

const plain = (messages: readonly unknown[]): LangChainMessage[] =>
  messages.flatMap((message) => readMessage(message) ?? []);

/** What a model reads of a history, without the ids that were made up on the way. */
const essence = (messages: readonly unknown[]) =>
  plain(messages).map((message) => ({
    type: message.type,
    id: message.id || undefined,
    content: message.content,
    ...(message.type === "ai" && {
      calls: (message.tool_calls ?? []).map(({ id, name, args }) => ({ id, name, args })),
    }),
    ...(message.type === "tool" && {
      callId: message.tool_call_id,
      name: message.name,
      status: message.status,
    }),
  }));

const userTexts = (messages: readonly LangChainMessage[]): string[] =>
  messages.flatMap((message) => {
    if (message.type !== "human") return [];
    const { content } = message;
    const blocks =
      typeof content === "string"
        ? [content]
        : content.map((block) => ("text" in block ? block.text : "image"));
    const text = blocks.filter((block) => block.trim() !== "").join("|");
    return text === "" ? [] : [text];
  });

/** Whether `part` is in `whole`, in its order. */
function isSubsequence(part: readonly unknown[], whole: readonly unknown[]): boolean {
  let at = 0;
  for (const item of whole) if (at < part.length && item === part[at]) at += 1;
  return at === part.length;
}

describe("a history with which nothing is wrong", () => {
  test("comes out as the plain conversion, with the names of the tools", () => {
    fc.assert(
      fc.property(validHistory, (history) => {
        const messages = convertMessages(history, allowed, { onRepair: fail });
        expect(messages.map(({ content, additional_kwargs }) => [content, additional_kwargs])).toEqual(
          aguiMessagesToLangChain(history).map(({ content, additional_kwargs = {} }) => [
            content,
            additional_kwargs,
          ]),
        );
        expect(essence(messages).map(({ id }) => id)).toEqual(history.map(({ id }) => id));
      }),
      { numRuns: RUNS / 5 },
    );
  });

  test("is sent to a thread that has a part of it without that part", () => {
    fc.assert(
      fc.property(validHistory, fc.nat(30), (history, cut) => {
        const known = history.findLastIndex(({ role }, at) => role === "user" && at <= cut);
        const before = history.slice(0, Math.max(known, 0));
        const checkpoint = convertMessages(before);
        const { update, rewrites } = prepareHistory({ checkpoint, input: history, onRepair: fail });
        expect(update.map(({ id }) => id)).toEqual(history.slice(before.length).map(({ id }) => id));
        expect(rewrites).toBe(false);
      }),
      { numRuns: RUNS / 5 },
    );
  });
});

describe("what a client sends", () => {
  test("comes out valid, stable, with every user text and in order", () => {
    fc.assert(
      fc.property(clientHistory, danglingCalls, (history, mode) => {
        const messages = convertMessages(history, allowed, { danglingCalls: mode });
        expect(checkHistory(messages, { liveEnd: true })).toEqual([]);
        const sent = aguiMessagesToLangChain(history);
        expect(userTexts(plain(messages))).toEqual(userTexts(sent));
        const others = (list: readonly LangChainMessage[]) =>
          list.filter(({ type }) => type !== "tool").map(({ id }) => id);
        expect(isSubsequence(others(plain(messages)), others(sent))).toBe(true);

        const closed = guardForModel(messages, { danglingCalls: mode });
        expect(checkHistory(closed)).toEqual([]);
        expect(guardForModel(closed, { danglingCalls: mode, onRepair: fail })).toEqual(closed);
      }),
      { numRuns: RUNS },
    );
  });

  test("keeps every genuine pair of call and result, and every failure's text", () => {
    fc.assert(
      fc.property(clientHistory, (history) => {
        const sent = aguiMessagesToLangChain(history);
        const messages = plain(convertMessages(history));
        for (const [id, result] of genuinePairs(sent)) {
          const kept = messages.filter((message) => message.type === "tool" && message.tool_call_id === id);
          expect(kept).toHaveLength(1);
          expect(kept[0]?.content).toEqual(result.content);
          const error = (result.additional_kwargs?.error as string | undefined)?.trim();
          if (error) expect(kept[0]?.content).toContain(error);
        }
      }),
      { numRuns: RUNS },
    );
  });
});

describe("what a checkpoint holds, joined with what a client sends", () => {
  test("ends, through LangGraph's own reducer, as the repaired history, which is valid", () => {
    fc.assert(
      fc.property(meeting, danglingCalls, ({ stored, input }, mode) => {
        const options = { danglingCalls: mode, allowedToolNames: allowed };
        const prepared = prepareHistory({ ...options, checkpoint: stored, input });
        expect(checkHistory(prepared.messages, { liveEnd: true, anyCallId: true })).toEqual([]);

        const after = messagesStateReducer(stored, prepared.update as unknown as BaseMessage[]);
        expect(withoutMinted(essence(after), prepared.messages)).toEqual(essence(prepared.messages));

        const closed = guardForModel(after, { danglingCalls: mode });
        expect(checkHistory(closed)).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  test("is left alone once it is repaired", () => {
    fc.assert(
      fc.property(meeting, danglingCalls, ({ stored, input }, mode) => {
        const options = { danglingCalls: mode, allowedToolNames: allowed };
        const first = prepareHistory({ ...options, checkpoint: stored, input });
        const after = messagesStateReducer(stored, first.update as unknown as BaseMessage[]);
        expect(prepareHistory({ ...options, checkpoint: after, input: [] }).update).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  test("does not change when a client that saw nothing of it sends the same again", () => {
    fc.assert(
      fc.property(orderlyMeeting, ({ stored, input }) => {
        const first = prepareHistory({ checkpoint: stored, input });
        const after = messagesStateReducer(stored, first.update as unknown as BaseMessage[]);
        const again = prepareHistory({ checkpoint: after, input });
        expect(again.update).toEqual([]);
        expect(again.rewrites).toBe(false);
      }),
      { numRuns: RUNS },
    );
  });

  test("loses no user text", () => {
    fc.assert(
      fc.property(checkpoint, clientHistory, (stored, input) => {
        const { messages } = prepareHistory({ checkpoint: stored, input });
        const known = new Map(plain(stored).map((message) => [message.id, message.type]));
        const fresh = aguiMessagesToLangChain(input).filter(({ id, type }) => !id || known.get(id) !== type);
        const kept = new Set(userTexts(messages));
        for (const text of [...userTexts(plain(stored)), ...userTexts(fresh)]) expect(kept).toContain(text);
      }),
      { numRuns: RUNS },
    );
  });
});

function fail(repair: unknown): never {
  throw new Error(`Nothing was wrong, but it was repaired: ${JSON.stringify(repair)}`);
}

/** Messages without an id get one from the reducer. */
function withoutMinted(messages: ReturnType<typeof essence>, expected: readonly LangChainMessage[]) {
  return messages.map((message, at) => (expected[at]?.id ? message : { ...message, id: undefined }));
}

const PLACEHOLDER = /Forwarded to client|interrupted before completion|another message came in/;

/** Calls whose id is used once, with the first real result behind them. */
function genuinePairs(messages: readonly LangChainMessage[]) {
  const calls = messages.flatMap((message, at) =>
    message.type === "ai" ? (message.tool_calls ?? []).map(({ id }) => ({ id, at })) : [],
  );
  return calls.flatMap(({ id, at }) => {
    if (!id || !/^[\w-]{1,64}$/.test(id) || calls.filter((call) => call.id === id).length > 1) return [];
    const result = messages
      .slice(at)
      .find(
        (message) =>
          message.type === "tool" &&
          message.tool_call_id === id &&
          !(
            PLACEHOLDER.test(String(message.content)) &&
            !String(message.additional_kwargs?.error ?? "").trim()
          ),
      );
    return result ? [[id, result] as const] : [];
  });
}
