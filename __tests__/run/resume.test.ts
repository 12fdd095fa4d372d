import type { Interrupt, ResumeEntry } from "@ag-ui/client";
import { buildResume, readResume } from "../../src/run/resume";
import type { RunAgentExtendedInput } from "../../src/types";

const A = "a".repeat(32);
const B = "b".repeat(32);
const open = (...ids: string[]): Interrupt[] => ids.map((id) => ({ id, reason: "r" }));
const yes = (interruptId: string, payload?: unknown): ResumeEntry => ({
  interruptId,
  status: "resolved",
  payload,
});
const no = (interruptId: string): ResumeEntry => ({ interruptId, status: "cancelled" });

describe("buildResume", () => {
  it.each([["ok"], [{ answer: 1 }], [false], [0], [""]])(
    "gives one pending interrupt the bare payload %p",
    (payload) => {
      expect(buildResume([yes(A, payload)], open(A))).toEqual(payload);
    },
  );

  it("answers one of several by its id", () => {
    expect(buildResume([yes(A, "ok")], open(A, B))).toEqual({ [A]: "ok" });
  });

  it("answers several, one of them cancelled, by their ids", () => {
    expect(buildResume([yes(A, false), no(B)], open(A, B))).toEqual({
      [A]: false,
      [B]: { __agui_cancelled__: true, interrupt_id: B },
    });
  });

  it("maps a null payload, which LangGraph would take for no answer", () => {
    expect(buildResume([yes(A, null)], open(A))).toEqual({ [A]: null });
    expect(buildResume([yes(A)], open(A))).toEqual({ [A]: null });
  });

  it("gives ids that LangGraph cannot read in the official map", () => {
    expect(buildResume([yes("x", 1), no("y")], open("x", "y"))).toEqual({
      __agui_resume_map__: {
        x: { status: "resolved", payload: 1 },
        y: { status: "cancelled", payload: null },
      },
    });
  });

  it("maps a payload that LangGraph would take for a map of answers", () => {
    expect(buildResume([yes(A, { [B]: 1 })], open(A))).toEqual({ [A]: { [B]: 1 } });
  });
});

describe("readResume", () => {
  const input = (fields: object) => fields as unknown as RunAgentExtendedInput;
  const pending = { pending: () => open(A), said: () => undefined };

  it("prefers the client's entries over the legacy command", () => {
    const entries = [yes(A, 1)];
    const both = input({ resume: entries, forwardedProps: { command: { resume: "x" } } });
    expect(readResume(both, pending)).toEqual({ kind: "answers", entries, open: open(A) });
  });

  it("keeps answers to interrupts that are not pending away from those that are", () => {
    expect(readResume(input({ resume: [yes(B, "old")] }), pending)).toEqual({ kind: "stale" });
    expect(readResume(input({ resume: [yes(B, "old"), yes(A, "ok")] }), pending)).toMatchObject({
      kind: "answers",
      entries: [yes(A, "ok")],
    });
  });

  it("parses a legacy value that is JSON text, and keeps other text", () => {
    const legacy = (resume: unknown) =>
      readResume(input({ forwardedProps: { command: { resume } } }), pending);
    expect(legacy('{"a":1}')).toEqual({ kind: "legacy", value: { a: 1 } });
    expect(legacy("approve")).toEqual({ kind: "legacy", value: "approve" });
    expect(legacy(undefined)).toEqual({ kind: "none" });
  });

  it("takes what the user said for the answer only where there is no other", () => {
    const said = { pending: () => open(A), said: () => "yes, do" };
    expect(readResume(input({}), said)).toEqual({
      kind: "answers",
      entries: [yes(A, "yes, do")],
      open: open(A),
    });
    expect(readResume(input({ resume: [no(A)] }), said)).toMatchObject({ entries: [no(A)] });
    expect(readResume(input({ resume: [yes(B)] }), said)).toEqual({ kind: "stale" });
    const legacy = input({ forwardedProps: { command: { resume: "no" } } });
    expect(readResume(legacy, said)).toEqual({ kind: "legacy", value: "no" });
  });

  it.each([["x"], [[null]], [[{}]], [{}]])("takes %p for no answer", (resume) => {
    expect(readResume(input({ resume }), pending)).toEqual({ kind: "none" });
  });
});
