import { type AgentCapabilities, type AgentSubscriber, type RunAgentInput, randomUUID } from "@ag-ui/client";
import type { Client, StreamMode } from "@langchain/langgraph-sdk";
import { Observable, type Subscriber } from "rxjs";
import { LangGraphAgentRun } from "./agent-run";
import type { LangGraphAgentConfig, LocalLangGraphAgentConfig } from "./config";
import { asRunError } from "./failures/node-error";
import { createNodeFailures } from "./failures/node-failures";
import { describeRunError } from "./failures/run-error";
import { compiledGraph, hasCheckpointer } from "./graphs/compiled-graph";
import { createLocalClient } from "./graphs/local";
import { messageChannel } from "./graphs/message-reducer";
import { createRemoteClient } from "./graphs/remote";
import { consoleLogger, silentLogger } from "./logger";
import { createCancellation } from "./run/cancellation";
import { findThread } from "./run/connect";
import { inferToolErrors } from "./run/infer-tool-errors";
import { letUserMessageAnswer, reconcileLegacyResumeInterrupts } from "./run/interrupts";
import { saidByUser } from "./run/said-meanwhile";
import { DEFAULT_SCHEMA_KEYS } from "./run/state";
import { STREAM_MODES } from "./run/stream-modes";
import { pendingInterrupts } from "./run/under-way";
import { gateSubscriber } from "./stream/gate";
import type {
  AgentToolMessage,
  MaybeStream,
  PreparedStream,
  ProcessedEvents,
  RegenerateInput,
  RunAgentExtendedInput,
} from "./types";

export type { AgentToolMessage, ProcessedEvents };

/**
 * An AG-UI agent for a LangGraph graph, on a LangGraph server or in this process.
 *
 * A run works on an object that inherits from the agent and has `activeRun`, `subscriber` and the other
 * fields of a run as its own, so that runs do not mix. Applications override `dispatchEvent`, `run`,
 * `langGraphDefaultMergeState`, `getSchemaKeys`, `interruptsToAGUI`, `buildCommandResumeFromAgui` and
 * `getStateSnapshot`; the agent calls them, and every other member, through `this`.
 *
 * @see https://docs.ag-ui.com/concepts/agents
 */
export class LangGraphAgent extends LangGraphAgentRun {
  constructor(config: LangGraphAgentConfig | LocalLangGraphAgentConfig) {
    super(config);
    this.config = config as LangGraphAgentConfig;
    this.agentName = config.agentName;
    this.assistantConfig = config.assistantConfig;
    this.headers = {};
    this.constantSchemaKeys = [...DEFAULT_SCHEMA_KEYS];
    this.enableLegacyOnInterruptEvent = config.enableLegacyOnInterruptEvent ?? true;
    this.emitInterruptOutcome = config.emitInterruptOutcome ?? false;
    this.messagesInProcess = {};
    this.emittedToolCallStartIds = new Set();
    this.reasoningProcess = null;
    this.lookups = {};
    this.liveRuns = new Set();
    this.logger = config.logger === false ? silentLogger : (config.logger ?? consoleLogger);
    this.graphId =
      config.graphId ?? ("graph" in config ? compiledGraph(config.graph).name : undefined) ?? "graph";
    this.connectHome();
  }

  /** Makes the client of the place where the graph runs; for servers it asks this agent for its headers. */
  private connectHome(): void {
    const config: LangGraphAgentConfig & Partial<LocalLangGraphAgentConfig> = this.config;
    if (config.graph) {
      this.client = createLocalClient(config.graph, { graphId: this.graphId }) as Client;
      this.lookups.messageChannel = messageChannel(config.graph);
    } else if (config.client) {
      if (config.headerFactory) {
        this.logger.warn("`headerFactory` is not used together with `client`: set headers on that client.");
      }
      this.client = config.client;
    } else {
      this.client = createRemoteClient({ ...config, headers: config.headerFactory ?? (() => this.headers) });
    }
  }

  /** A copy with its own headers and runs; what was looked up about the graph is shared. */
  override clone(): this {
    const copy: this = Object.assign(super.clone(), {
      config: this.config,
      agentName: this.agentName,
      graphId: this.graphId,
      assistantConfig: this.assistantConfig,
      assistant: this.assistant,
      headers: { ...this.headers },
      constantSchemaKeys: [...this.constantSchemaKeys],
      enableLegacyOnInterruptEvent: this.enableLegacyOnInterruptEvent,
      emitInterruptOutcome: this.emitInterruptOutcome,
      messagesInProcess: {},
      emittedToolCallStartIds: new Set(),
      reasoningProcess: null,
      lookups: this.lookups,
      logger: this.logger,
      liveRuns: new Set(),
      client: this.client,
    });
    if (!this.config.client && !("graph" in this.config)) copy.connectHome();
    return copy;
  }

