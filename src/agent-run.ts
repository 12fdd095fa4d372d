import { aggregateTokenUsage, EventType, randomUUID, type TokenUsage } from "@ag-ui/client";
import type { Interrupt as LangGraphInterrupt, StreamMode, ThreadState } from "@langchain/langgraph-sdk";
import type { Subscriber } from "rxjs";
import { LangGraphAgentView, speaksProtocol1 } from "./agent-view";
import { checkpointErrors } from "./failures/checkpoint-errors";
import { asRunError, type NodeError } from "./failures/node-error";
import type { NodeFailures } from "./failures/node-failures";
import { describeRunError, type RunErrorDescription } from "./failures/run-error";
import type { LocalRunPayload } from "./graphs/local-run-payload";
import { describeRemoteError } from "./graphs/remote-error";
import type { Cancellation } from "./run/cancellation";
import { type Ending, endingEvents } from "./run/ending";
import { heldTurn } from "./run/held-turn";
import type { RunSettings } from "./run/host";
import { leftRun } from "./run/left-run";
import { lookUpOnce, withinGrace } from "./run/lookups";
import { type PreparedRun, prepareRun } from "./run/prepare";
import { rowsOfRepairedRun } from "./run/reducer-check";
import { acceptedRows } from "./run/stream-modes";
import { latestValues, readThreadState } from "./run/thread";
import { pendingInterrupts, threadMessages } from "./run/under-way";
import { createTranslator, type Translator } from "./stream/translator";
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

/** The version of the protocol that the agent speaks with clients that say theirs. */
const PROTOCOL_VERSION = "1.0";

/**
 * What `LangGraphAgent` does between the start and the end of a run: it is called on the object of the run, which
 * inherits from the agent and has these fields as its own.
 */
export abstract class LangGraphAgentRun extends LangGraphAgentView {
  /** Where the events of the run go. Subclasses may write to it; spans stay closed and the end stays one. */
  declare subscriber: Subscriber<ProcessedEvents>;
  declare protected liveRuns: Set<Cancellation>;
  declare protected repairs: HistoryRepair[];
  /** What is known of failed nodes; the run tells it when it has failed. */
  declare protected nodeFailures?: NodeFailures;
  /** Whether the client of the run speaks protocol 1.0. */
  declare protected protocol1: boolean;

  abstract prepareRegenerateStream(
    input: RegenerateInput,
    streamMode: StreamMode | StreamMode[],
  ): Promise<MaybeStream<Required<PreparedStream>>>;

