import { EventType } from "@ag-ui/client";
import type { ProcessedEvents } from "../types";
import type { TranslationContext } from "./context";
import type { Place } from "./row";

/** Nodes that LangGraph has for itself. */
const INTERNAL = new Set(["__start__", "__end__"]);

export interface Steps {
  /** A row of a task: its first one opens the step of its node. */
  visit(place: Place): void;
  enter(nodeName: string | undefined): void;
}

/** One step at a time. Tasks that run side by side do not take turns with every token: each opens its step once. */
export function createSteps(
  context: TranslationContext,
  emit: (event: ProcessedEvents) => void,
  onChange: () => void,
): Steps {
  const visited = new Set<string>();
  const { run } = context;

  const enter = (nodeName: string | undefined) => {
    const next = nodeName !== undefined && INTERNAL.has(nodeName) ? undefined : nodeName;
    if (next === run.nodeName) return;
    if (run.nodeName) emit({ type: EventType.STEP_FINISHED, stepName: run.nodeName });
    if (next) emit({ type: EventType.STEP_STARTED, stepName: next });
    run.prevNodeName = run.nodeName ?? null;
    run.nodeName = next;
    run.exitingNode = false;
    onChange();
  };

  return {
    visit({ node, task }) {
      if (node === undefined || INTERNAL.has(node)) return;
      const key = task || node;
      if (visited.has(key)) return;
      visited.add(key);
      enter(node);
    },
    enter,
  };
}
