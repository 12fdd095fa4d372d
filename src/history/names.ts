import type { GuardContext } from "./context";
import type { Call, Pairing } from "./pairing";

/** What a call is named where neither it nor its result says a name. */
const NO_NAME = "unknown_tool";

/** A call without a name takes its result's; a result gets the name of its call when it is placed. */
export function nameCalls(pairing: Pairing, context: GuardContext): void {
  for (const call of pairing.calls) {
    if (call.name !== "") continue;
    call.name = call.result?.name || NO_NAME;
    const message = pairing.turnOfCall.get(call)?.message ?? {};
    context.report("tool-name-restored", message, "The call had no name and was given one.", call.id);
  }
}

/**
 * Reports the name that a result takes from its call. AG-UI has no place for it, so for what a client sent it is
 * part of the conversion and only worth a word where it differs.
 */
export function reportName(call: Call, context: GuardContext): void {
  const { chosen } = call;
  if (!chosen || (!chosen.name && !context.storedIds.has(chosen.id ?? ""))) return;
  context.report("tool-name-restored", chosen, "The result was given the name of its call.", call.id);
}
