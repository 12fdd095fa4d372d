import {
  AIMessage,
  AIMessageChunk,
  type BaseMessage,
  ChatMessage,
  FunctionMessage,
  HumanMessage,
  type ToolMessage,
} from "@langchain/core/messages";
import { messagesStateReducer } from "@langchain/langgraph";
import { type PrepareHistoryOptions, prepareHistory } from "../../src/history/prepare";
import { checkHistory } from "../../src/history/rules";
import { langchainMessagesToAgui } from "../../src/messages/to-agui";
import type { AguiMessage } from "../../src/types";
import { ai, answered, called, human, result, said, user } from "./messages";

const UNANSWERED = "The tool call was never answered: the run ended before its result came.";

/** Prepares a run, and lets LangGraph's own reducer do what the run's input says. */
function run(checkpoint: unknown[], input: AguiMessage[], options: Partial<PrepareHistoryOptions> = {}) {
  const prepared = prepareHistory({ checkpoint, input, ...options });
  const after = messagesStateReducer(
    checkpoint as BaseMessage[],
    prepared.update as unknown as BaseMessage[],
  );
  expect(after.map(lineOf)).toEqual(prepared.messages.map((message) => lineOf(message)));
  return { ...prepared, after, lines: after.map(lineOf), kinds: prepared.repairs.map(({ kind }) => kind) };
}

function lineOf(message: { type: string; id?: string; content: unknown }): string {
  const { tool_calls: calls = [], tool_call_id: callId } = message as unknown as ToolMessage & AIMessage;
  const of = callId === undefined ? calls.map(({ id }) => ` ${id}`).join("") : ` ${callId}`;
  const content = typeof message.content === "string" ? message.content : JSON.stringify(message.content);
  return `${message.id} ${message.type}${of}: ${content}`;
}

describe("when nothing is wrong, only what is new is sent", () => {
  const stored = [human("u", "hi"), ai("a", "", "c1"), result("t", "c1", "ok"), ai("b", "done")];

  test("after a whole history", () => {
    const { update, rewrites, repairs } = run(stored, [
      ...langchainMessagesToAgui(stored),
      user("v", "more"),
    ]);
    expect(update).toEqual([expect.objectContaining({ type: "human", id: "v", content: "more" })]);
    expect(rewrites).toBe(false);
    expect(repairs).toEqual([]);
  });

  test("after the last message only", () => {
    expect(run(stored, [user("v", "more")]).update).toHaveLength(1);
  });

  test("with results under other message ids than the checkpoint's", () => {
    const sent = langchainMessagesToAgui(stored).map((message) =>
      message.role === "tool" ? { ...message, id: "other" } : message,
    );
    const { update, repairs } = run(stored, [...sent, user("v", "more")]);
    expect(update).toHaveLength(1);
    expect(repairs).toEqual([]);
  });

  test("with an assistant message under another id than the checkpoint's", () => {
    const sent = [user("u", "hi"), called("streamed", "c1"), answered("x", "c1", "ok"), user("v", "more")];
    expect(run(stored, sent).lines).toEqual([
      "u human: hi",
      "a ai c1: ",
      "t tool c1: ok",
      "b ai: done",
      "v human: more",
    ]);
  });

  test("with a checkpoint of instances", () => {
    const instances = [
      new HumanMessage({ id: "u", content: "hi" }),
      new AIMessageChunk({ id: "a", content: "yes" }),
    ];
    expect(run(instances, [user("u", "hi"), user("v", "more")]).update).toHaveLength(1);
  });

  test("with the system message of the client, which the graph has its own of", () => {
    const system = { id: "s", role: "system", content: "be kind" } as AguiMessage;
    expect(run(stored, [system, user("u", "hi"), user("v", "more")]).update).toHaveLength(1);
  });

  test("the answer to the call that the thread waits for", () => {
    const waiting = [human("u", "hi"), ai("a", "", "c1", "c2"), result("t", "c1", "ok")];
    const { update, lines, repairs } = run(waiting, [
      ...langchainMessagesToAgui(waiting),
      answered("f", "c2", "clicked"),
    ]);
    expect(update).toHaveLength(1);
    expect(lines.slice(2)).toEqual(["t tool c1: ok", "f tool c2: clicked"]);
    expect(update[0]).toMatchObject({ name: "search" });
    expect(repairs).toEqual([]);
  });
});

