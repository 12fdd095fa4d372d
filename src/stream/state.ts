import { EventType } from "@ag-ui/client";
import { idOf, isRecord, jsonText } from "../messages/json";
import type { ProcessedEvents, State } from "../types";
import type { Interrupt, TranslationContext } from "./context";
import type { Raw } from "./raw";
import type { Origin } from "./row";
import { patchBetween, sameJson } from "./state-diff";

export interface States {
  readonly values: State;
  readonly interrupts: Interrupt[];
  /** A `values` row of the root graph. */
  update(row: Record<string, unknown>): void;
  /** Whatever a row says of interrupts. */
  noteInterrupts(row: Record<string, unknown>): void;
  /** The graph sets the client's state by hand. */
  setByHand(value: unknown, origin: Origin): void;
  /** A custom event of a node: a subclass may make a state of it by hand. */
  noteCustom(origin: Origin): void;
  /** A node has ended: what it set by hand gives way to what the graph has. */
  nodeEnded(node: string | undefined): void;
  /** The arguments of this call predict the state, so the graph's own is not shown until it has ended. */
  predict(callId: string, tool: string): void;
  toolEnded(callId: string | undefined, tool: string | undefined): void;
}

/** Where rows tell the interrupts of a graph. */
export const INTERRUPT = "__interrupt__";

export function createStates(
  context: TranslationContext,
  raw: Raw,
  emit: (event: ProcessedEvents) => void,
): States {
  const { run } = context;
  const predicted = new Map<string, string>();
  const interrupts = new Map<string, Interrupt>();
  let values: State = {};
  let shown: { values: State; snapshot: State } | undefined;
  let handNode: string | undefined;

  const noteInterrupts = (row: Record<string, unknown>) => {
    const list = row[INTERRUPT];
    if (!Array.isArray(list)) return;
    for (const interrupt of list) {
      if (isRecord(interrupt)) interrupts.set(idOf(interrupt.id) ?? jsonText(interrupt), interrupt);
    }
  };

  const show = () => {
    if (run.manuallyEmittedState || predicted.size > 0) return;
    // The messages have events of their own.
    const { messages: _, ...withoutMessages } = values;
    if (shown && sameJson(shown.values, withoutMessages)) return;
    const snapshot = context.stateSnapshot(withoutMessages);
    if (!isRecord(snapshot) || (!shown && Object.keys(snapshot).length === 0)) return;
    const before = shown?.snapshot;
    if (before && sameJson(before, snapshot)) return;
    shown = { values: withoutMessages, snapshot };
    if (context.stateUpdates === "delta" && before) emitDelta(before, snapshot);
    else emit({ type: EventType.STATE_SNAPSHOT, snapshot });
  };

  const emitDelta = (before: State, after: State) => {
    const delta = patchBetween(before, after);
    if (delta.length > 0) emit({ type: EventType.STATE_DELTA, delta });
  };

  return {
    get values() {
      return values;
    },
    get interrupts() {
      return [...interrupts.values()];
    },
    noteInterrupts,
    update(row) {
      noteInterrupts(row);
      const { [INTERRUPT]: _, ...rest } = row;
      // A row that only tells of an interrupt says nothing of the state.
      if (INTERRUPT in row && Object.keys(rest).length === 0) return;
      values = rest;
      show();
    },
    setByHand(value, origin) {
      run.manuallyEmittedState = isRecord(value) ? value : null;
      handNode = origin.place.node;
      shown = undefined;
      if (!isRecord(value)) return;
      emit({ type: EventType.STATE_SNAPSHOT, snapshot: context.stateSnapshot(value), ...raw.of(origin) });
    },
    noteCustom(origin) {
      handNode = origin.place.node;
    },
    nodeEnded(node) {
      if (!run.manuallyEmittedState || (handNode !== undefined && node !== handNode)) return;
      run.manuallyEmittedState = null;
      shown = undefined;
    },
    predict(callId, tool) {
      predicted.set(callId, tool);
      run.modelMadeToolCall = true;
    },
    toolEnded(callId, tool) {
      for (const [id, name] of predicted) {
        if (id !== callId && name !== tool) continue;
        predicted.delete(id);
        // The client shows what was predicted; what the graph has must come even if it is what it was.
        shown = undefined;
      }
      run.modelMadeToolCall = predicted.size > 0;
    },
  };
}
