import { EventType } from "@ag-ui/client";
import { isRecord, textOrNothing } from "../messages/json";
import type { ProcessedEvents, StreamRow } from "../types";
import type { StreamError, TranslationContext, Translator } from "./context";
import { createConversation } from "./conversation";
import { createCorrections } from "./corrections";
import { createCustoms } from "./custom";
import { createPrediction } from "./prediction";
import { createRaw } from "./raw";
import { createReasonings } from "./reasoning";
import { type Origin, type Row, readRow } from "./row";
import { createShownMessages } from "./shown-messages";
import { createSpeech } from "./speech";
import { createStates, INTERRUPT } from "./state";
import { createSteps } from "./steps";
import { createSubagents } from "./subagents";
import { createTexts } from "./text";
import { createToolCalls } from "./tool-calls";
import { createToolResults } from "./tool-results";
import { createUsages } from "./usage";

export type { TranslationContext, Translator } from "./context";

/**
 * Translates the rows of a LangGraph stream, from a server or from a graph in this process, into AG-UI events.
 *
 * A fact that several stream modes tell is taken from the one that tells it first. The start and the end of the run,
 * and its final snapshots, are not the translator's.
 */
export function createTranslator(context: TranslationContext): Translator {
  const { run, hiddenMessages = new Set<string>() } = context;
  const seen = new Set<string>();
  const hasSeen = (mode: string) => seen.has(mode);
  const shown = createShownMessages({
    protocol1: context.protocol1,
    clientMessages: context.clientMessages ?? [],
    held: context.held ?? [],
    before: [context.knownMessages, context.nestedMessages ?? []],
    hideSubgraphs: context.hideSubgraphs,
    hiddenMessages,
  });
  const corrections = createCorrections(context, shown);
  const subagents = createSubagents(context, hasSeen, (id, parentId) => steps.closing(id, parentId));
  const { isHidden } = subagents;
  const openCalls = new Map<string, string>();
  let events: ProcessedEvents[] = [];
  let error: StreamError | undefined;

  const emit = (event: ProcessedEvents) => {
    const { subagentRunId } = event as { subagentRunId?: string };
    if (subagentRunId !== undefined) events.push(...subagents.opening(subagentRunId));
    if (event.type === EventType.TOOL_CALL_START) openCalls.set(event.toolCallId, event.toolCallName);
    else if (event.type === EventType.TOOL_CALL_RESULT) {
      openCalls.delete(event.toolCallId);
      calls.noteResult(event.toolCallId);
    }
    corrections.note(event);
    shown.note(event);
    events.push(event);
  };

  const raw = createRaw(context.rawEvents, subagents.of);
  const texts = createTexts(context, raw, emit);
  const steps = createSteps(context, subagents.of, emit, texts.nodeChanged);
  const states = createStates(context, raw, emit);
  const calls = createToolCalls(raw, emit, createPrediction(states, raw, emit), hiddenMessages);
  const results = createToolResults(context, raw, calls, emit, hasSeen, isHidden, (id) =>
    states.toolEnded(id, undefined),
  );
  const reasonings = createReasonings(context, raw, emit);
  const speech = createSpeech({ texts, calls, reasonings, usages: createUsages(context) });
  const customs = createCustoms(context, raw, { texts, calls, states }, isHidden, emit);
  const machines = { texts, calls, results, speech, corrections, shown };
  const conversation = createConversation(context, machines, hasSeen, isHidden);

  const isShown = ({ place }: Origin) => context.subgraphs || place.graph === "";

  function enter(origin: Origin) {
    noteServerRun(origin.metadata.run_id);
    if (!isHidden(origin.place)) steps.visit(origin.place);
  }

  function noteServerRun(id: unknown) {
    if (!textOrNothing(id)) return;
    run.serverRunId = String(id);
    run.serverRunIdKnown = true;
  }

  function onEvent(origin: Origin, data: Record<string, unknown>) {
    if (isShown(origin) && !isHidden(origin.place)) for (const event of raw.event(origin, data)) emit(event);
    if (origin.event === "on_custom_event") return onCustomEvent(origin);
    if (!isShown(origin)) return;
    switch (origin.event) {
      case "on_chat_model_stream":
        return conversation.modelSaid(data.chunk, origin);
      case "on_chat_model_end":
        return conversation.modelEnded(data.output, origin);
      case "on_tool_end":
        conversation.gave(data.output, "tool end", origin, { name: origin.name, input: data.input });
        return states.toolEnded(undefined, origin.name);
      case "on_tool_error":
        return states.toolEnded(undefined, origin.name);
      case "on_chain_end":
        if (origin.name === origin.place.node) onNodeEnd(data, origin);
    }
  }

  function onCustomEvent(origin: Origin) {
    const value: unknown = isRecord(origin.data) ? origin.data.data : undefined;
    customs.event(origin.name ?? "custom", value, origin);
  }

  function onNodeEnd(data: Record<string, unknown>, origin: Origin) {
    run.exitingNode = true;
    // The other modes are told in order with the values; callbacks run ahead of them.
    if (!hasSeen("updates") && !hasSeen("tasks")) states.nodeEnded(origin.place.node);
    conversation.gave(data.output, "node end", origin);
  }

  function onValues(origin: Origin, data: Record<string, unknown>) {
    subagents.interrupted(origin.place, data[INTERRUPT]);
    if (origin.place.graph === "") states.update(data);
    if (Array.isArray(data.messages) && isShown(origin)) conversation.values(origin, data.messages);
    events.push(...subagents.stepped(origin.place, undefined));
  }

  function onUpdates(origin: Origin, data: Record<string, unknown>) {
    states.noteInterrupts(data);
    subagents.interrupted(origin.place, data[INTERRUPT]);
    for (const [node, update] of Object.entries(data)) {
      if (origin.place.graph === "") states.nodeEnded(node);
      if (isShown(origin)) conversation.gave(update, "updates", origin);
      events.push(...subagents.stepped(origin.place, node));
    }
  }

  function onTask({ place }: Origin, data: Record<string, unknown>) {
    if (place.graph === "" && "result" in data) states.nodeEnded(textOrNothing(data.name));
    subagents.taskTold(place, data);
  }

  function onRow(row: Row) {
    switch (row.mode) {
      case "events":
        // An agent is named by what it runs, and its steps come after its name.
        events.push(...subagents.note(row.origin, row.data));
        enter(row.origin);
        return onEvent(row.origin, row.data);
      case "message":
        events.push(...subagents.note(row.origin, {}));
        enter(row.origin);
        if (isShown(row.origin)) conversation.message(row.message, row.origin);
        return;
      case "partial":
        for (const message of row.messages) conversation.partial(message);
        return;
      case "values":
        return onValues(row.origin, row.data);
      case "updates":
        return onUpdates(row.origin, row.data);
      case "tasks":
        return onTask(row.origin, row.data);
      case "custom":
        return customs.write(row.origin.data, row.origin);
      case "metadata":
        return noteServerRun(row.data.run_id);
      case "error":
        error = errorOf(row.data);
    }
  }

  const taken = (): ProcessedEvents[] => {
    const out = events;
    events = [];
    return out;
  };

  return {
    translate(row) {
      try {
        const read = readRow(row);
        if (read) {
          seen.add(read.mode);
          onRow(read);
        } else context.debug(`a row was skipped: ${describe(row)}`);
      } catch (thrown) {
        context.debug(`a row was given up: ${describe(row)}: ${(thrown as Error)?.name}`);
      }
      return taken();
    },
    end(failure) {
      conversation.end();
      texts.end();
      reasonings.end();
      calls.end();
      const { messages } = states.values;
      // Where the graph waits for answers, its values lack what its subgraphs have said.
      const isWhole = !error && states.interrupts.length === 0;
      if (isWhole && Array.isArray(messages)) events.push(...corrections.end(messages));
      events.push(...subagents.end(error && (failure ?? error)));
      steps.end();
      return taken();
    },
    arrange: corrections.end,
    enterNode(nodeName) {
      steps.enter(nodeName);
      return taken();
    },
    reason(reasoning) {
      reasonings.tell(reasoning);
      return taken();
    },
    tell(event, graph) {
      const subagentRunId = subagents.openIn(graph);
      emit(subagentRunId === undefined ? event : ({ ...event, subagentRunId } as ProcessedEvents));
      return taken();
    },
    isHidden: (graph) => (graph !== "" && !context.subgraphs) || subagents.isHidden({ invocation: graph }),
    get values() {
      return states.values;
    },
    shown,
    get openCalls() {
      return [...openCalls].map(([id, name]) => ({ id, name }));
    },
    interruptedBy: subagents.interruptedBy,
    get interrupts() {
      return states.interrupts;
    },
    get error() {
      return error;
    },
    get exitRequested() {
      return customs.exitRequested;
    },
  };
}

function errorOf({ error, name, message, code, cause }: Record<string, unknown>): StreamError {
  return {
    name: textOrNothing(error) ?? textOrNothing(name) ?? "Error",
    message: textOrNothing(message) ?? textOrNothing(error) ?? "The graph failed without a message.",
    ...(textOrNothing(code) ? { code: String(code) } : {}),
    ...(cause === undefined ? {} : { cause }),
  };
}

function describe(row: StreamRow): string {
  const event: unknown = isRecord(row) ? row.event : undefined;
  return typeof event === "string" ? event.slice(0, 40) : typeof row;
}
