import { AbstractAgent, EventType, type Interrupt, type ResumeEntry } from "@ag-ui/client";
import type {
  Assistant,
  Client,
  Config,
  Interrupt as LangGraphInterrupt,
  Thread,
  ThreadState,
} from "@langchain/langgraph-sdk";
import type { LangGraphAgentConfig } from "./config";
import type { Logger } from "./logger";
import type { Cancellation } from "./run/cancellation";
import { mergeConfigs } from "./run/config";
import { langGraphInterruptsToAGUI } from "./run/interrupts";
import { findAssistant, type Lookups, lookUpOnce, toSchemaKeys } from "./run/lookups";
import { buildResume } from "./run/resume";
import { enrichState, filterByOutputSchema } from "./run/state";
import { checkpointBeforeMessage, getOrCreateThread } from "./run/thread";
import type { Translator } from "./stream/translator";
import type {
  LangChainMessage,
  LangGraphReasoning,
  MessageInProgress,
  MessagesInProgressRecord,
  ProcessedEvents,
  ReasoningInProgress,
  RunAgentExtendedInput,
  RunMetadata,
  SchemaKeys,
  State,
  StateEnrichment,
} from "./types";

/**
 * The members that subclasses of the official adapter call and override, each a delegation into the room
 * that does the work. `LangGraphAgent` calls them through `this`, so that what a subclass overrides is used.
 */
export abstract class LangGraphAgentMembers extends AbstractAgent {
  declare client: Client;
  declare config: LangGraphAgentConfig;
  declare graphId: string;
  declare agentName?: string;
  declare assistantConfig?: Config;
  /** The assistant that runs the graph. Setting it spares the look-up. */
  declare assistant?: Assistant;
  /** Headers of the current request: sent with every request, `x-*` ones also to the graph. */
  declare headers: Record<string, string>;
  declare constantSchemaKeys: string[];
  declare messagesInProcess: MessagesInProgressRecord;
  declare emittedToolCallStartIds: Set<string>;
  declare reasoningProcess: null | ReasoningInProgress;
  declare activeRun?: RunMetadata;
  declare enableLegacyOnInterruptEvent: boolean;
  declare emitInterruptOutcome: boolean;

  declare protected lookups: Lookups;
  declare protected logger: Logger;
  declare protected translator?: Translator;
  declare protected cancellation: Cancellation;

  abstract dispatchEvent(event: ProcessedEvents): boolean;

  /** The assistant of the graph; looked up once. */
  async getAssistant(): Promise<Assistant> {
    if (this.assistant) return this.assistant;
    this.assistant = await lookUpOnce(this.lookups, "assistant", () =>
      findAssistant(this.client, this.graphId, this.config.assistantId),
    );
    return this.assistant;
  }

  /**
   * The keys of the graph's schemas, by which a run's input and its snapshots are filtered. `null` where the
   * home of the graph cannot tell: then nothing is filtered, so that no state key is lost.
   */
  async getSchemaKeys(): Promise<SchemaKeys> {
    try {
      const { assistant_id } = await this.getAssistant();
      const schema = await this.client.assistants.getSchemas(assistant_id, {
        signal: this.cancellation?.signal,
      });
      return toSchemaKeys(schema, this.constantSchemaKeys);
    } catch {
      this.logger.debug(`The schema of graph "${this.graphId}" is not known; state keys are not filtered.`);
      return { input: null, output: null, context: [], config: [] };
    }
  }

  getThread(threadId: string): Promise<Thread> {
    return this.client.threads.get(threadId);
  }

  createThread(payload?: Parameters<Client["threads"]["create"]>[0]): Promise<Thread> {
    return this.client.threads.create(payload);
  }

  /** The thread, created where the server answers 404; any other answer is thrown as it is. */
  getOrCreateThread(threadId: string, threadMetadata?: Record<string, unknown>): Promise<Thread> {
    return getOrCreateThread({
      get: () => this.getThread(threadId),
      create: () => this.createThread({ threadId, metadata: threadMetadata }),
    });
  }