  /**
   * Every event of a run goes through here. Override it to change or leave out events.
   *
   * @returns Whether the event was sent.
   */
  dispatchEvent(event: ProcessedEvents): boolean {
    this.subscriber.next(event);
    return true;
  }

  protected override async onInitialize(input: RunAgentInput, subscribers: AgentSubscriber[]): Promise<void> {
    reconcileLegacyResumeInterrupts(this, input);
    if (this.config.resumeWithUserMessage) letUserMessageAnswer(this, input);
    return super.onInitialize(input, subscribers);
  }

  /** One run as AG-UI events, with exactly one RUN_FINISHED or RUN_ERROR at its end. Unsubscribing stops the graph. */
  run(input: RunAgentInput): Observable<ProcessedEvents> {
    return new Observable((downstream) => {
      const run = this.beginRun(input, downstream);
      run.runAgentStream(input as RunAgentExtendedInput, run.subscriber).catch((error) => run.failOf(error));
      return () => {
        run.cancellation.request();
        if (this.activeRun === run.activeRun) this.activeRun = undefined;
      };
    });
  }

  /**
   * What a client needs when it comes back to a thread, for instance after a reload: the history, the state, the
   * interrupts that wait for answers, and the rest of the run that is still going on. A thread that does not exist
   * gives an empty history. Unsubscribing lets that run go on; `abortRun` stops it.
   */
  protected override connect(input: RunAgentInput): Observable<ProcessedEvents> {
    return new Observable((downstream) => {
      const run = this.beginRun(input, downstream);
      run.connectThread(run.wellFormed(input as RunAgentExtendedInput)).catch((error) => run.failOf(error));
      return () => run.cancellation.leave();
    });
  }

  private async connectThread(input: RunAgentExtendedInput): Promise<void> {
    const { threadId } = input;
    const settings = this.runSettings(input);
    const streamMode = input.forwardedProps?.streamMode ?? STREAM_MODES;
    this.startRun(input);
    const { client } = this;
    const { state, underWay, live } = await findThread({
      ...settings,
      client,
      threadId,
      streamMode,
      messages: input.messages,
      acceptedRows: (modes, rowsIn) => this.acceptedRows(modes, rowsIn),
    });
    this.reportRepairs();
    this.noteUnderWay(underWay);
    await this.findHidden(state, input);
    const waiting = live ? [] : pendingInterrupts(state);
    const messages = this.withUnderWay(state.values.messages);
    // It goes to the thread with the answer; until then only the client has it.
    if (waiting.length > 0) this.held = saidByUser(input.messages, messages);
    this.sendSnapshots(state.values, input);
    if (!live) {
      this.tellStoredFailures(state);
      return this.finish(input, this.waitingFor(waiting, input));
    }
    const known = { ...input, messages: this.shownMessages(input).of(messages) };
    await this.handleStreamEvents(
      { streamResponse: live, state },
      threadId,
      this.subscriber,
      known,
      streamMode,
    );
  }

  /** The object of one run: it inherits from the agent and has what changes during a run as its own. */
  private beginRun(input: RunAgentInput, downstream: Subscriber<ProcessedEvents>): this {
    const run: this = Object.create(this);
    run.activeRun = {
      id: input.runId,
      threadId: input.threadId,
      hasFunctionStreaming: false,
      modelMadeToolCall: false,
      manuallyEmittedState: null,
      usage: [],
    };
    run.messagesInProcess = {};
    run.emittedToolCallStartIds = new Set();
    run.reasoningProcess = null;
    run.repairs = [];
    run.held = [];
    run.nodeFailures = undefined;
    run.underWay = [];
    run.translator = undefined;
    run.subscriber = gateSubscriber(downstream, (message) => this.logger.debug(message));
    run.cancellation = createCancellation({
      client: this.client,
      onCancelled: () => run.finish(input, { kind: "cancelled" }),
      debug: (message) => this.logger.debug(message),
    });
    this.liveRuns.add(run.cancellation);
    this.activeRun = run.activeRun;
    return run;
  }

