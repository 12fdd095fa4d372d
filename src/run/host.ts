import type { Interrupt, ResumeEntry } from "@ag-ui/client";
import type {
  Assistant,
  Client,
  Config,
  Interrupt as LangGraphInterrupt,
  Thread,
  ThreadState,
} from "@langchain/langgraph-sdk";
import type { PrepareHistoryOptions } from "../history/prepare";
import type {
  LangChainMessage,
  MessageChannel,
  RunAgentExtendedInput,
  RunMetadata,
  SchemaKeys,
  State,
  StateEnrichment,
} from "../types";

/** What the preparation of a run needs of the agent; what applications override is called on it. */
export interface RunHost {
  client: Client;
  activeRun?: RunMetadata;
  assistantConfig?: Config;
  headers: Record<string, string>;
  getAssistant(): Promise<Assistant>;
  getSchemaKeys(): Promise<SchemaKeys>;
  getOrCreateThread(threadId: string, metadata?: Record<string, unknown>): Promise<Thread>;
  getCheckpointByMessage(messageId: string, threadId: string): Promise<ThreadState>;
  mergeConfigs(args: { configs: Config[]; assistant: Assistant; schemaKeys: SchemaKeys }): Promise<Config>;
  langGraphDefaultMergeState(
    state: State,
    messages: LangChainMessage[],
    input: RunAgentExtendedInput,
  ): State<StateEnrichment>;
}

/** What the rooms below the agent need to know of its configuration for one run. */
export interface RunSettings {
  /** The agent's protected hooks. */
  interruptsToAGUI(interrupts: readonly LangGraphInterrupt[]): Interrupt[];
  buildCommandResumeFromAgui(
    entries: readonly ResumeEntry[],
    context: { openInterrupts: Interrupt[] },
  ): unknown;
  /** The schema keys; `null` where they are not known yet, which takes longer to find out where they are needed. */
  schemaKeys(need: "optional" | "needed"): Promise<SchemaKeys>;
  history: Pick<
    PrepareHistoryOptions,
    "allowedToolNames" | "danglingCalls" | "toolErrorContent" | "onRepair"
  >;
  /** Whether a new message of the user answers the interrupt that is pending. */
  resumeWithUserMessage: boolean;
  /** What the graph's messages do with what they are sent, as far as it is known. */
  messageChannel(): MessageChannel;
  signal: AbortSignal;
  onServerRun(runId: string): void;
  warn(message: string): void;
}
