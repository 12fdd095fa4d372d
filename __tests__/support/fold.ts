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
  const sent = overTheWire(events);
  for (const event of sent) schema.parse(event);
  let refused: unknown;
  from(sent)
    .pipe(verifyEvents(false))
    .subscribe({
      error: (error) => {
        refused = error;
      },
    });
  expect(refused).toBeUndefined();
  const terminal = sent.map(({ type }) => type === EventType.RUN_FINISHED || type === EventType.RUN_ERROR);
  expect(terminal.indexOf(true)).toBe(sent.length - 1);
  expectClosed(sent);
}

/** RUN_ERROR may come while something is open, as far as the verifier cares; ours closes it before. */
function expectClosed(events: readonly BaseEvent[]): void {
  const open = new Set<string>();
  for (const event of events) {
    const { type, messageId, toolCallId, stepName, subagentRunId } = event as BaseEvent &
      Record<string, unknown>;
    const id = type.startsWith("SUBAGENT") ? subagentRunId : (toolCallId ?? messageId ?? stepName);
    if (/(_START|_STARTED)$/.test(type) && type !== EventType.RUN_STARTED) open.add(`${kindOf(type)} ${id}`);
    if (/(_END|_FINISHED|SUBAGENT_ERROR)$/.test(type)) open.delete(`${kindOf(type)} ${id}`);
  }
  expect([...open]).toEqual([]);
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

/**
 * A message as far as live events can tell it: the error of a failed result travels in the metadata, and an assistant
 * message that has only calls has no content yet.
 */
export function comparable(message: Message): Record<string, unknown> {
  const {
    name: _,
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