  /** Runs from start to terminal event. Rejects with what broke; `run` turns that into RUN_ERROR. */
  async runAgentStream(input: RunAgentExtendedInput, subscriber: Subscriber<ProcessedEvents>): Promise<void> {
    if (!this.cancellation) return this.beginRun(input, subscriber).runAgentStream(input, subscriber);
    this.subscriber = subscriber;
    const run = this.wellFormed(input);
    const { threadId } = run;
    this.startRun(run);
    const streamMode = input.forwardedProps?.streamMode ?? STREAM_MODES;
    const prepared = await this.prepareStream(run, streamMode);
    if (!prepared) return;
    await this.handleStreamEvents(prepared, threadId, subscriber, run, streamMode);
    this.noteSeen(threadId);
  }

  /** The input with lists where lists belong, and with the failures that the client could not say. */
  private wellFormed(input: RunAgentExtendedInput): RunAgentExtendedInput {
    const tools = Array.isArray(input.tools) ? input.tools : [];
    const messages = inferToolErrors(
      Array.isArray(input.messages) ? input.messages : [],
      new Set(tools.map((tool) => tool?.name)),
      this.config.inferToolErrors ?? true,
    );
    return { ...input, threadId: input.threadId ?? randomUUID(), tools, messages };
  }

  /**
   * Sends the run to the graph.
   *
   * @returns The stream, or nothing where the run has ended already: cancelled, or the thread waits for
   *   answers to its interrupts.
   */
  async prepareStream(
    input: RunAgentExtendedInput,
    streamMode: StreamMode | StreamMode[],
  ): Promise<MaybeStream> {
    return this.send(input, streamMode);
  }

  /** {@link prepareStream} for a run that starts again before a message, and says it as it is in `messageCheckpoint`. */
  async prepareRegenerateStream(
    { messageCheckpoint, ...input }: RegenerateInput,
    streamMode: StreamMode | StreamMode[],
  ): Promise<MaybeStream<Required<PreparedStream>>> {
    return this.send(input, streamMode, messageCheckpoint);
  }

  /** Translates the stream to its end, and ends the run. */
  async handleStreamEvents(
    stream: MaybeStream,
    threadId: string,
    subscriber: Subscriber<ProcessedEvents>,
    input: RunAgentExtendedInput,
    streamMode: StreamMode | StreamMode[],
  ): Promise<void> {
    if (!stream) return;
    const { streamResponse, state } = stream;
    this.subscriber = subscriber;
    const translator = this.createTranslator(input, state);
    this.translator = translator;
    this.nodeFailures = createNodeFailures();
    this.handleNodeChange(input.forwardedProps?.nodeName);
    try {
      for await (const row of streamResponse) {
        if (this.cancellation.signal.aborted) break;
        this.handleRow(row, threadId);
      }
    } catch (error) {
      if (!this.cancellation.requested) throw error;
    }
    if (this.cancellation.requested) return;
    const [first] = this.tellNodeErrors(translator);
    const { error } = translator;
    const failure = error && describeRunError(error, first && asRunError(first));
    this.dispatchAll(translator.end(failure));
    if (failure) return this.fail(failure);
    const next = await this.conclude(translator, state, input);
    if (!next) return;
    const going = await this.prepareStream(next, streamMode);
    if (going) await this.handleStreamEvents(going, threadId, subscriber, next, streamMode);
  }

  /** Stops every run of this agent, on the server too. A stopped run ends with RUN_FINISHED. */
  override abortRun(): void {
    for (const cancellation of this.liveRuns) cancellation.request();
    super.abortRun();
  }

  /**
   * What the agent can do, in AG-UI's terms. What depends on what the graph does is not declared, which means unknown.
   * A graph in this process without a checkpointer keeps no state.
   */
  override async getCapabilities(): Promise<AgentCapabilities> {
    const { graph, stateUpdates }: LangGraphAgentConfig & Partial<LocalLangGraphAgentConfig> = this.config;
    return {
      identity: { type: "langgraph", name: this.agentName ?? this.graphId },
      humanInTheLoop: { supported: true, interrupts: true, approveWithEdits: true },
      state: {
        snapshots: true,
        deltas: stateUpdates === "delta",
        persistentState: !graph || hasCheckpointer(compiledGraph(graph)),
      },
      transport: { streaming: true },
    };
  }
}
