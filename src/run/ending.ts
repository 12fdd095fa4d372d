import { EventType, type Interrupt, type RunFinishedEvent, type TokenUsage } from "@ag-ui/client";
import type { Interrupt as LangGraphInterrupt } from "@langchain/langgraph-sdk";
import { LangGraphEventTypes, type ProcessedEvents } from "../types";

/** How a run that did not fail has ended. */
export type Ending =
  | { kind: "done"; pendingToolCallIds?: readonly string[] }
  | { kind: "cancelled" }
  | { kind: "interrupted"; waiting: readonly LangGraphInterrupt[]; interrupts: Interrupt[] };

export interface EndingContext {
  threadId: string;
  runId: string;
  usage?: TokenUsage[];
  /** Whether the client speaks protocol 1.0. */
  protocol1: boolean;
  /** Announce interrupts as CUSTOM `on_interrupt`. */
  legacyInterrupts: boolean;
  /** Put interrupts into the outcome. */
  structuredInterrupts: boolean;
}

/** The events that end a run. */
export function endingEvents(ending: Ending, context: EndingContext): ProcessedEvents[] {
  const { threadId, runId, usage } = context;
  const outcome = outcomeOf(ending, context);
  const finished: RunFinishedEvent = {
    type: EventType.RUN_FINISHED,
    threadId,
    runId,
    ...(usage && { usage }),
    ...(outcome && { outcome }),
  };
  const announced = ending.kind === "interrupted" && context.legacyInterrupts ? ending.waiting : [];
  return [...announced.map(announce), finished];
}

function outcomeOf(ending: Ending, context: EndingContext): RunFinishedEvent["outcome"] {
  switch (ending.kind) {
    case "interrupted":
      return context.structuredInterrupts ? { type: "interrupt", interrupts: ending.interrupts } : undefined;
    case "cancelled":
      return context.protocol1 ? { type: "cancelled" } : undefined;
    case "done": {
      const { pendingToolCallIds } = ending;
      if (!context.protocol1 || !pendingToolCallIds?.length) return undefined;
      return { type: "success", pendingToolCallIds: [...pendingToolCallIds] };
    }
  }
}

function announce(interrupt: LangGraphInterrupt): ProcessedEvents {
  const { value } = interrupt;
  return {
    type: EventType.CUSTOM,
    name: LangGraphEventTypes.OnInterrupt,
    value: typeof value === "string" ? value : JSON.stringify(value),
    rawEvent: interrupt,
  };
}
