import type {
  Message as AguiMessage,
  CustomEvent,
  MessagesSnapshotEvent,
  RawEvent,
  ReasoningEncryptedValueEvent,
  ReasoningEndEvent,
  ReasoningMessageContentEvent,
  ReasoningMessageEndEvent,
  ReasoningMessageStartEvent,
  ReasoningStartEvent,
  RunAgentInput,
  RunErrorEvent,
  RunFinishedEvent,
  RunStartedEvent,
  StateDeltaEvent,
  StateSnapshotEvent,
  StepFinishedEvent,
  StepStartedEvent,
  SubagentErrorEvent,
  SubagentFinishedEvent,
  SubagentStartedEvent,
  TextMessageContentEvent,
  TextMessageEndEvent,
  TextMessageStartEvent,
  TokenUsage,
  ToolCallArgsEvent,
  ToolCallEndEvent,
  ToolCallResultEvent,
  ToolCallStartEvent,
  ToolMessage,
} from "@ag-ui/client";
import type { MessageType } from "@langchain/core/messages";
import type { AssistantGraph, Client, Message, StreamMode, ThreadState } from "@langchain/langgraph-sdk";

export type { AguiMessage };

/** A LangChain message as a plain object with a `type`: the form in which LangGraph servers send and take messages. */
export type LangChainMessage = Message;

/**
 * The tool message that the agent works with: the AG-UI tool message, whose `error` says that the call
 * failed and with which text, plus LangChain's `status` for callers that know only that it failed.
 *
 * @see https://docs.ag-ui.com/concepts/messages#tool-messages
 */
export type AgentToolMessage = ToolMessage & {
  /** The text of the failure. Missing or empty: the call succeeded (unless `status` says otherwise). */
  error?: string;
  /** `"error"` without an `error` text is a failure whose text is not known. */
  status?: "success" | "error";
};

/** The LangGraph callback events that the adapter translates. */
export enum LangGraphEventTypes {
  OnChainStart = "on_chain_start",
  OnChainStream = "on_chain_stream",
  OnChainEnd = "on_chain_end",
  OnChatModelStart = "on_chat_model_start",
  OnChatModelStream = "on_chat_model_stream",
  OnChatModelEnd = "on_chat_model_end",
  OnToolStart = "on_tool_start",
  OnToolEnd = "on_tool_end",
  OnToolError = "on_tool_error",
  OnCustomEvent = "on_custom_event",
  OnInterrupt = "on_interrupt",
}

/** The custom events by which a graph emits messages, tool calls and state by hand, or asks to exit. */
export enum CustomEventNames {
  ManuallyEmitMessage = "manually_emit_message",
  ManuallyEmitToolCall = "manually_emit_tool_call",
  ManuallyEmitState = "manually_emit_state",
  Exit = "exit",
}

/** A tool of the client in the form in which it reaches the graph: OpenAI's function form, named twice. */
export type LangGraphToolWithName = {
  type: "function";
  name?: string;
  function: { name: string; description: string; parameters: unknown };
};

// The official package declares state values as `any`, and applications read them as such.
// biome-ignore lint/suspicious/noExplicitAny: see above
type AnyRecord = Record<string, any>;

/** The state of a graph: its channels by name. */
export type State<TDefinedState = AnyRecord> = {
  [k in keyof TDefinedState]: TDefinedState[k] | null;
} & AnyRecord;

/** What the adapter adds to the state that a run starts with. */
export interface StateEnrichment {
  messages: Message[];
  tools: LangGraphToolWithName[];
  "ag-ui": {
    tools: LangGraphToolWithName[];
    context: RunAgentInput["context"];
    inject_a2ui_tool?: boolean | string;
  };
}

/** The keys of a graph's schemas; `null` where a schema is not known, so that nothing is filtered by it. */
export type SchemaKeys = {
  input: string[] | null;
  output: string[] | null;
  context: string[] | null;
  config: string[] | null;
} | null;

/** The text or tool call that a model is streaming now. */
export type MessageInProgress = {
  id: string;
  toolCallId?: string | null;
  toolCallName?: string | null;
};

/** Messages in progress by run id. */
export type MessagesInProgressRecord = Record<string, MessageInProgress | null>;

/** One piece of a model's reasoning, whatever the provider calls it. */
export interface LangGraphReasoning {
  type: "text";
  text: string;
  index: number;
  signature?: string;
  id?: string;
}

/** The reasoning block that is open. */
export type ReasoningInProgress = {
  index: number;
  type?: LangGraphReasoning["type"];
  messageId: string;
  signature?: string;
};

/** What is known of the run that is going on; subclasses read and write it as `activeRun`. */
export interface RunMetadata {
  /** The client's run id: the id of every event of the run. */
  id: string;
  /** The id that the LangGraph server gave the run, as soon as the stream tells it. Only for cancelling. */
  serverRunId?: string;
  serverRunIdKnown?: boolean;
  threadId?: string;
  schemaKeys?: SchemaKeys;
  graphInfo?: AssistantGraph;
  nodeName?: string;
  prevNodeName?: string | null;
  exitingNode?: boolean;
  manuallyEmittedState?: State | null;
  hasFunctionStreaming?: boolean;
  modelMadeToolCall?: boolean;
  currentTextMessageId?: string;
  usage?: TokenUsage[];
}

