import { markedPrivate, withoutPrivate } from "../../src/messages/private";
import type { AguiMessage } from "../../src/types";

const user = (id: string): AguiMessage => ({ id, role: "user", content: "hi" });
const said = (id: string, subagentRunId?: string): AguiMessage => ({
  id,
  role: "assistant",
  content: id,
  ...(subagentRunId && { subagentRunId }),
});
const thought = (id: string, subagentRunId?: string): AguiMessage =>
  ({ id, role: "reasoning", content: id, ...(subagentRunId && { subagentRunId }) }) as AguiMessage;
const ids = (messages: readonly AguiMessage[]) => messages.map(({ id }) => id);

test("what a nested agent said to itself stays out of the history, with its reasoning", () => {
  const messages = [user("u1"), thought("t1", "s"), said("a1", "s"), thought("t2"), said("a2"), user("u2")];
  expect(ids(withoutPrivate(messages, new Set(["u1", "a2"])))).toEqual(["u1", "t2", "a2", "u2"]);
});

test("what the thread has of a nested graph stays", () => {
  const messages = [user("u1"), thought("t1", "s"), said("a1", "s"), user("u2")];
  expect(ids(withoutPrivate(messages, new Set(["u1", "a1"])))).toEqual(["u1", "t1", "a1", "u2"]);
});

test("where the thread holds nothing, the client's history is all there is but what is marked", () => {
  const messages = [
    user("u1"),
    said("a1", "s"),
    markedPrivate(thought("t2", "s2")),
    markedPrivate(said("a2", "s2")),
    user("u2"),
  ];
  expect(ids(withoutPrivate(messages, new Set()))).toEqual(["u1", "a1", "u2"]);
});

test("the mark leaves a message's own metadata alone", () => {
  const message: AguiMessage = { ...said("a1", "s"), metadata: { mine: 1 } };
  expect(markedPrivate(message).metadata).toMatchObject({ mine: 1 });
});
