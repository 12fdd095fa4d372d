import type {
  Config,
  Interrupt as LangGraphInterrupt,
  StreamMode,
  Thread,
  ThreadState,
} from "@langchain/langgraph-sdk";
import { appendNew } from "../history/append-new";
import { type PreparedHistory, type PrepareHistoryOptions, prepareHistory } from "../history/prepare";
import { isNested, withoutPrivate } from "../messages/private";
import { langchainMessagesToAgui } from "../messages/to-agui";
import { aguiMessagesToLangChain } from "../messages/to-langchain";
import type {
  AguiMessage,
  LangChainMessage,
  MessageChannel,
  RunAgentExtendedInput,
  SchemaKeys,
  State,
} from "../types";
import { shapeConfig } from "./config";
import type { RunHost, RunSettings } from "./host";
import { readResume } from "./resume";
import { isEdited, runKind } from "./run-kind";
import { justSaid, saidBesideAnswers } from "./said-meanwhile";
import { sentWhileWaiting } from "./sent-while-waiting";
import { changedByClient, filterByInputSchema } from "./state";
import { emptyState, readThreadState } from "./thread";
import { type MessageUnderWay, pendingInterrupts, threadMessages } from "./under-way";

/** A run that is ready to be sent to the graph. */
export interface PreparedRun {
  threadId: string;
  assistantId: string;
  payload: Record<string, unknown>;
  /** The thread as the run finds it, with the repaired history as its messages. */
  state: ThreadState<State>;
  /**
   * What the client said while calls wait for their results, behind which it would tear the pairs apart, or while
   * messages are under way. It comes behind these.
   */
  held: readonly AguiMessage[];
  /** What the client may have and the thread does not hold yet. */
  underWay: readonly MessageUnderWay[];
  /**
   * Where the payload asks the graph's reducer to replace or remove messages: the payload of the same run, from the
   * same checkpoint, for a reducer that can only append.
   */
  payloadWithoutRepair?(): Record<string, unknown>;
}

/** A run that is not sent: the thread waits for answers to these interrupts. */
export interface InterruptedThread {
  threadId: string;
  interrupts: LangGraphInterrupt[];
  state: ThreadState<State>;
  held: readonly AguiMessage[];
  underWay: readonly MessageUnderWay[];
}

/** A run that starts again before one of the thread's messages: prepared by naming that message to {@link prepareRun}. */
export interface RunAgain {
  messageCheckpoint: LangChainMessage;
}

/**
 * What a run sends to LangGraph: it starts, continues, resumes, or starts again before a message.
 *
 * @param again The message to start again before, as it is to be said now.
 */
