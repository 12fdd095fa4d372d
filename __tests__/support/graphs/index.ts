export * from "./chat";
export * from "./failing-nodes";
export * from "./failures";
export * from "./interrupts";
export * from "./nested";
export * from "./questions";
export * from "./states";
export * from "./supervisor";
