import * as scenes from "./graphs";

/** The graphs for a server, which finds each by the name of its export. */
export const toolLoop = scenes.toolLoop().graph;
export const agent = scenes.agent().graph;
export const notStreaming = scenes.notStreaming().graph;
export const emptyResult = scenes.emptyResult().graph;
export const reasoning = scenes.reasoning().graph;
export const sideBySide = scenes.sideBySide().graph;
export const nested = scenes.nested().graph;
export const byHand = scenes.byHand().graph;
export const resumed = scenes.resumed().graph;
export const breaksInText = scenes.breaksInText().graph;
export const breaksInCall = scenes.breaksInCall().graph;
export const fatalTool = scenes.fatalTool().graph;
