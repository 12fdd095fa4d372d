import type { GuardContext } from "./context";
import type { Pairing } from "./pairing";
import { idText, type ToolResult } from "./shapes";

/** A result whose call is on no message before it is left out of the history. No call is ever made up for it. */
export function reportOrphans(pairing: Pairing, context: GuardContext): void {
  for (const result of pairing.orphans) reportOrphan(result, context);
}

export function reportOrphan(result: ToolResult, context: GuardContext): void {
  const detail = "The result was dropped: no assistant message before it made its call.";
  context.report("orphan-result", result, detail, idText(result.tool_call_id));
}
