import { EventType } from "@ag-ui/client";
import type { AnyEvent } from "./gate";

export interface Spans {
  /** Why the client would refuse the event now; `undefined` where it would not. */
  refusal(event: AnyEvent): string | undefined;
  /** The event has passed. */
  note(event: AnyEvent): void;
  /** The events that close what is open before the run's terminal event, the innermost first. */
  closeAll(terminal: AnyEvent): AnyEvent[];
}

/** A kind of span: the field that names it, and the event that closes it. */
interface Kind {
  key: string;
  closedBy: EventType;
}

const KINDS = {
  text: { key: "messageId", closedBy: EventType.TEXT_MESSAGE_END },
  call: { key: "toolCallId", closedBy: EventType.TOOL_CALL_END },
  thought: { key: "messageId", closedBy: EventType.REASONING_MESSAGE_END },
  reasoning: { key: "messageId", closedBy: EventType.REASONING_END },
  step: { key: "stepName", closedBy: EventType.STEP_FINISHED },
  subagent: { key: "subagentRunId", closedBy: EventType.SUBAGENT_FINISHED },
} satisfies Record<string, Kind>;

type KindName = keyof typeof KINDS;
type Part = "open" | "go on" | "close";

/** What each event does to which span. */
const EFFECTS: Partial<Record<string, [KindName, Part]>> = {
  [EventType.TEXT_MESSAGE_START]: ["text", "open"],
  [EventType.TEXT_MESSAGE_CONTENT]: ["text", "go on"],
  [EventType.TEXT_MESSAGE_END]: ["text", "close"],
  [EventType.TOOL_CALL_START]: ["call", "open"],
  [EventType.TOOL_CALL_ARGS]: ["call", "go on"],
  [EventType.TOOL_CALL_END]: ["call", "close"],
  [EventType.REASONING_START]: ["reasoning", "open"],
  [EventType.REASONING_END]: ["reasoning", "close"],
  [EventType.REASONING_MESSAGE_START]: ["thought", "open"],
  [EventType.REASONING_MESSAGE_CONTENT]: ["thought", "go on"],
  [EventType.REASONING_MESSAGE_END]: ["thought", "close"],
  [EventType.STEP_STARTED]: ["step", "open"],
  [EventType.STEP_FINISHED]: ["step", "close"],
  [EventType.SUBAGENT_STARTED]: ["subagent", "open"],
  [EventType.SUBAGENT_FINISHED]: ["subagent", "close"],
  [EventType.SUBAGENT_ERROR]: ["subagent", "close"],
};

/** Fields that the client takes only as text. */
const TEXT_FIELDS: Partial<Record<string, readonly string[]>> = {
  [EventType.TEXT_MESSAGE_CONTENT]: ["delta"],
  [EventType.TOOL_CALL_START]: ["toolCallName"],
  [EventType.TOOL_CALL_ARGS]: ["delta"],
  [EventType.TOOL_CALL_RESULT]: ["messageId", "toolCallId"],
  [EventType.REASONING_MESSAGE_CONTENT]: ["delta"],
  [EventType.REASONING_ENCRYPTED_VALUE]: ["entityId", "encryptedValue"],
  [EventType.CUSTOM]: ["name"],
  [EventType.SUBAGENT_STARTED]: ["name"],
  [EventType.SUBAGENT_ERROR]: ["message"],
};

interface Span {
  kind: KindName;
  id: string;
  owner?: string;
}

export function createSpans(): Spans {
  const open = new Map<string, Span>();
  const finishedSubagents = new Set<string>();

  const spanOf = (event: AnyEvent): [Span, Part] | undefined => {
    const effect = EFFECTS[event.type];
    if (!effect) return undefined;
    const [kind, part] = effect;
    const owner = kind === "step" ? event.subagentRunId : undefined;
    const id = event[KINDS[kind].key];
    return [{ kind, id: id as string, ...(typeof owner === "string" ? { owner } : {}) }, part];
  };

  const refusal = (event: AnyEvent): string | undefined => {
    for (const field of TEXT_FIELDS[event.type] ?? []) {
      if (typeof event[field] !== "string") return `${field} is no text`;
    }
    if (event.type === EventType.CUSTOM && event.value === undefined) return "it has no value";
    const effect = spanOf(event);
    if (!effect) return undefined;
    const [span, part] = effect;
    if (typeof span.id !== "string") return `${KINDS[span.kind].key} is no text`;
    if (part !== "open") return open.has(keyOf(span)) ? undefined : `no ${span.kind} of this id is open`;
    if (open.has(keyOf(span))) return `a ${span.kind} of this id is open`;
    return span.kind === "subagent" ? subagentRefusal(event) : undefined;
  };

  const subagentRefusal = ({ subagentRunId, parentSubagentRunId: parent }: AnyEvent): string | undefined => {
    if (finishedSubagents.has(subagentRunId as string)) return "the subagent has finished";
    if (parent === undefined || finishedSubagents.has(parent as string)) return undefined;
    const isOpen = typeof parent === "string" && open.has(keyOf({ kind: "subagent", id: parent }));
    return isOpen ? undefined : "its parent has not started";
  };

  return {
    refusal,
    note(event) {
      const effect = spanOf(event);
      if (!effect) return;
      const [span, part] = effect;
      if (part === "open") open.set(keyOf(span), span);
      if (part !== "close") return;
      open.delete(keyOf(span));
      if (span.kind === "subagent") finishedSubagents.add(span.id);
    },
    closeAll(terminal) {
      const spans = [...open.values()].reverse();
      open.clear();
      const failure = failureOf(terminal);
      return spans.map(({ kind, id, owner }) => {
        const closing = { [KINDS[kind].key]: id, ...(owner === undefined ? {} : { subagentRunId: owner }) };
        if (kind === "subagent" && failure) return { type: EventType.SUBAGENT_ERROR, ...closing, ...failure };
        return { type: KINDS[kind].closedBy, ...closing };
      });
    },
  };
}

/** What a subagent that has not come to its end failed of: finished, it would have succeeded. */
function failureOf({ type, message, code, outcome }: AnyEvent): object | undefined {
  if (type === EventType.RUN_ERROR) {
    return { message: typeof message === "string" ? message : "The run failed.", ...(code ? { code } : {}) };
  }
  const isCancelled = (outcome as { type?: unknown } | undefined)?.type === "cancelled";
  return isCancelled ? { message: "The run was cancelled.", code: "cancelled" } : undefined;
}

function keyOf({ kind, id, owner }: Span): string {
  return JSON.stringify([kind, id, owner]);
}
