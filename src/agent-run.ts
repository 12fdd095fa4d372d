import {
  aggregateTokenUsage,
  EventType,
  type RunAgentInput,
  randomUUID,
  type TokenUsage,
} from "@ag-ui/client";
import type { Interrupt as LangGraphInterrupt, StreamMode, ThreadState } from "@langchain/langgraph-sdk";
import type { Subscriber } from "rxjs";
import { LangGraphAgentMembers } from "./agent-members";
import { readMessage } from "./messages/read-message";
import { langchainMessagesToAgui } from "./messages/to-agui";
import type { Cancellation } from "./run/cancellation";
import { type Ending, endingEvents } from "./run/ending";
import type { RunSettings } from "./run/host";
import { lookUpOnce, withinGrace } from "./run/lookups";
import { type PreparedRun, prepareRun } from "./run/prepare";
import { rowsOfRepairedRun } from "./run/reducer-check";
import { createTranslator } from "./stream/translator";
import type {
  HistoryRepair,
  MaybeStream,
  PreparedStream,
  ProcessedEvents,
  RegenerateInput,
  RunAgentExtendedInput,
  SchemaKeys,
  State,
  StreamRow,
} from "./types";

const speaksProtocol1 = (input: Pick<RunAgentInput, "protocolVersion">): boolean =>
  Number.parseFloat(input.protocolVersion ?? "0") >= 1;

/**
 * What `LangGraphAgent` does between the start and the end of a run: it is called on the object of the run, which
 * inherits from the agent and has these fields as its own.
 */
export abstract class LangGraphAgentRun extends LangGraphAgentMembers {
  /** Where the events of the run go. Subclasses may write to it; spans stay closed and the end stays one. */
  declare subscriber: Subscriber<ProcessedEvents>;
  declare protected liveRuns: Set<Cancellation>;
  declare protected repairs: HistoryRepair[];

  abstract prepareRegenerateStream(
    input: RegenerateInput,
    streamMode: StreamMode | StreamMode[],
  ): Promise<MaybeStream<Required<PreparedStream>>>;

  protected async send(
    input: RunAgentExtendedInput,
    streamMode: StreamMode | StreamMode[],
    again?: RegenerateInput["messageCheckpoint"],
  ): Promise<MaybeStream<Required<PreparedStream>>> {
    const prepared = await prepareRun(this, this.runSettings(input), input, streamMode, again);
    if (this.cancellation.requested) return undefined;
    if ("messageCheckpoint" in prepared)
      return this.prepareRegenerateStream({ ...input, ...prepared }, streamMode);
    this.reportRepairs();
    if ("interrupts" in prepared) {
      this.sendSnapshots(prepared.state.values, input);
      this.finish(input, this.waitingFor(prepared.interrupts));
      return undefined;
    }
    return { streamResponse: this.start(prepared, [streamMode].flat()), state: prepared.state, streamMode };
  }

  protected start(
    { threadId, assistantId, payload, state, payloadWithoutRepair }: PreparedRun,
    modes: StreamMode[],
  ) {
    const rowsOf = (runPayload: Record<string, unknown>) =>
      this.client.runs.stream(threadId, assistantId, runPayload) as AsyncGenerator<StreamRow>;
    // Only the values tell whether the reducer understood.
    if (!payloadWithoutRepair || !modes.includes("values")) return rowsOf(payload);
    return rowsOfRepairedRun(rowsOf(payload), state.values.messages ?? [], async () => {
      this.logger.warn(
        `Graph "${this.graphId}" does not use LangGraph's message reducer, so the history of thread ${threadId} ` +
          "cannot be repaired in its checkpoint. Put historyGuardMiddleware() before its model.",
      );
      this.lookups.appendsOnly = true;
      if (this.activeRun) this.activeRun.serverRunIdKnown = false;
      await this.cancellation.replaceRun();
      return rowsOf(payloadWithoutRepair());
    });
  }

  protected runSettings(input: RunAgentExtendedInput): RunSettings {
    const { allowedToolNames, danglingCalls, toolErrorContent, onHistoryRepair } = this.config;
    return {
      schemaKeys: (need) =>
        withinGrace(
          lookUpOnce(this.lookups, "schemaKeys", () => this.lookUpSchemaKeys()),
          need,
        ),
      interruptsToAGUI: (interrupts) => this.interruptsToAGUI(interrupts),
      buildCommandResumeFromAgui: (entries, context) => this.buildCommandResumeFromAgui(entries, context),
      history: {
        allowedToolNames,
        danglingCalls,
        toolErrorContent,
        onRepair: (repair) => {
          this.repairs.push(repair);
          onHistoryRepair?.(repair);
        },
      },
      appendsOnly: () => this.lookups.appendsOnly ?? false,
      signal: this.cancellation.signal,
      onServerRun: (runId) => this.knowServerRun(input.threadId, runId),
      warn: (message) => this.logger.warn(message),
    };
  }