  /**
   * The checkpoint right before a message, with the state that came together with it. Throws where there is none.
   *
   * @param checkpoint Where to look back from. Default: the thread's present checkpoint.
   */
  getCheckpointByMessage(
    messageId: string,
    threadId: string,
    checkpoint?: null | { checkpoint_id?: null | string; checkpoint_ns: string },
  ): Promise<ThreadState> {
    const newest = checkpoint?.checkpoint_id;
    return checkpointBeforeMessage(this.client, threadId, messageId, newest) as Promise<ThreadState>;
  }

  async mergeConfigs(args: {
    configs: Config[];
    assistant: Assistant;
    schemaKeys: SchemaKeys;
  }): Promise<Config> {
    return mergeConfigs({ ...args, constantKeys: this.constantSchemaKeys });
  }

  /**
   * The state that a run starts with. Override it to put more into the graph's state.
   *
   * @param state What the client changed in the state.
   * @param messages The messages that the graph does not have yet, and repairs of those that it has.
   */
  langGraphDefaultMergeState(
    state: State,
    messages: LangChainMessage[],
    input: RunAgentExtendedInput,
  ): State<StateEnrichment> {
    return enrichState(state, messages, input);
  }

  /** LangGraph's interrupts as the client sees them. Override it together with {@link buildCommandResumeFromAgui}. */
  protected interruptsToAGUI(interrupts: readonly LangGraphInterrupt[]): Interrupt[] {
    return langGraphInterruptsToAGUI(interrupts);
  }

  /** The client's answers as LangGraph's `Command.resume`. */
  protected buildCommandResumeFromAgui(
    entries: readonly ResumeEntry[],
    context: { openInterrupts: Interrupt[] },
  ): unknown {
    return buildResume(entries, context.openInterrupts);
  }

  /** The state that the client is shown: without the keys that the graph's output schema does not have. */
  getStateSnapshot(threadState: Pick<ThreadState<State>, "values">): State {
    return filterByOutputSchema(
      threadState.values,
      this.activeRun?.schemaKeys ?? null,
      this.constantSchemaKeys,
    );
  }

  getMessageInProgress(runId: string): MessageInProgress | null {
    return this.messagesInProcess[runId] ?? null;
  }

  setMessageInProgress(runId: string, data: MessageInProgress): void {
    this.messagesInProcess[runId] = { ...this.messagesInProcess[runId], ...data };
  }

  /** @param subagentRunId The subagent whose step it is; only for clients that speak protocol 1.0. */
  startStep(nodeName: string, subagentRunId?: string): void {
    this.dispatchEvent({
      type: EventType.STEP_STARTED,
      stepName: nodeName,
      ...(subagentRunId && { subagentRunId }),
    });
  }

  endStep(nodeName = this.activeRun?.nodeName ?? "", subagentRunId?: string): void {
    this.dispatchEvent({
      type: EventType.STEP_FINISHED,
      stepName: nodeName,
      ...(subagentRunId && { subagentRunId }),
    });
  }

  handleNodeChange(nodeName: string | undefined): void {
    this.dispatchAll(this.translator?.enterNode(nodeName) ?? []);
  }

  handleReasoningEvent(reasoning: LangGraphReasoning): void {
    this.dispatchAll(this.translator?.reason(reasoning) ?? []);
  }

  /** Translates one event of the `events` mode, or one `[message, metadata]` pair of `messages-tuple`. */
  handleSingleEvent(event: unknown): void {
    const mode = Array.isArray(event) ? "messages" : "events";
    this.dispatchAll(this.translator?.translate({ event: mode, data: event }) ?? []);
  }

  /** Dispatches in order; steps go through {@link startStep} and {@link endStep}. */
  protected dispatchAll(events: readonly ProcessedEvents[]): void {
    for (const event of events) {
      if (event.type === EventType.STEP_STARTED) this.startStep(event.stepName, event.subagentRunId);
      else if (event.type === EventType.STEP_FINISHED) this.endStep(event.stepName, event.subagentRunId);
      else this.dispatchEvent(event);
    }
  }
}