describe("a dead thread comes back", () => {
  test("after a call that was never answered", () => {
    const { lines, update, rewrites, kinds } = run(
      [human("u", "hi"), ai("a", "", "c1"), human("v", "hello?")],
      [user("w", "still there?")],
    );
    expect(lines).toEqual([
      "u human: hi",
      "a ai c1: ",
      `unanswered-c1 tool c1: ${UNANSWERED}`,
      "v human: hello?",
      "w human: still there?",
    ]);
    expect(kinds).toEqual(["dangling-call"]);
    expect(rewrites).toBe(true);
    expect(update[0]).toMatchObject({ type: "remove", id: "__remove_all__" });
    expect(update).toHaveLength(6);
  });

  test("with no rewriting where the call is at the end", () => {
    const { update, rewrites } = run([human("u", "hi"), ai("a", "", "c1")], [user("w", "still there?")]);
    expect(update.map(({ type }) => type)).toEqual(["tool", "human"]);
    expect(rewrites).toBe(false);
  });

  test("with the calls taken out where that is wanted", () => {
    const { update, lines } = run(
      [human("u", "hi"), ai("a", "a moment", "c1"), human("v", "?")],
      [user("w", "!")],
      { danglingCalls: "demote" },
    );
    expect(update.map(({ type, id }) => `${type} ${id}`)).toEqual(["ai a", "human w"]);
    expect(lines[1]).toBe("a ai: a moment");
  });

  test("after an orphan", () => {
    const { update, lines, kinds } = run(
      [human("u", "hi"), result("t", "lost", "x"), ai("a", "yes")],
      [user("w", "more")],
    );
    expect(update.map(({ type, id }) => `${type} ${id}`)).toEqual(["remove t", "human w"]);
    expect(lines).toEqual(["u human: hi", "a ai: yes", "w human: more"]);
    expect(kinds).toEqual(["orphan-result"]);
  });

  test("after a duplicate", () => {
    const { update, kinds } = run(
      [ai("a", "", "c1"), result("t", "c1", "one"), result("d", "c1", "two")],
      [user("w", "more")],
    );
    expect(update.map(({ type, id }) => `${type} ${id}`)).toEqual(["remove d", "human w"]);
    expect(kinds).toEqual(["duplicate-result"]);
  });

  test.each([
    "Forwarded to client",
    "Tool call 'search' with id 'c1' was interrupted before completion.",
    UNANSWERED,
  ])("with a late real result for a placeholder, under the placeholder's message id: %s", (text) => {
    const stored = [ai("a", "", "c1"), result("t", "c1", text), ai("b", "hm")];
    const { update, lines, kinds } = run(stored, [
      ...langchainMessagesToAgui(stored),
      answered("late", "c1", "real"),
      user("w", "more"),
    ]);
    expect(update.map(({ type, id }) => `${type} ${id}`)).toEqual(["tool t", "human w"]);
    expect(lines).toEqual(["a ai c1: ", "t tool c1: real", "b ai: hm", "w human: more"]);
    expect(kinds).toEqual(["placeholder-replaced"]);
  });

  test("with a real result under the placeholder's own message id", () => {
    const stored = [ai("a", "", "c1"), result("t", "c1", "Forwarded to client")];
    expect(run(stored, [called("a", "c1"), answered("t", "c1", "real")]).lines).toEqual([
      "a ai c1: ",
      "t tool c1: real",
    ]);
  });

  test("with results out of their place", () => {
    const stored = [human("u", "hi"), ai("a", "", "B", "F"), result("tb", "B", "ok"), ai("b", "and?")];
    const { lines, rewrites, kinds } = run(stored, [
      ...langchainMessagesToAgui(stored),
      answered("tf", "F", "clicked"),
    ]);
    expect(lines).toEqual(["u human: hi", "a ai B F: ", "tb tool B: ok", "tf tool F: clicked", "b ai: and?"]);
    expect(rewrites).toBe(true);
    expect(kinds).toEqual(["result-moved"]);
  });

  test("with one call id for every call, as some models give them", () => {
    const stored = [
      ai("a", "", "call_0"),
      result("t", "call_0", "one"),
      human("u", "again"),
      ai("b", "", "call_0"),
    ];
    const { lines, after } = run(stored, [
      ...langchainMessagesToAgui(stored),
      answered("x", "call_0", "two"),
      user("w", "more"),
    ]);
    expect(lines).toEqual([
      "a ai call_0: ",
      "t tool call_0: one",
      "u human: again",
      "b ai call_0-2: ",
      "x tool call_0-2: two",
      "w human: more",
    ]);
    // A client that has not seen the new id is understood.
    const again = [
      ...langchainMessagesToAgui(stored),
      answered("y", "call_0", "two"),
      user("w", "more"),
      user("z", "and more"),
    ];
    expect(run(after, again).update).toHaveLength(1);
  });

  test("with arguments that could not be read, which only invalid_tool_calls has", () => {
    const broken = {
      type: "ai",
      id: "a",
      content: "",
      tool_calls: [],
      invalid_tool_calls: [
        { id: "c1", name: "search", args: '{"q":', type: "invalid_tool_call", error: "bad" },
      ],
      additional_kwargs: {
        tool_calls: [{ id: "c1", type: "function", function: { name: "search", arguments: '{"q":' } }],
      },
    };
    // LangChain warns of the raw calls when it reads what the checkpoint holds.
    const warn = jest.spyOn(console, "warn").mockImplementation(() => {});
    const { after, lines, kinds } = run([broken], [user("w", "?")]);
    warn.mockRestore();
    expect(lines).toEqual(["a ai c1: ", `unanswered-c1 tool c1: ${UNANSWERED}`, "w human: ?"]);
    expect(kinds).toEqual(["arguments-replaced", "dangling-call"]);
    const [message] = after as AIMessage[];
    expect(message?.invalid_tool_calls).toEqual([]);
    expect(message?.additional_kwargs.tool_calls).toBeUndefined();
    // The client gets back what the model wrote.
    expect(langchainMessagesToAgui(after)[0]).toMatchObject({
      toolCalls: [{ function: { arguments: '{"q":' } }],
    });
  });
});

