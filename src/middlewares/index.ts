export {
  type FrontendCall,
  type FrontendTool,
  frontendTools,
  pendingFrontendCalls,
} from "./frontend-tools";
export { type FrontendToolsOptions, frontendToolsMiddleware } from "./frontend-tools-middleware";
export { type StateItem, stateItem, stateStreamingMiddleware } from "./state-streaming";
export { type ToolFailureOptions, toolFailureMiddleware } from "./tool-failure";
