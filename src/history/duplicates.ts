import type { GuardContext } from "./context";
import type { Call, Pairing } from "./pairing";
import { isPlaceholder } from "./placeholders";
import type { ToolResult } from "./shapes";

/** One result per call: the first real one, or a placeholder where nothing real is there. */
export function chooseResults(pairing: Pairing, context: GuardContext): void {
  for (const call of pairing.calls) {
    const [first, ...more] = call.candidates;
    if (!first) continue;
    call.chosen = more.length > 0 ? choose(call, first, context) : first;
    // A result has one id for its whole life: the one that the checkpoint has had for it.
    const takesId = call.chosen !== first && first.id !== undefined && context.storedIds.has(first.id);
    call.result = takesId ? { ...call.chosen, id: first.id } : call.chosen;
  }
}

function choose(call: Call, first: ToolResult, context: GuardContext): ToolResult {
  const real = isPlaceholder(first) ? call.candidates.find((result) => !isPlaceholder(result)) : undefined;
  const chosen = real ?? first;
  for (const result of call.candidates) {
    if (result === chosen) continue;
    if (real && isPlaceholder(result)) {
      context.report("placeholder-replaced", result, "The placeholder gave way to the real result.", call.id);
    } else {
      context.report(
        "duplicate-result",
        result,
        "The result was dropped: its call has one already.",
        call.id,
      );
    }
  }
  return chosen;
}
