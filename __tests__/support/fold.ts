import {
  AbstractAgent,
  type BaseEvent,
  EventType,
  type Message,
  type RunAgentInput,
  type State,
  verifyEvents,
} from "@ag-ui/client";
import * as core from "@ag-ui/core";
import { from, Observable, type Subscriber } from "rxjs";
import { gateSubscriber } from "../../src/stream/gate";
import { createTranslator, type TranslationContext, type Translator } from "../../src/stream/translator";
import type { ProcessedEvents, StreamRow } from "../../src/types";

interface Schema {
  parse(event: unknown): unknown;
}

/** The schemas of the events, which the two versions of the client keep in two places. */
const old = (core as { EventSchemas?: Schema }).EventSchemas;
const schema: Schema =
  old ?? (jest.requireActual("@ag-ui/core/schemas") as { EventSchema: Schema }).EventSchema;

/** Whether the client of this project speaks protocol 1.0. */
export const protocol1 = old === undefined;

/** A real agent of the client whose run is a list of events: the client verifies and folds them as it does any run. */
class ReplayAgent extends AbstractAgent {
  constructor(
    private readonly events: readonly BaseEvent[],
    initialMessages: Message[],
  ) {
    super({ threadId: "thread", initialMessages });
  }

  run(_input: RunAgentInput): Observable<BaseEvent> {
    return new Observable((subscriber) => {
      for (const event of this.events) subscriber.next(event);
      subscriber.complete();
    });
  }
}

export interface Folded {
  messages: Message[];
  state: State;
}

/** What a client has after the events of a run. Rejects where the client refuses one of them. */
export async function fold(events: readonly ProcessedEvents[], before: Message[] = []): Promise<Folded> {
  const agent = new ReplayAgent(overTheWire(events), before);
  await agent.runAgent({ runId: "run" });
  return { messages: agent.messages, state: agent.state };
}

/** Throws where the client would refuse an event, for its shape or its place; checks that the run ends once, at last. */
export function expectAccepted(events: readonly ProcessedEvents[]): void {
  const sent = events.map(wellFormed);
  let refused: unknown;
  from(sent)
    .pipe(verifyEvents(false))
    .subscribe({
      error: (error) => {
        refused = error;
      },
    });
  if (refused) throw refused;
  const terminal = sent.map(({ type }) => type === EventType.RUN_FINISHED || type === EventType.RUN_ERROR);
  // `expect` is not for what is asked thousands of times: each call takes a stack
  const end = terminal.indexOf(true);
  if (end !== sent.length - 1)
    expect({ end, of: sent.length }).toEqual({ end: sent.length - 1, of: sent.length });
  const open = leftOpen(sent);
  if (open.length > 0) expect(open).toEqual([]);
}

const checked = new Map<string, BaseEvent>();

/** The event as a server would send it. Most events of a test's runs are the same: each is parsed once. */
function wellFormed(event: ProcessedEvents): BaseEvent {
  const text = JSON.stringify(event);
  const known = checked.get(text);
  if (known) return known;
  const sent: BaseEvent = JSON.parse(text);
  schema.parse(sent);
  checked.set(text, sent);
  return sent;
}

/** RUN_ERROR may come while something is open, as far as the verifier cares; ours closes it before. */
function leftOpen(events: readonly BaseEvent[]): string[] {
  const open = new Set<string>();
  for (const event of events) {
    const { type, messageId, toolCallId, stepName, subagentRunId } = event as BaseEvent &
      Record<string, unknown>;
    const id = type.startsWith("SUBAGENT") ? subagentRunId : (toolCallId ?? messageId ?? stepName);
    if (/(_START|_STARTED)$/.test(type) && type !== EventType.RUN_STARTED) open.add(`${kindOf(type)} ${id}`);
    if (/(_END|_FINISHED|SUBAGENT_ERROR)$/.test(type)) open.delete(`${kindOf(type)} ${id}`);
  }
  return [...open];
}

const kindOf = (type: string) => type.replace(/_(START|STARTED|END|FINISHED|ERROR)$/, "");

/** As a server would send them. */
function overTheWire(events: readonly ProcessedEvents[]): BaseEvent[] {
  return JSON.parse(JSON.stringify(events));
}

export interface Translation {
  events: ProcessedEvents[];
  debug: string[];
  translator: Translator;
}

/** The events of a whole run over these rows: started, translated, through the gate, and ended as the agent ends it. */
export function translateRun(
  rows: readonly StreamRow[],
  options: Partial<TranslationContext> = {},
): Translation {
  const events: ProcessedEvents[] = [];
  const debug: string[] = [];
  let ids = 0;
  const translator = createTranslator({
    run: { id: "run" },
    newId: () => `minted-${++ids}`,
    protocol1,
    knownMessages: [],
    // the message of the user that starts the run
    clientMessageIds: [...(options.knownMessages ?? []).flatMap(({ id }) => id ?? []), "u1"],
    pinTextMessages: false,
    rawEvents: "off",
    subgraphs: true,
    stateUpdates: "snapshot",
    stateSnapshot: (values) => values,
    debug: (message) => debug.push(message),
    ...options,
  });
  const collect = new Observable<ProcessedEvents>((subscriber) => {
    const gate = gateSubscriber(subscriber as Subscriber<ProcessedEvents>, (message) => debug.push(message));
    gate.next({ type: EventType.RUN_STARTED, threadId: "thread", runId: "run" } as ProcessedEvents);
    for (const row of rows) for (const event of translator.translate(row)) gate.next(event);
    for (const event of translator.end()) gate.next(event);
    const { error } = translator;
    gate.next(
      (error
        ? { type: EventType.RUN_ERROR, message: error.message }
        : { type: EventType.RUN_FINISHED, threadId: "thread", runId: "run" }) as ProcessedEvents,
    );
    gate.complete();
  });
  collect.subscribe((event) => events.push(event));
  return { events, debug, translator };
}

/** The events of subagents that do not come between their subagent's start and its end. */
export function outsideOfSubagents(events: readonly ProcessedEvents[]): unknown[] {
  const open = new Set<string>();
  return events.filter((event) => {
    const { type, subagentRunId } = event as { type: string; subagentRunId?: string };
    if (subagentRunId === undefined) return false;
    if (type === EventType.SUBAGENT_STARTED) open.add(subagentRunId);
    const isOutside = !open.has(subagentRunId);
    if (type === EventType.SUBAGENT_FINISHED || type === EventType.SUBAGENT_ERROR) open.delete(subagentRunId);
    return isOutside;
  });
}

/**
 * A message as far as live events and the checkpoint can both tell it: the error of a failed result travels in the
 * metadata, an assistant message that has only calls has no content yet, and whose a message is only the stream tells.
 */
export function comparable(message: Message): Record<string, unknown> {
  const {
    name: _,
    subagentRunId: _owner,
    metadata,
    error,
    content,
    toolCalls,
    ...rest
  } = message as unknown as Record<string, unknown>;
  const failure = error ?? (metadata as { error?: string } | undefined)?.error;
  const calls = Array.isArray(toolCalls) && toolCalls.length > 0 ? { toolCalls } : {};
  return { ...rest, ...calls, content: content ?? "", ...(failure === undefined ? {} : { error: failure }) };
}
