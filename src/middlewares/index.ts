export type { ToolErrorHandler, ToolErrorHandlingOptions } from "../failures/tool-error-answer";
export { ToolException } from "../failures/tool-exception";
export { withToolErrorHandling } from "../failures/with-tool-error-handling";
export {
  type FrontendCall,
  type FrontendTool,
  frontendTools,
  pendingFrontendCalls,
} from "./frontend-tools";
export { type FrontendToolsOptions, frontendToolsMiddleware } from "./frontend-tools-middleware";
export { type HistoryGuardOptions, historyGuardMiddleware } from "./history-guard";
export { type StateItem, stateItem, stateStreamingMiddleware } from "./state-streaming";
export { toolErrorHandlingMiddleware } from "./tool-error-handling";
export { type ToolFailureOptions, toolFailureMiddleware } from "./tool-failure";