  /** A look-up that the end of the run cut off is made again by the next run. */
  protected async lookUpSchemaKeys(): Promise<SchemaKeys> {
    const schemaKeys = await this.getSchemaKeys();
    if (this.cancellation.signal.aborted) delete this.lookups.schemaKeys;
    return schemaKeys;
  }

  protected reportRepairs(): void {
    if (this.repairs.length === 0) return;
    const kinds = this.repairs.map(({ kind, messageId }) => `${kind} (${messageId})`).join(", ");
    this.logger.debug(`History of thread ${this.activeRun?.threadId} repaired: ${kinds}`);
    if (!this.config.emitHistoryRepairs) return;
    this.dispatchEvent({ type: EventType.CUSTOM, name: "history_repaired", value: this.repairs });
  }

  protected knowServerRun(threadId: string, runId: string): void {
    const run = this.activeRun;
    if (!run || run.serverRunIdKnown) return;
    run.serverRunId = runId;
    run.serverRunIdKnown = true;
    this.cancellation.runIs(run.threadId ?? threadId, runId);
  }

  protected handleRow(row: StreamRow, threadId: string): void {
    const data = row?.data as { run_id?: unknown; metadata?: { run_id?: unknown } } | null | undefined;
    const serverRun = row?.event === "metadata" ? data?.run_id : data?.metadata?.run_id;
    if (typeof serverRun === "string") this.knowServerRun(threadId, serverRun);
    const single = row?.event === "events" || row?.event === "messages";
    if (single) this.handleSingleEvent(data);
    else this.dispatchAll(this.translator?.translate(row) ?? []);
  }

  protected createTranslator(input: RunAgentExtendedInput, state: ThreadState<State>) {
    return createTranslator({
      run: this.activeRun ?? { id: input.runId },
      newId: randomUUID,
      protocol1: speaksProtocol1(input),
      knownMessages: state.values.messages ?? [],
      clientMessageIds: (input.messages ?? []).flatMap((message) => message?.id ?? []),
      pinTextMessages: this.config.pinTextMessages ?? false,
      rawEvents: this.config.rawEvents ?? "slim",
      subgraphs: input.forwardedProps?.streamSubgraphs ?? true,
      stateUpdates: this.config.stateUpdates ?? "snapshot",
      stateSnapshot: (values) => this.getStateSnapshot({ values }),
      debug: (message) => this.logger.debug(message),
    });
  }

  /**
   * What the thread holds now. Messages of a graph in this process are told as plain objects; a graph
   * without messages says nothing of the client's.
   */
  protected sendSnapshots({ messages, ...values }: State, input: RunAgentExtendedInput): void {
    const plain = Array.isArray(messages)
      ? messages.flatMap((message) => readMessage(message) ?? [])
      : undefined;
    const shown =
      plain && this.config.snapshotMessagesInState !== false ? { ...values, messages: plain } : values;
    this.dispatchEvent({
      type: EventType.STATE_SNAPSHOT,
      snapshot: this.getStateSnapshot({ values: shown }),
    });
    if (!plain) return;
    const shownMessages = langchainMessagesToAgui(plain, { protocol1: speaksProtocol1(input) });
    this.dispatchEvent({ type: EventType.MESSAGES_SNAPSHOT, messages: shownMessages });
  }

  /** Ends the run, unless it has ended already. */
  protected finish(input: RunAgentExtendedInput, ending: Ending): void {
    const events = endingEvents(ending, {
      threadId: this.activeRun?.threadId ?? input.threadId,
      runId: input.runId,
      usage: this.collectRunUsage(),
      protocol1: speaksProtocol1(input),
      legacyInterrupts: this.enableLegacyOnInterruptEvent,
      structuredInterrupts: this.emitInterruptOutcome || !this.enableLegacyOnInterruptEvent,
    });
    this.dispatchAll(events);
    this.over();
  }

  protected waitingFor(waiting: readonly LangGraphInterrupt[]): Ending {
    if (waiting.length === 0) return { kind: "done" };
    return { kind: "interrupted", waiting, interrupts: this.interruptsToAGUI(waiting) };
  }

  protected fail({ message, code }: { message: string; code?: string }): void {
    this.dispatchEvent({ type: EventType.RUN_ERROR, message, ...(code && { code }) });
    this.over();
  }

  protected over(): void {
    this.cancellation.over();
    this.liveRuns.delete(this.cancellation);
    this.subscriber.complete();
  }

  /** The tokens that the run's models used, one entry per provider and model; nothing where none was reported. */
  protected collectRunUsage(): TokenUsage[] | undefined {
    const usage = aggregateTokenUsage(this.activeRun?.usage ?? []);
    return usage.length > 0 ? usage : undefined;
  }
}
