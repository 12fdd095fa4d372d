import { runKind } from "../../src/run/run-kind";
import type { AguiMessage, LangChainMessage } from "../../src/types";

const stored = (...ids: string[]): LangChainMessage[] =>
  ids.map((id) =>
    id.startsWith("u") ? { type: "human", id, content: id } : { type: "ai", id, content: id },
  );
const user = (id: string, content = id): AguiMessage => ({ id, role: "user", content });
const assistant = (id: string): AguiMessage => ({ id, role: "assistant", content: id });
const goesOn = { kind: "continue" };

describe("runKind", () => {
  it("goes on with a new message", () => {
    expect(runKind(stored("u1", "a1"), [user("u1"), assistant("a1"), user("u2")])).toEqual(goesOn);
  });

  it("goes on where the client lost the last snapshot and sends only what the checkpoint has", () => {
    expect(runKind(stored("u1", "a1", "u2", "a2"), [user("u1"), assistant("a1"), user("u2")])).toEqual(
      goesOn,
    );
  });

  it("goes on where the last user message is new, however much the checkpoint has", () => {
    expect(runKind(stored("u1", "a1", "u2", "a2"), [user("u1"), user("fresh")])).toEqual(goesOn);
  });

  it("starts again where some id is unknown and the last user message is known", () => {
    expect(runKind(stored("u1", "a1", "u2", "a2"), [user("u1"), assistant("other"), user("u2")])).toEqual({
      kind: "regenerate",
      messageId: "u2",
    });
  });

  it("starts again before a message whose text was edited", () => {
    expect(runKind(stored("u1", "a1"), [user("u1", "edited")])).toEqual({
      kind: "regenerate",
      messageId: "u1",
    });
  });

  it("does not take a tool result under another id for an unknown message", () => {
    const result: AguiMessage = { id: "t", role: "tool", toolCallId: "c", content: "ok" };
    expect(runKind(stored("u1", "a1", "a2"), [user("u1"), result])).toEqual(goesOn);
  });

  it("takes null entries and missing ids", () => {
    const odd = [null, { role: "user", content: "x" }] as unknown as AguiMessage[];
    expect(runKind(stored("u1"), odd)).toEqual(goesOn);
  });
});