describe("calls that the run still answers are left alone", () => {
  const stored = [human("u", "hi"), ai("a", "", "c1")];

  test("at the live end", () => {
    expect(run(stored, [user("u", "hi"), called("a", "c1")]).update).toEqual([]);
  });

  test("by their id, also when a user message comes with the resume", () => {
    const { kinds } = run(stored, [user("w", "yes")], { openCallIds: ["c1"] });
    expect(kinds).toEqual([]);
  });

  test("but not where the run starts anew from there", () => {
    expect(run(stored, [], { inputIsLive: false }).kinds).toEqual(["dangling-call"]);
  });

  test("and take no placeholder from the client", () => {
    const { update } = run(stored, [called("a", "c1"), answered("p", "c1", "Forwarded to client")], {
      openCallIds: ["c1"],
    });
    expect(update).toEqual([]);
  });
});

describe("what the checkpoint holds", () => {
  test("gets the names of the tools where results lack them or have others", () => {
    const stored = [
      ai("a", "", "c1", "c2"),
      result("t", "c1", "x", { name: undefined }),
      result("r", "c2", "y", { name: "other" }),
    ];
    const { after, update, rewrites, kinds } = run(stored, [user("w", "more")]);
    expect(after.slice(1, 3).map(({ name }) => name)).toEqual(["search", "search"]);
    expect(update).toHaveLength(3);
    expect(rewrites).toBe(false);
    expect(kinds).toEqual(["tool-name-restored", "tool-name-restored"]);
  });

  test("keeps ids that some provider's pattern refuses: only a model is shown others", () => {
    const { update, repairs } = run(
      [ai("a", "", "call:1"), result("t", "call:1", "ok")],
      [user("w", "more")],
    );
    expect(update).toHaveLength(1);
    expect(repairs).toEqual([]);
  });

  test("loses messages of types that no provider knows, and maps what has a counterpart", () => {
    const stored = [
      new HumanMessage({ id: "u", content: "hi" }),
      new FunctionMessage({ id: "f", name: "f", content: "x" }),
      new ChatMessage({ id: "c", role: "user", content: "me" }),
      new ChatMessage({ id: "m", role: "model", content: "you" }),
    ];
    const { lines, kinds, rewrites } = run(stored, [user("w", "more")]);
    expect(lines).toEqual(["u human: hi", "c human: me", "m ai: you", "w human: more"]);
    expect(kinds).toEqual(["message-skipped", "role-mapped", "role-mapped"]);
    expect(rewrites).toBe(false);
  });

  test("may have results with images: those stay", () => {
    const image = [{ type: "image_url", image_url: { url: "https://x.org/a.png" } }];
    const { update, repairs } = run([ai("a", "", "c1"), result("t", "c1", image)], [user("w", "more")]);
    expect(update).toHaveLength(1);
    expect(repairs).toEqual([]);
  });

  test("has the texts of a result in one string, and no key that a provider acts on", () => {
    const texts = [
      { type: "text", text: "one" },
      { type: "text", text: "two" },
    ];
    const stored = [
      ai("a", "", "c1"),
      result("t", "c1", texts, { additional_kwargs: { type: "x", kept: 1 } }),
    ];
    const { after, kinds } = run(stored, [user("w", "more")]);
    expect(after[1]).toMatchObject({ content: "onetwo", additional_kwargs: { kept: 1 } });
    expect(after[1]?.additional_kwargs).not.toHaveProperty("type");
    expect(kinds).toEqual(["reserved-key"]);
  });

  test("keeps what marks the results of OpenAI's custom tools", () => {
    const stored = [
      {
        ...ai("a", ""),
        tool_calls: [
          { id: "c1", name: "search", args: { input: "x" }, type: "tool_call", isCustomTool: true },
        ],
      },
      result("t", "c1", "ok", { additional_kwargs: { customTool: true } }),
    ];
    expect(run(stored, [user("w", "more")]).update).toHaveLength(1);
  });

  test("changes a call in all the places where a provider's package looks for it", () => {
    const first = ai("a", "", "x");
    const second = new AIMessage({
      id: "b",
      content: [
        { type: "text", text: "look" },
        { type: "tool_use", id: "x", name: "search", input: {} },
      ],
      tool_calls: [{ id: "x", name: "search", args: { q: 2 }, type: "tool_call" }],
      additional_kwargs: { __gemini_function_call_thought_signatures__: { x: "signature" } },
      response_metadata: { output: [{ type: "function_call", call_id: "x" }], model: "m" },
    });
    const { after } = run(
      [first, result("t", "x", "one"), second, result("r", "x", "two")],
      [user("w", "more")],
    );
    expect(after[2]).toMatchObject({
      content: [
        { type: "text", text: "look" },
        { type: "tool_use", id: "x-2", name: "search", input: { q: 2 } },
      ],
      tool_calls: [{ id: "x-2" }],
      additional_kwargs: { __gemini_function_call_thought_signatures__: { "x-2": "signature" } },
    });
    expect(after[2]?.response_metadata).toEqual({ model: "m" });
    expect(after[3]).toMatchObject({ tool_call_id: "x-2" });
  });
});

