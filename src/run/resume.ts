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
  const open = new Set(openInterrupts.map(({ id }) => id));
  const answering = entries.some(({ interruptId }) => open.has(interruptId))
    ? entries.filter(({ interruptId }) => open.has(interruptId))
    : entries;
  const mappable = answering.every(({ interruptId }) => INTERRUPT_HASH.test(interruptId));
  const [only] = answering;
  // LangGraph takes a bare null for no answer at all, so that a null payload needs the map.
  const bare = answering.length === 1 && open.size <= 1 && only && resumeValue(only) != null;
  if (mappable && !bare) {
    return Object.fromEntries(answering.map((entry) => [entry.interruptId, resumeValue(entry) ?? null]));
  }
  return buildLgCommandResumeFromAgui(answering);
}

/** The client's answers, and the legacy value of `forwardedProps.command.resume` (JSON text is parsed). */
export function readResume(input: RunAgentExtendedInput): { entries?: ResumeEntry[]; legacy?: unknown } {
  const entries = input.resume?.length ? input.resume : undefined;
  const legacy = input.forwardedProps?.command?.resume;
  return { entries, legacy: entries ? undefined : parseJsonText(legacy) };
}

function parseJsonText(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
