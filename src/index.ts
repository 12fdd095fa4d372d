export {
  A2UI_OPERATIONS_KEY,
  type A2UIAttemptRecord,
  type A2UIGuidelines,
  type A2UIRecoveryConfig,
  type A2UISubagentModel,
  type A2UIToolParams,
  type A2UIValidationCatalog,
  BASIC_CATALOG_ID,
  getA2UITools,
} from "./a2ui-tool";
export { type AgentToolMessage, LangGraphAgent, type ProcessedEvents } from "./agent";
export type { LangGraphAgentConfig, LangGraphAgentOptions, LocalLangGraphAgentConfig } from "./config";
export { type ModelProvider, presentToolFailures } from "./failures/model-view";
export type { NodeError } from "./failures/node-error";
export { renderFailures } from "./failures/render-failures";
export type { ToolErrorHandler, ToolErrorHandlingOptions } from "./failures/tool-error-answer";
export { ToolException } from "./failures/tool-exception";
export { withToolErrorHandling } from "./failures/with-tool-error-handling";
export { type ConvertMessagesOptions, convertMessages } from "./history/convert";
export { LangGraphHttpAgent } from "./http-agent";
export type { Logger } from "./logger";
export { langchainMessagesToAgui } from "./messages/to-agui";
export { aguiMessagesToLangChain } from "./messages/to-langchain";
export {
  buildLgCommandResumeFromAgui,
  DEFAULT_RESUME_SENTINEL_CANCELLED,
  DEFAULT_RESUME_SENTINEL_MAP,
  isLegacyCommandResume,
  langGraphInterruptsToAGUI,
  langGraphInterruptToAGUI,
  reconcileLegacyResumeInterrupts,
} from "./run/interrupts";
export type {
  HistoryRepair,
  HistoryRepairKind,
  LangGraphPlatformMessage,
  LangGraphReasoning,
  LangGraphToolWithName,
  MessageInProgress,
  MessagesInProgressRecord,
  PredictStateTool,
  ReasoningInProgress,
  RunMetadata,
  SchemaKeys,
  State,
  StateEnrichment,
  ToolCall,
} from "./types";
export { CustomEventNames, LangGraphEventTypes } from "./types";
