import { EventType } from "@ag-ui/client";
import { isRecord } from "../messages/json";
import type { ProcessedEvents } from "../types";
import type { Raw } from "./raw";
import type { Origin } from "./row";
import type { States } from "./state";

/** A model has begun to call a tool. */
export type OnCallStart = (call: { id: string; name: string }, origin: Origin) => void;

/** Predictive state: the arguments of a call show the state before the graph has it. */
export function createPrediction(
  states: States,
  raw: Raw,
  emit: (event: ProcessedEvents) => void,
): OnCallStart {
  return ({ id, name }, origin) => {
    // CopilotKit's subclass makes its own PredictState of its own key.
    const { predict_state: ours, "copilotkit:emit-intermediate-state": theirs } = origin.metadata;
    if (predictsBy(ours, name)) {
      emit({ type: EventType.CUSTOM, name: "PredictState", value: ours, ...raw.of(origin) });
    }
    if (predictsBy(ours, name) || predictsBy(theirs, name)) states.predict(id, name);
  };
}

function predictsBy(predictions: unknown, tool: string): boolean {
  return Array.isArray(predictions) && predictions.some((one) => isRecord(one) && one.tool === tool);
}