export async function prepareRun(
  host: RunHost,
  settings: RunSettings,
  clientInput: RunAgentExtendedInput,
  streamMode: StreamMode | StreamMode[],
  again?: LangChainMessage,
): Promise<PreparedRun | InterruptedThread | RunAgain> {
  const [assistant, found] = await Promise.all([host.getAssistant(), findThread(host, clientInput)]);
  const { threadId } = found;
  const interrupts = pendingInterrupts(found.state);
  const { settled, underWay } = threadMessages(found.state);
  const all = underWay.length > 0 ? [...settled, ...underWay.map(({ message }) => message)] : settled;
  const stored = () => new Set<unknown>(all.map((message) => message?.id));
  const resume = readResume(clientInput, {
    pending: () => settings.interruptsToAGUI(interrupts),
    // Only messages that the thread keeps tell which of the client's are new.
    said: () =>
      settings.resumeWithUserMessage && interrupts.length === 1 && all.length > 0
        ? justSaid(clientInput.messages, stored())
        : undefined,
  });
  const resumes = resume.kind === "answers" || resume.kind === "legacy";

  const input = clientInput.messages.some(isNested)
    ? { ...clientInput, messages: withoutPrivate(clientInput.messages, stored()) }
    : clientInput;
  if (!resumes && !again) {
    const messageCheckpoint = startsAgain(all, input.messages);
    if (messageCheckpoint) return { messageCheckpoint };
  }
  const base = again ? await forkPoint(host, threadId, again.id ?? "") : undefined;
  const state = base?.state ?? found.state ?? emptyState(threadId);
  const openCallIds = resumes || interrupts.length > 0 ? unansweredCalls(settled) : new Set<string>();
  const { messages: sent, held } = sentWhileWaiting(base ? [] : input.messages, {
    underWay,
    stored,
    calls: resumes && openCallIds.size > 0,
  });
  const historyOptions = {
    ...settings.history,
    checkpoint: base ? messagesOf(base.state) : settled,
    input: again ? messagesUpTo(input, again, [...settled, ...messagesOf(state)]) : sent,
    openCallIds: base ? new Set<string>() : openCallIds,
  };
  const history = historyFor(settings.messageChannel(), historyOptions);
  const known = { ...state, values: { ...state.values, messages: history.messages } };
  const waits = interrupts.length > 0 || (resume.kind === "stale" && history.update.length === 0);
  if (waits && !resumes && !base) return { threadId, interrupts, state: known, held, underWay };

  const configs = [host.assistantConfig, input.forwardedProps?.config].filter((config) => config != null);
  const hasConfigurable = configs.some(
    ({ configurable }) => configurable && Object.keys(configurable).length > 0,
  );
  const schemaKeys = await settings.schemaKeys(hasConfigurable ? "needed" : "optional");
  if (host.activeRun) host.activeRun.schemaKeys = schemaKeys;
  const fromClient = changedByClient(base ? base.broughtByMessage : (input.state ?? {}), state.values);
  const config = await configProps(host, settings, configs, assistant, schemaKeys);
  const resumeValue =
    resume.kind === "answers"
      ? settings.buildCommandResumeFromAgui(resume.entries, { openInterrupts: resume.open })
      : resume.value;
  const beside =
    resumes && settings.messageChannel() === "merges"
      ? saidBesideAnswers(history.messages, state.tasks ?? [])
      : [];
  const payloadOf = ({ update }: PreparedHistory, checkpointId?: string | null | false) => {
    const merged = mergeState(
      host,
      fromClient,
      beside.length > 0 ? withOthers(update, beside) : update,
      input,
    );
    return {
      ...sdkProps(input),
      ...config,
      ...(resumes
        ? { input: null, command: resumeCommand(input, resumeValue, merged.messages) }
        : { input: filterByInputSchema(merged, schemaKeys) }),
      ...(checkpointId && { checkpointId }),
      streamMode,
      streamSubgraphs: input.forwardedProps?.streamSubgraphs ?? true,
      signal: settings.signal,
      onRunCreated: ({ run_id }: { run_id: string }) => settings.onServerRun(run_id),
    };
  };
  return {
    threadId,
    assistantId: assistant.assistant_id,
    payload: payloadOf(history, base ? base.checkpointId : found.head),
    state: known,
    held,
    underWay: base ? [] : underWay,
    ...(history.changesStored && {
      payloadWithoutRepair: () => payloadOf(appendNew(historyOptions), state.checkpoint?.checkpoint_id),
    }),
  };
}

/** The thread and its state: both are asked for at once, since most threads exist. */
async function findThread(host: RunHost, input: RunAgentExtendedInput) {
  const early = readThreadState(host.client, input.threadId);
  early.catch(() => {});
  const thread = await host.getOrCreateThread(input.threadId, input.forwardedProps?.threadMetadata);
  const threadId = thread.thread_id ?? input.threadId;
  if (host.activeRun) host.activeRun.threadId = threadId;
  const state = await (threadId === input.threadId ? early : readThreadState(host.client, threadId));
  return { threadId, state, head: rememberedFork(thread) && state?.checkpoint?.checkpoint_id };
}

/** Some servers remember the checkpoint that a run was forked from, and start every later run there unless they are told. */
function rememberedFork(thread: Thread): boolean {
  const { config } = thread as { config?: Config };
  return typeof config?.configurable?.checkpoint_id === "string";
}

/** Where a thread is forked to run again from before a message, and the state that had come with the message. */
async function forkPoint(host: RunHost, threadId: string, messageId: string) {
  const before = (await host.getCheckpointByMessage(messageId, threadId)) as ThreadState<State>;
  const checkpointId = before.checkpoint?.checkpoint_id ?? undefined;
  const stored = checkpointId ? await host.client.threads.getState<State>(threadId, checkpointId) : undefined;
  const { messages: _, ...broughtByMessage } = before.values;
  return { checkpointId, state: { ...before, values: stored?.values ?? {} }, broughtByMessage };
}

