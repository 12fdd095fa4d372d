import type { Interrupt, ResumeEntry, RunAgentInput } from "@ag-ui/client";
import type { Interrupt as LangGraphInterrupt } from "@langchain/langgraph-sdk";

/** Key of the resume value that a graph gets for an interrupt that the user cancelled. */
export const DEFAULT_RESUME_SENTINEL_CANCELLED = "__agui_cancelled__";

/** Key of the resume value that a graph gets for several answers at once, in the official adapter's form. */
export const DEFAULT_RESUME_SENTINEL_MAP = "__agui_resume_map__";

/** An interrupt as servers send it: newer ones add fields that the SDK's type does not have. */
type WireInterrupt = LangGraphInterrupt & { ns?: string[]; resumable?: boolean; when?: string };

function record(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

function firstString(fields: Record<string, unknown> | undefined, ...keys: string[]): string | undefined {
  for (const key of keys) {
    const value = fields?.[key];
    if (typeof value === "string") return value;
  }
  return undefined;
}

/**
 * A LangGraph interrupt as an AG-UI interrupt.
 *
 * A value that is an object gives `reason`, `message`, `toolCallId`, `responseSchema` and `expiresAt` (also
 * in snake case); a string is the message. The value itself is kept under `metadata.langgraph.raw`.
 *
 * @throws Error when the interrupt has no `id`: without it an answer cannot find its way back.
 * @see https://docs.ag-ui.com/concepts/interrupts
 */
export function langGraphInterruptToAGUI(interrupt: LangGraphInterrupt): Interrupt {
  const { id, value: raw, ns, resumable, when } = interrupt as WireInterrupt;
  if (!id) {
    throw new Error(
      "A LangGraph interrupt has no `id`, so an answer could not be matched to it. " +
        "Use a LangGraph version whose interrupts carry ids (@langchain/langgraph 0.4 or newer).",
    );
  }
  const fields = record(raw);
  const message = typeof raw === "string" ? raw : firstString(fields, "message");
  const toolCallId = firstString(fields, "toolCallId", "tool_call_id");
  const responseSchema = record(fields?.responseSchema) ?? record(fields?.response_schema);
  const expiresAt = firstString(fields, "expiresAt", "expires_at");
  return {
    id,
    reason: firstString(fields, "reason") ?? "langgraph:interrupt",
    ...(message !== undefined && { message }),
    ...(toolCallId !== undefined && { toolCallId }),
    ...(responseSchema !== undefined && { responseSchema }),
    ...(expiresAt !== undefined && { expiresAt }),
    metadata: { langgraph: { raw, ns, resumable, when } },
  };
}

/** {@link langGraphInterruptToAGUI} for a list. */
export function langGraphInterruptsToAGUI(interrupts: readonly LangGraphInterrupt[]): Interrupt[] {
  return interrupts.map(langGraphInterruptToAGUI);
}

/** Whether a run resumes through `forwardedProps.command.resume` alone, as clients did before `RunAgentInput.resume`. */
export function isLegacyCommandResume(input: RunAgentInput): boolean {
  return input.forwardedProps?.command?.resume !== undefined && !input.resume?.length;
}

/**
 * Lets a legacy resume through the client's check of pending interrupts, which knows only
 * `RunAgentInput.resume`: the agent forgets the interrupts that it tracks, the graph still has them.
 */
export function reconcileLegacyResumeInterrupts(
  agent: { pendingInterrupts: Interrupt[] },
  input: RunAgentInput,
): void {
  if (agent.pendingInterrupts?.length && isLegacyCommandResume(input)) agent.pendingInterrupts = [];
}

/**
 * Lets a message of the user through that check where it may be the answer (`resumeWithUserMessage`). Interrupts that it
 * does not answer are shown again by the run.
 */
export function letUserMessageAnswer(
  agent: { pendingInterrupts: Interrupt[] },
  { resume, messages }: RunAgentInput,
): void {
  if (agent.pendingInterrupts?.length && !resume?.length && messages?.at(-1)?.role === "user")
    agent.pendingInterrupts = [];
}

/** The answer to one interrupt as the graph's `interrupt()` returns it. */
export function resumeValue(entry: ResumeEntry): unknown {
  return entry.status === "cancelled"
    ? { [DEFAULT_RESUME_SENTINEL_CANCELLED]: true, interrupt_id: entry.interruptId }
    : entry.payload;
}

/**
 * AG-UI resume entries as the value of LangGraph's `Command.resume`, in the official adapter's shapes: one
 * entry gives its bare payload (or the cancelled sentinel), several give a map by interrupt id under
 * {@link DEFAULT_RESUME_SENTINEL_MAP}.
 */
export function buildLgCommandResumeFromAgui(entries: readonly ResumeEntry[]): unknown {
  const [only] = entries;
  if (only && entries.length === 1) return resumeValue(only);
  return {
    [DEFAULT_RESUME_SENTINEL_MAP]: Object.fromEntries(
      entries.map(({ interruptId, status, payload }) => [interruptId, { status, payload: payload ?? null }]),
    ),
  };
}