  /** Says that the run has begun, and to clients that can understand it, in which version of the protocol. */
  protected startRun(input: RunAgentExtendedInput): void {
    const { threadId, runId } = input;
    this.protocol1 = speaksProtocol1(input);
    const version = this.protocol1 ? { protocolVersion: PROTOCOL_VERSION } : {};
    this.dispatchEvent({ type: EventType.RUN_STARTED, threadId, runId, ...version });
  }

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
    this.held = prepared.held;
    this.noteUnderWay(prepared.underWay);
    await this.findHidden(prepared.state, input);
    if ("interrupts" in prepared) {
      this.sendSnapshots(prepared.state.values, input);
      this.finish(input, this.waitingFor(prepared.interrupts, input));
      return undefined;
    }
    return { streamResponse: this.start(prepared, [streamMode].flat()), state: prepared.state, streamMode };
  }

  protected start(
    { threadId, assistantId, payload, state, payloadWithoutRepair }: PreparedRun,
    modes: StreamMode[],
  ) {
    const rowsOf = (runPayload: Record<string, unknown>) =>
      this.acceptedRows(modes, (streamMode) => {
        const inModes = { ...runPayload, ...(streamMode && { streamMode }), ...this.attemptsToTell() };
        return this.client.runs.stream(threadId, assistantId, inModes) as AsyncGenerator<StreamRow>;
      });
    // Only the values tell whether the reducer understood.
    if (!payloadWithoutRepair || !modes.includes("values")) return rowsOf(payload);
    return rowsOfRepairedRun(rowsOf(payload), state.values.messages ?? [], async () => {
      this.logger.warn(
        `Graph "${this.graphId}" does not use LangGraph's message reducer, so the history of thread ${threadId} ` +
          "cannot be repaired in its checkpoint. Put historyGuardMiddleware() before its model.",
      );
      this.lookups.messageChannel = "appends";
      if (this.activeRun) this.activeRun.serverRunIdKnown = false;
      await this.cancellation.replaceRun();
      return rowsOf(payloadWithoutRepair());
    });
  }

  /**
   * A graph in this process can say why an attempt failed that is made again, and what failed within a graph whose last
   * rows were dropped because the run had failed.
   */
  protected attemptsToTell(): Pick<LocalRunPayload, "onChainError"> {
    if (!("graph" in this.config)) return {};
    return { onChainError: (runId, error) => this.nodeFailures?.attemptFailed(runId, error) };
  }

  /** The rows of a run or of the rest of one, in the modes that the graph's home knows. */
  protected acceptedRows(
    modes: readonly StreamMode[],
    rowsIn: (otherModes?: StreamMode[]) => AsyncGenerator<StreamRow>,
  ): AsyncGenerator<StreamRow> {
    return "graph" in this.config ? rowsIn() : acceptedRows(modes, rowsIn, this.lookups);
  }

  protected runSettings(input: RunAgentExtendedInput): RunSettings {
    const { allowedToolNames, danglingCalls, toolErrorContent } = this.config;
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
          this.tellRepair(repair);
        },
      },
      resumeWithUserMessage: this.config.resumeWithUserMessage ?? false,
      messageChannel: () => this.lookups.messageChannel ?? "merges",
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

  /** Reporting never changes how the graph runs, also where the application's own report fails. */
  protected tellRepair(repair: HistoryRepair): void {
    try {
      this.config.onHistoryRepair?.(repair);
    } catch (error) {
      this.logger.warn(
        `onHistoryRepair threw ${(error as Error | undefined)?.name} for a ${repair.kind} repair.`,
      );
    }
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
    const retry = this.nodeFailures?.note(row);
    if (retry && this.config.nodeRetries) this.tellFailure("node_retry", retry.value, retry.graph);
  }

  /**
   * Tells what failed, before the spans in which it failed are closed.
   *
   * @returns The failures, the first one of each path.
   */
  protected tellNodeErrors({ error, openCalls, isHidden }: Translator): NodeError[] {
    const records = (error && this.nodeFailures?.records(error, { openCalls, isHidden })) ?? [];
    for (const { value, graph } of records) this.tellFailure("node_error", value, graph);
    return records.map(({ value, first = value }) => first);
  }

  protected tellFailure(name: "node_error" | "node_retry", value: NodeError, graph = ""): void {
    const event: ProcessedEvents = { type: EventType.CUSTOM, name, value };
    this.dispatchAll(this.translator?.tell(event, graph) ?? [event]);
  }

  /** What the thread's checkpoint holds of the failure of its last run. */
  protected tellStoredFailures({ tasks }: Pick<ThreadState<State>, "tasks">): NodeError[] {
    const failures = checkpointErrors(tasks);
    for (const failure of failures) this.tellFailure("node_error", failure);
    return failures;
  }

  protected createTranslator(input: RunAgentExtendedInput, state: ThreadState<State>) {
    return createTranslator({
      run: this.activeRun ?? { id: input.runId },
      newId: randomUUID,
      knownMessages: state.values.messages ?? [],
      nestedMessages: this.nestedMessages(input, state),
      get clientMessageIds() {
        return (input.messages ?? []).flatMap((message) => message?.id ?? []);
      },
      pinTextMessages: this.config.pinTextMessages ?? false,
      rawEvents: this.config.rawEvents ?? "slim",
      subgraphs: input.forwardedProps?.streamSubgraphs ?? true,
      ...this.shownTo(input),
      stateUpdates: this.config.stateUpdates ?? "snapshot",
      stateSnapshot: (values) => this.getStateSnapshot({ values }),
      debug: (message) => this.logger.debug(message),
    });
  }

  /**
   * The stream has ended well: tells what the thread holds now, and ends the run.
   *
   * @returns The run that goes on at once, with results that the client had sent before the thread had their calls.
   */
  protected async conclude(
    translator: Translator,
    before: ThreadState<State>,
    input: RunAgentExtendedInput,
  ): Promise<RunAgentExtendedInput | undefined> {
    let after = await readThreadState(this.client, this.activeRun?.threadId ?? input.threadId);
    const waiting = after ? pendingInterrupts(after) : translator.interrupts;
    const failure = after && waiting.length === 0 && (await this.unsaidFailure(after));
    if (failure) {
      this.fail(failure);
      return undefined;
    }
    if (after && waiting.length === 0) after = await this.storeHeld(before.values, after);
    const values = latestValues(after?.values, translator.values);
    this.noteUnderWay(threadMessages(after).underWay);
    if (translator.interrupts.length > 0 || this.underWay.length > 0)
      this.dispatchAll(translator.arrange(this.withUnderWay(values.messages)));
    this.sendSnapshots(values, input);
    const next =
      waiting.length === 0 && this.held.length > 0
        ? heldTurn(input, translator.shown.of(values.messages ?? []), this.held)
        : undefined;
    if (!next) this.finish(input, this.waitingFor(waiting, input));
    else {
      if (this.activeRun) this.activeRun.serverRunIdKnown = false;
      this.repairs = [];
    }
    return next;
  }

  /** What the run failed of, where its stream has not said it; told as far as the thread holds it. */
  protected async unsaidFailure(state: ThreadState<State>): Promise<RunErrorDescription | undefined> {
    if ("graph" in this.config || !this.activeRun) return undefined;
    const { serverRunId, threadId = state.checkpoint.thread_id } = this.activeRun;
    const left = await leftRun(this.client, threadId, serverRunId, state);
    if (left === "over") return undefined;
    if (left === "going on")
      return { code: "STREAM_BROKEN", message: "The stream of the LangGraph deployment broke off" };
    const [first] = this.tellStoredFailures(state);
    return first ? asRunError(first) : describeRunError(undefined);
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

  protected waitingFor(waiting: readonly LangGraphInterrupt[], { tools }: RunAgentExtendedInput): Ending {
    if (waiting.length > 0) {
      const interrupts = this.interruptsToAGUI(waiting).map((interrupt) => {
        const subagentRunId = this.translator?.interruptedBy(interrupt.id);
        return subagentRunId === undefined ? interrupt : { ...interrupt, subagentRunId };
      });
      return { kind: "interrupted", waiting, interrupts };
    }
    const clientTools = new Set(tools.map((tool) => tool?.name));
    const open = (this.translator?.openCalls ?? []).filter(({ name }) => clientTools.has(name));
    return { kind: "done", pendingToolCallIds: open.map(({ id }) => id) };
  }

  protected fail({ message, code }: { message: string; code?: string }): void {
    const usage = this.protocol1 ? this.collectRunUsage() : undefined;
    this.dispatchEvent({
      type: EventType.RUN_ERROR,
      message,
      ...(code && { code }),
      ...(usage && { usage }),
    });
    this.over();
  }

  /** Ends the run with what broke it, also where an overridden member breaks at that too. */
  protected failOf(error: unknown): void {
    const failure = describeRemoteError(error);
    try {
      this.fail(failure);
    } catch {
      this.cancellation.over();
      this.subscriber.error(failure);
      this.over();
    }
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
