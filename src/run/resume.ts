import type { Interrupt, ResumeEntry } from "@ag-ui/client";
import type { RunAgentExtendedInput } from "../types";
import { buildLgCommandResumeFromAgui, resumeValue } from "./interrupts";

/** LangGraph takes a resume value as a map of answers only when every key is such an id. */
const INTERRUPT_HASH = /^[0-9a-f]{32}$/;

/**
 * The value of `Command.resume` for the client's answers: a map by interrupt id where several interrupts
 * are pending and LangGraph can read one, also when only some are answered; the bare payload where one is.
 */
export function buildResume(entries: readonly ResumeEntry[], openInterrupts: readonly Interrupt[]): unknown {
  const mappable = entries.every(({ interruptId }) => INTERRUPT_HASH.test(interruptId));
  const [only] = entries;
  const bare = entries.length === 1 && openInterrupts.length <= 1 && only && isBare(resumeValue(only));
  if (mappable && !bare) {
    return Object.fromEntries(entries.map((entry) => [entry.interruptId, resumeValue(entry) ?? null]));
  }
  return buildLgCommandResumeFromAgui(entries);
}

/** LangGraph takes a bare null for no answer at all, and an object whose keys are all such ids for a map of answers. */
function isBare(value: unknown): boolean {
  if (value == null) return false;
  return typeof value !== "object" || !Object.keys(value).every((key) => INTERRUPT_HASH.test(key));
}

/** How a run answers the interrupts that its thread waits for. */
export type Resume =
  | { kind: "none"; value?: undefined }
  /** Answers to interrupts that are not pending: clicked twice, or from another tab. They must not answer others. */
  | { kind: "stale"; value?: undefined }
  | { kind: "answers"; entries: ResumeEntry[]; open: Interrupt[] }
  /** `forwardedProps.command.resume`, which names no interrupt. JSON text is parsed. */
  | { kind: "legacy"; value: unknown };

export function readResume(
  input: RunAgentExtendedInput,
  thread: {
    pending(): Interrupt[];
    /** What the user has said where that answers the one interrupt that is pending. */
    said(): string | undefined;
  },
): Resume {
  const given = Array.isArray(input.resume) ? input.resume.filter((entry) => entry?.interruptId) : [];
  if (given.length > 0) {
    const open = thread.pending();
    const entries = given.filter(({ interruptId }) => open.some(({ id }) => id === interruptId));
    return entries.length > 0 ? { kind: "answers", entries, open } : { kind: "stale" };
  }
  const value = parseJsonText(input.forwardedProps?.command?.resume);
  if (value !== undefined) return { kind: "legacy", value };
  const said = thread.said();
  if (said === undefined) return { kind: "none" };
  const open = thread.pending();
  return {
    kind: "answers",
    entries: open.map(({ id }) => ({ interruptId: id, status: "resolved", payload: said })),
    open,
  };
}

function parseJsonText(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
