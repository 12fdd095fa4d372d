import { EventType } from "@ag-ui/client";
import { Subscriber } from "rxjs";
import type { ProcessedEvents } from "../types";
import { createAttribution } from "./attribution";
import { createSpans } from "./spans";

/** An event as it may come from a subclass: of any type, with any fields. */
export type AnyEvent = { type: string; [key: string]: unknown };

/**
 * The last thing that every event of a run passes, whoever sends it. The client refuses a whole run for one event that
 * is out of order, so such an event is dropped here, with a debug line; what is open is closed before the run's one
 * terminal event; and nothing comes after it.
 *
 * Completing without a terminal event, or with an error, gives RUN_ERROR: a run that did not say how it ended has not
 * succeeded.
 *
 * @param downstream Where the events go. Unsubscribing it closes the gate.
 * @param debug Told of what is dropped, by type and id.
 */
export function gateSubscriber(
  downstream: Subscriber<ProcessedEvents>,
  debug: (message: string) => void,
): Subscriber<ProcessedEvents> {
  const spans = createSpans();
  const attribution = createAttribution();
  let started = false;
  let ended = false;

  const pass = (event: AnyEvent) => downstream.next(event as ProcessedEvents);

  const end = (event: AnyEvent) => {
    for (const closing of spans.closeAll(event)) pass(closing);
    ended = true;
    pass(event);
  };

  const next = (value: ProcessedEvents) => {
    const event = readEvent(value);
    if (!event) return debug("an event without a type was dropped");
    const why = refusal(event);
    if (why) return debug(`${event.type}${idOf(event)} was dropped: ${why}`);
    if (event.type === EventType.RUN_STARTED) started = true;
    if (event.type === EventType.RUN_FINISHED || event.type === EventType.RUN_ERROR) return end(event);
    const attributed = attribution.correct(event);
    spans.note(attributed);
    pass(attributed);
  };

  const refusal = (event: AnyEvent): string | undefined => {
    if (ended) return "the run has ended";
    if (event.type === EventType.RUN_STARTED) return started ? "the run has started" : undefined;
    if (!started && event.type !== EventType.RUN_ERROR) return "the run has not started";
    return spans.refusal(event);
  };

  const fail = (message: string) => {
    if (!ended) end({ type: EventType.RUN_ERROR, message });
    downstream.complete();
  };

  const gate = new Subscriber<ProcessedEvents>({
    next,
    error: (error: unknown) => fail(messageOf(error)),
    complete: () => (ended ? downstream.complete() : fail("The run ended without a result.")),
  });
  downstream.add(gate);
  return gate;
}

/** A copy without what the client refuses in any event; `undefined` for what is no event. */
function readEvent(value: unknown): AnyEvent | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const event = value as AnyEvent;
  if (typeof event.type !== "string") return undefined;
  const { rawEvent, metadata, subagentRunId } = event;
  if (rawEvent !== null && metadata !== null && subagentRunId !== null) return event;
  return Object.fromEntries(
    Object.entries(event).filter(([key, field]) => field !== null || !NULL_MEANS_ABSENT.has(key)),
  ) as AnyEvent;
}

const NULL_MEANS_ABSENT = new Set(["rawEvent", "metadata", "subagentRunId"]);

function idOf({ messageId, toolCallId, stepName, entityId }: AnyEvent): string {
  const id = toolCallId ?? messageId ?? stepName ?? entityId;
  return typeof id === "string" ? ` ${id}` : "";
}

function messageOf(error: unknown): string {
  if (typeof error === "string" && error !== "") return error;
  const message: unknown =
    typeof error === "object" && error !== null && "message" in error ? error.message : undefined;
  return typeof message === "string" && message !== "" ? message : "The run failed.";
}
