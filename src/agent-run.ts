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
import { checkpointErrors } from "./failures/checkpoint-errors";
import type { NodeError } from "./failures/node-error";
import type { NodeFailures } from "./failures/node-failures";
import type { LocalRunPayload } from "./graphs/local-run-payload";
import { isNested } from "./messages/private";
import { readMessage } from "./messages/read-message";
import { aguiMessagesToLangChain } from "./messages/to-langchain";
import type { Cancellation } from "./run/cancellation";
import { type Ending, endingEvents } from "./run/ending";
import { findHidden, noteSeen } from "./run/hidden-messages";
import type { RunSettings } from "./run/host";
import { hiddenMessagesOf, lookUpOnce, withinGrace } from "./run/lookups";
import { type PreparedRun, prepareRun } from "./run/prepare";
import { rowsOfRepairedRun } from "./run/reducer-check";
import { storeSaid } from "./run/said-meanwhile";
import { acceptedRows } from "./run/stream-modes";
import { type MessageUnderWay, pendingInterrupts } from "./run/under-way";
import { createShownMessages, type ShownMessages } from "./stream/shown-messages";
import { createTranslator, type Translator } from "./stream/translator";
import type {
  AguiMessage,
  HistoryRepair,
  LangChainMessage,
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
  /** What the client said while the thread waited for answers; it is not in the checkpoint yet. */
  declare protected held: readonly AguiMessage[];
  /** What is known of failed nodes; the run tells it when it has failed. */
  declare protected nodeFailures?: NodeFailures;
  /** What the graph has said while the thread waits for answers; the thread does not hold it yet. */
  declare protected underWay: readonly LangChainMessage[];
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

  /** The thread with what was held back; as it is where that is to go with the next run. */
  protected async storeHeld(before: State, after: ThreadState<State>): Promise<ThreadState<State>> {
    if (this.held.length === 0 || this.held.some(({ role }) => role === "tool")) return after;
    const channel = this.lookups.messageChannel ?? "merges";
    const messages = this.withUnderWay(before.messages);
    const changed = await storeSaid(this.client, this.held, messages, after, channel);
    if (changed) this.held = [];
    else this.logger.debug("What was said while calls waited goes to the thread with the next run.");
    return changed ?? after;
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

  /** A graph in this process can say why an attempt failed that is made again. */
  protected attemptsToTell(): Pick<LocalRunPayload, "onChainError"> {
    if (!this.config.nodeRetries || !("graph" in this.config)) return {};
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

  /** Tells what failed, before the spans in which it failed are closed. */
  protected tellNodeErrors({ error, openCalls, isHidden }: Translator): NodeError[] {
    const records = (error && this.nodeFailures?.records(error, { openCalls, isHidden })) ?? [];
    for (const { value, graph } of records) this.tellFailure("node_error", value, graph);
    return records.map(({ value }) => value);
  }

  protected tellFailure(name: "node_error" | "node_retry", value: NodeError, graph = ""): void {
    const event: ProcessedEvents = { type: EventType.CUSTOM, name, value };
    this.dispatchAll(this.translator?.tell(event, graph) ?? [event]);
  }

  /** What the thread's checkpoint holds of the failure of its last run. */
  protected tellStoredFailures({ tasks }: Pick<ThreadState<State>, "tasks">): void {
    for (const failure of checkpointErrors(tasks)) this.tellFailure("node_error", failure);
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

  /** Before anything of the thread is shown: which of its messages the client is not to see. */
  protected async findHidden({ values }: ThreadState<State>, input: RunAgentExtendedInput): Promise<void> {
    const { hideSubgraphs } = this.config;
    const threadId = this.activeRun?.threadId ?? input.threadId;
    if (!hideSubgraphs || !Array.isArray(values.messages)) return;
    await findHidden({
      client: this.client,
      threadId,
      hideSubgraphs,
      known: hiddenMessagesOf(this.lookups, threadId),
      messages: values.messages,
      clientMessages: input.messages,
    });
  }

  /** After a run of which all was seen. */
  protected noteSeen(threadId: string): void {
    const messages: unknown = this.translator?.values.messages;
    if (this.config.hideSubgraphs && Array.isArray(messages))
      noteSeen(hiddenMessagesOf(this.lookups, this.activeRun?.threadId ?? threadId), messages);
  }

  /** What the client has, and what it is not to see. */
  protected shownTo(input: RunAgentExtendedInput) {
    const { hideSubgraphs } = this.config;
    const threadId = this.activeRun?.threadId ?? input.threadId;
    return {
      protocol1: speaksProtocol1(input),
      clientMessages: input.messages ?? [],
      held: this.held,
      hideSubgraphs,
      hiddenMessages: hideSubgraphs ? hiddenMessagesOf(this.lookups, threadId).ids : new Set<string>(),
    };
  }

  protected noteUnderWay(underWay: readonly MessageUnderWay[]): void {
    this.underWay = underWay.map(({ message }) => message);
    const { hideSubgraphs } = this.config;
    if (!hideSubgraphs) return;
    const { ids: hidden } = hiddenMessagesOf(this.lookups, this.activeRun?.threadId ?? this.threadId);
    for (const { message, subgraphs } of underWay) {
      const isHidden =
        hideSubgraphs === true
          ? subgraphs.length > 0
          : subgraphs.some((name) => hideSubgraphs.includes(name));
      if (isHidden && message.id) hidden.add(message.id);
    }
  }

  /** The messages of the thread as they will be when the step that waits has ended. */
  protected withUnderWay(messages: readonly LangChainMessage[] = []): readonly LangChainMessage[] {
    if (this.underWay.length === 0) return messages;
    const ids = new Set(this.underWay.map(({ id }) => id));
    return [...messages.filter((message) => !ids.has(readMessage(message)?.id)), ...this.underWay];
  }

  /** What nested graphs that go on now have said before, as far as the client has it. */
  protected nestedMessages(
    { messages }: RunAgentExtendedInput,
    state: ThreadState<State>,
  ): LangChainMessage[] {
    if (pendingInterrupts(state).length === 0) return [];
    return [...this.underWay, ...aguiMessagesToLangChain((messages ?? []).filter(isNested))];
  }

  protected shownMessages(input: RunAgentExtendedInput): ShownMessages {
    return this.translator?.shown ?? createShownMessages(this.shownTo(input));
  }

  /**
   * What the thread holds now. Messages of a graph in this process are told as plain objects; a graph
   * without messages says nothing of the client's.
   */
  protected sendSnapshots({ messages, ...values }: State, input: RunAgentExtendedInput): void {
    const shownMessages = this.shownMessages(input);
    const plain = Array.isArray(messages)
      ? shownMessages.visible(messages.flatMap((message) => readMessage(message) ?? []))
      : undefined;
    const shown =
      plain && this.config.snapshotMessagesInState !== false ? { ...values, messages: plain } : values;
    this.dispatchEvent({
      type: EventType.STATE_SNAPSHOT,
      snapshot: this.getStateSnapshot({ values: shown }),
    });
    if (!plain) return;
    this.dispatchEvent({
      type: EventType.MESSAGES_SNAPSHOT,
      messages: shownMessages.of(this.withUnderWay(plain)),
    });
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