describe("what the client sends", () => {
  test("without ids is known again, and what is said twice is said twice", () => {
    const nameless = (content: string) => ({ role: "user", content }) as AguiMessage;
    const first = run([], [nameless("hi")]);
    const answer = new AIMessage({ id: "a", content: "hello" });
    const stored = [...first.after, answer];
    const whole = run(stored, [nameless("hi"), said("a", "hello"), nameless("hi")]);
    expect(whole.after.map(({ content }) => content)).toEqual(["hi", "hello", "hi"]);
    const last = run(stored, [nameless("hi")]);
    expect(last.after.map(({ content }) => content)).toEqual(["hi", "hello", "hi"]);
    expect(last.kinds).toEqual(["message-id-missing"]);
  });

  test("under the id of another message is not lost", () => {
    const { after } = run(
      [human("1", "hi"), ai("2", "hello")],
      [user("1", "hi"), user("2", "one"), user("3", "two"), user("3", "three")],
    );
    expect(after.map(({ content }) => content)).toEqual(["hi", "hello", "one", "two", "three"]);
    expect(new Set(after.map(({ id }) => id)).size).toBe(5);
  });

  test("may be the result of a call that the checkpoint has as a text", () => {
    const stored = [human("u", "hi"), ai("a", '[search(q="x")]')];
    const { after, kinds } = run(stored, [answered("t", "c9", "ok"), user("w", "more")], {
      allowedToolNames: ["search"],
    });
    expect(after[1]).toMatchObject({
      id: "a",
      content: "",
      tool_calls: [{ id: "c9", name: "search", args: { q: "x" } }],
    });
    expect(after[2]).toMatchObject({ id: "t", tool_call_id: "c9", name: "search" });
    expect(kinds).toEqual(["text-call-promoted"]);
  });

  test("that differs from a real result of the checkpoint is dropped and reported", () => {
    const stored = [ai("a", "", "c1"), result("t", "c1", "one")];
    const { lines, kinds } = run(stored, [called("a", "c1"), answered("x", "c1", "two"), user("w", "more")]);
    expect(lines[1]).toBe("t tool c1: one");
    expect(kinds).toEqual([]);
  });
});

test("a repaired history breaks none of the rules that providers have in common", () => {
  const stored = [
    human("u", ""),
    ai("a", "", "c1", "c1", ""),
    result("t", "c1", ""),
    human("v", "hi"),
    result("x", "zz", "lost"),
  ];
  const { messages } = run(stored, [answered("y", "c1", "late", { error: "boom" }), user("w", "more")]);
  expect(checkHistory(stored, { anyCallId: true }).length).toBeGreaterThan(3);
  expect(checkHistory(messages, { anyCallId: true })).toEqual([]);
});
