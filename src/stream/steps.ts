import { EventType, type StepFinishedEvent, type StepStartedEvent } from "@ag-ui/client";
import type { ProcessedEvents } from "../types";
import type { TranslationContext } from "./context";
import type { Place } from "./row";

/** Nodes that LangGraph has for itself. */
const INTERNAL = new Set(["__start__", "__end__"]);

export interface Steps {
  /** A row of a task: its first one opens the step of its node. */
  visit(place: Place): void;
  enter(nodeName: string | undefined): void;
  /** The step that a subagent has left open. */
  closing(subagentRunId: string, parentRunId: string | undefined): ProcessedEvents[];
  end(): void;
}

type StepEvent = StepStartedEvent | StepFinishedEvent;

/**
 * One step at a time, and one of each subagent. Tasks that run side by side do not take turns with every token: each
 * opens its step once.
 */
export function createSteps(
  context: TranslationContext,
  subagentOf: (place: Place) => string | undefined,
  emit: (event: ProcessedEvents) => void,
  onChange: () => void,
): Steps {
  const visited = new Set<string>();
  const open = new Map<string | undefined, string>();
  const { run } = context;

  const step = (type: StepEvent["type"], stepName: string, owner: string | undefined) =>
    ({ type, stepName, ...(owner !== undefined && { subagentRunId: owner }) }) as StepEvent;

  const nowIn = (node: string | undefined) => {
    if (node === run.nodeName) return;
    run.prevNodeName = run.nodeName ?? null;
    run.nodeName = node;
    run.exitingNode = false;
    onChange();
  };

  const enter = (nodeName: string | undefined, owner: string | undefined) => {
    const next = nodeName !== undefined && INTERNAL.has(nodeName) ? undefined : nodeName;
    const before = open.get(owner);
    if (next !== before) {
      if (before) emit(step(EventType.STEP_FINISHED, before, owner));
      if (next) {
        open.set(owner, next);
        emit(step(EventType.STEP_STARTED, next, owner));
      } else open.delete(owner);
    }
    nowIn(next);
  };

  return {
    visit(place) {
      const { node, task } = place;
      if (node === undefined || INTERNAL.has(node)) return;
      const key = task || node;
      if (visited.has(key)) return;
      visited.add(key);
      enter(node, subagentOf(place));
    },
    enter: (nodeName) => enter(nodeName, undefined),
    closing(subagentRunId, parentRunId) {
      const left = open.get(subagentRunId);
      if (left === undefined) return [];
      open.delete(subagentRunId);
      nowIn(open.get(parentRunId));
      return [step(EventType.STEP_FINISHED, left, subagentRunId)];
    },
    end() {
      for (const owner of [...open.keys()].reverse()) enter(undefined, owner);
    },
  };
}