/** A channel that replaces its messages is sent all of them, or none where there is nothing new. */
function historyFor(channel: MessageChannel, options: PrepareHistoryOptions): PreparedHistory {
  if (channel === "appends") return appendNew(options);
  const history = prepareHistory(options);
  if (channel === "merges" || history.update.length === 0) return history;
  return { ...history, update: history.messages, changesStored: false };
}

function mergeState(
  host: RunHost,
  fromClient: State,
  update: LangChainMessage[],
  input: RunAgentExtendedInput,
): State {
  const { messages: _, ...state } = fromClient;
  // What the history room decided is final: a message is in the update because the checkpoint needs it,
  // also where its id is known there. So the hook is asked with an empty list of known messages.
  // It leaves out a system message that leads, as a client's does. That one has gone already: one that leads the update
  // has come later, and stands twice for it.
  const [first] = update;
  const sent = first?.type === "system" ? [first, ...update] : update;
  return host.langGraphDefaultMergeState({ ...state, messages: [] }, sent, input);
}

function withOthers(update: LangChainMessage[], others: readonly LangChainMessage[]): LangChainMessage[] {
  const ids = new Set(update.map(({ id }) => id));
  return [...others.filter(({ id }) => !ids.has(id)), ...update];
}

function resumeCommand(input: RunAgentExtendedInput, resume: unknown, messages: unknown) {
  const update = Array.isArray(messages) && messages.length > 0 ? { messages } : undefined;
  return { ...input.forwardedProps?.command, resume, ...(update && { update }) };
}

/** The client's properties that the SDK's run payload has; those that are only for the adapter stay here. */
function sdkProps(input: RunAgentExtendedInput): Record<string, unknown> {
  const { nodeName, threadMetadata, injectA2UITool, config, command, ...rest } = input.forwardedProps ?? {};
  return command ? { ...rest, command } : rest;
}

async function configProps(
  host: RunHost,
  settings: RunSettings,
  configs: Config[],
  assistant: Awaited<ReturnType<RunHost["getAssistant"]>>,
  schemaKeys: SchemaKeys,
) {
  const config = configs.length > 0 ? await host.mergeConfigs({ configs, assistant, schemaKeys }) : undefined;
  return shapeConfig({ config, schemaKeys, headers: host.headers ?? {}, warn: settings.warn });
}

function messagesOf(state: ThreadState<State> | undefined): LangChainMessage[] {
  const messages: unknown = state?.values?.messages;
  return Array.isArray(messages) ? messages : [];
}

function startsAgain(checkpoint: readonly LangChainMessage[], sent: readonly AguiMessage[]) {
  const kind = runKind(checkpoint, sent);
  if (kind.kind === "continue") return undefined;
  return aguiMessagesToLangChain(sent.filter((message) => message?.id === kind.messageId)).at(-1);
}

/**
 * What the client sent up to a message, which comes last, as it is to be said now. The checkpoint has most of the others,
 * but not those that came together with that message: tool results, and what only the thread knows. What neither knows
 * is the rest of a run that was given up.
 */
function messagesUpTo(
  { messages }: RunAgentExtendedInput,
  last: LangChainMessage,
  known: readonly LangChainMessage[],
): AguiMessage[] {
  const at = messages.findLastIndex((message) => message?.id === last.id);
  const stored = new Set(known.map((message) => message?.id));
  const earlier = messages.slice(0, at === -1 ? messages.length : at);
  const sent = messages[at];
  const said = sent && !isEdited(sent, last) ? [sent] : langchainMessagesToAgui([last]);
  return [
    ...earlier.filter((message) => message && (message.role === "tool" || stored.has(message.id))),
    ...said,
  ];
}

/** Calls of the last assistant message that a resumed run is still going to answer. */
function unansweredCalls(messages: readonly LangChainMessage[]): Set<string> {
  const lastCalls = messages.findLastIndex((message) => message?.type === "ai");
  const last = messages[lastCalls];
  const ids = new Set(last?.type === "ai" ? (last.tool_calls ?? []).flatMap(({ id }) => id ?? []) : []);
  for (const message of messages.slice(lastCalls + 1)) {
    if (message?.type === "tool") ids.delete(message.tool_call_id);
  }
  return ids;
}
