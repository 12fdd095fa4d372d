import { isRecord, textOrNothing } from "../messages/json";
import type { ProcessedEvents, StreamRow } from "../types";
import type { StreamError, TranslationContext, Translator } from "./context";
import { createConversation } from "./conversation";
import { createCorrections } from "./corrections";
import { createCustoms } from "./custom";
import { createPrediction } from "./prediction";
import { createRaw } from "./raw";
import { createReasonings } from "./reasoning";
import { type Origin, originOfRow, type Row, readRow } from "./row";
import { createSpeech } from "./speech";
import { createStates } from "./state";
import { createSteps } from "./steps";
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
  const { run } = context;
  const seen = new Set<string>();
  const hasSeen = (mode: string) => seen.has(mode);
  const corrections = createCorrections(context);
  let events: ProcessedEvents[] = [];
  let error: StreamError | undefined;

  const emit = (event: ProcessedEvents) => {
    corrections.note(event);
    events.push(event);
  };

  const raw = createRaw(context.rawEvents);
  const texts = createTexts(context, raw, emit);
  const steps = createSteps(context, emit, texts.nodeChanged);
  const states = createStates(context, raw, emit);
  const calls = createToolCalls(raw, emit, createPrediction(states, raw, emit));
  const results = createToolResults(context, raw, calls, emit, hasSeen, (id) =>
    states.toolEnded(id, undefined),
  );
  const reasonings = createReasonings(context, raw, emit);
  const speech = createSpeech({ texts, calls, reasonings, usages: createUsages(context) });
  const customs = createCustoms(context, raw, { texts, calls, states }, emit);
  const conversation = createConversation(context, { texts, calls, results, speech, corrections }, hasSeen);

  const isShown = (graph: string) => context.subgraphs || graph === "";

  function enter({ place, metadata }: Origin) {
    noteServerRun(metadata.run_id);
    steps.visit(place);
  }

  function noteServerRun(id: unknown) {
    if (!textOrNothing(id)) return;
    run.serverRunId = String(id);
    run.serverRunIdKnown = true;
  }

  function onEvent(origin: Origin, data: Record<string, unknown>) {
    const shown = isShown(origin.place.graph);
    if (shown) events.push(...raw.event(origin, data));
    if (origin.event === "on_custom_event") return onCustomEvent(origin);
    if (!shown) return;
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

  function onValues(graph: string, data: Record<string, unknown>) {
    if (graph === "") states.update(data);
    if (Array.isArray(data.messages) && isShown(graph)) conversation.values(graph, data.messages);
  }

  function onUpdates(graph: string, data: Record<string, unknown>) {
    states.noteInterrupts(data);
    for (const [node, update] of Object.entries(data)) {
      if (graph === "") states.nodeEnded(node);
      if (isShown(graph)) conversation.gave(update, "updates", originOfRow("updates", graph));
    }
  }

  function onRow(row: Row) {
    switch (row.mode) {
      case "events":
        enter(row.origin);
        return onEvent(row.origin, row.data);
      case "message":
        enter(row.origin);
        if (isShown(row.origin.place.graph)) conversation.message(row.message, row.origin);
        return;
      case "partial":
        for (const message of row.messages) conversation.partial(message);
        return;
      case "values":
        return onValues(row.graph, row.data);
      case "updates":
        return onUpdates(row.graph, row.data);
      case "tasks":
        if (row.graph === "" && "result" in row.data) states.nodeEnded(textOrNothing(row.data.name));
        return;
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
    end() {
      conversation.end();
      texts.end();
      reasonings.end();
      calls.end();
      const { messages } = states.values;
      if (!error && Array.isArray(messages)) events.push(...corrections.end(messages));
      steps.enter(undefined);
      return taken();
    },
    enterNode(nodeName) {
      steps.enter(nodeName);
      return taken();
    },
    reason(reasoning) {
      reasonings.tell(reasoning);
      return taken();
    },
    get values() {
      return states.values;
    },
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