/** A tool call as LangChain holds it. */
export interface ToolCall {
  id: string;
  name: string;
  args: Record<string, unknown>;
}

/** A message as LangGraph servers send it, in the official package's terms; the adapter works on {@link LangChainMessage}. */
export type LangGraphPlatformMessage =
  | PlatformMessage
  | (PlatformMessage & { tool_calls: ToolCall[] })
  | (PlatformMessage & { tool_call_id: string; name: string });

type PlatformMessage = Omit<Message, "type"> & {
  content: string;
  role: string;
  additional_kwargs?: Record<string, unknown>;
  type: MessageType;
};

/** Says that the arguments of `tool` predict the state key `state_key` while they stream. */
export interface PredictStateTool {
  tool: string;
  state_key: string;
  tool_argument: string;
}

/** One row of a LangGraph stream: `event` is the stream mode, with the namespace behind it (`values|worker:uuid`). */
export interface StreamRow {
  event: string;
  data: unknown;
  id?: string;
}

/**
 * One repair of a history, told to `onRepair` and `onHistoryRepair`. Names ids, never contents.
 */
export interface HistoryRepair {
  kind: HistoryRepairKind;
  /** The id of the message that was repaired; empty when it had none. */
  messageId: string;
  toolCallId?: string;
  /** One sentence for a person: what was wrong and what was done. */
  detail: string;
}

export type HistoryRepairKind =
  | "dangling-call"
  | "text-call-promoted"
  | "orphan-result"
  | "duplicate-result"
  | "placeholder-replaced"
  | "result-moved"
  | "call-id-reused"
  | "call-id-missing"
  | "call-id-mapped"
  | "tool-name-restored"
  | "arguments-repaired"
  | "arguments-replaced"
  | "empty-content"
  | "failure-made-legible"
  | "role-mapped"
  | "message-skipped"
  | "reserved-key"
  | "message-id-missing";

/** Every AG-UI event that the agent sends. */
export type ProcessedEvents =
  | TextMessageStartEvent
  | TextMessageContentEvent
  | TextMessageEndEvent
  | ReasoningStartEvent
  | ReasoningMessageStartEvent
  | ReasoningMessageContentEvent
  | ReasoningMessageEndEvent
  | ReasoningEndEvent
  | ReasoningEncryptedValueEvent
  | ToolCallStartEvent
  | ToolCallArgsEvent
  | ToolCallEndEvent
  | ToolCallResultEvent
  | StateSnapshotEvent
  | StateDeltaEvent
  | MessagesSnapshotEvent
  | RawEvent
  | CustomEvent
  | RunStartedEvent
  | RunFinishedEvent
  | RunErrorEvent
  | StepStartedEvent
  | StepFinishedEvent
  | SubagentStartedEvent
  | SubagentFinishedEvent
  | SubagentErrorEvent;

/** What a run of the LangGraph SDK takes besides its input; clients pass it as `forwardedProps`. */
type RunPayload = NonNullable<Parameters<Client["runs"]["stream"]>[2]>;

/** A run's stream, ready to be translated, and the thread as the run found it. */
export interface PreparedStream {
  // The SDK's rows, which it types by stream mode; the official declaration comes out as `any` as well.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  streamResponse: AsyncGenerator<any>;
  state: ThreadState<State>;
  streamMode?: StreamMode | StreamMode[];
}

/** Nothing where the run has ended before it was sent. */
// biome-ignore lint/suspicious/noConfusingVoidType: overrides of subclasses are declared with the official type
export type MaybeStream<Stream = PreparedStream> = Stream | void;

/** An AG-UI run input whose `forwardedProps` are those that the adapter reads. */
export type RunAgentExtendedInput<TStreamMode extends StreamMode | StreamMode[] = StreamMode | StreamMode[]> =
  Omit<RunAgentInput, "forwardedProps"> & {
    forwardedProps?: Omit<RunPayload, "input" | "streamMode" | "streamSubgraphs"> & {
      streamMode?: TStreamMode;
      streamSubgraphs?: boolean;
      nodeName?: string;
      threadMetadata?: Record<string, unknown>;
      injectA2UITool?: boolean | string;
    };
  };

/** The input of a run that starts again before `messageCheckpoint`, and says that message as it is there. */
export interface RegenerateInput extends RunAgentExtendedInput {
  messageCheckpoint: Message;
}

/**
 * What the `messages` of a graph do with what they are sent: `"merges"` as LangGraph's message reducer does, by id and
 * with remove markers; `"appends"` it; or `"replaces"` all by it, where the channel has no reducer.
 */
export type MessageChannel = "merges" | "appends" | "replaces";
