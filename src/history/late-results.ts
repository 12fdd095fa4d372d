import type { LangChainMessage } from "../types";
import type { GuardContext } from "./context";
import type { Call, Pairing } from "./pairing";
import { isPlaceholder } from "./placeholders";
import { isToolResult, type ToolResult } from "./shapes";
import { saySame } from "./stored-calls";

/** The results that a client brings for calls of the checkpoint. */
export class LateResults {
  private readonly answered = new Set<Call>();
  /** By the position of the message that made the calls. */
  private readonly byTurn = new Map<number, ToolResult[]>();
  private readonly lastTurn: number;

  constructor(
    checkpoint: readonly LangChainMessage[],
    private readonly stored: Pairing,
    private readonly context: GuardContext,
  ) {
    this.lastTurn = checkpoint.findLastIndex((message) => !isToolResult(message));
  }

  /** Takes a result, unless its call has one, or can wait for a better one. */
  add(result: ToolResult, call: Call): void {
    const turn = this.stored.turnOfCall.get(call);
    const real = call.candidates.find((candidate) => !isPlaceholder(candidate));
    const [known = real] = real ? [] : call.candidates;
    if (!turn || real || this.answered.has(call) || (isPlaceholder(result) && this.needsNone(call))) {
      if (!known || !saySame(known, result)) this.reportDropped(result, call);
      return;
    }
    if (!isPlaceholder(result)) this.answered.add(call);
    const followed = result.tool_call_id === call.id ? result : { ...result, tool_call_id: call.id };
    this.context.assigned.set(followed, call.original);
    this.standBehind(turn.at, followed);
    if (turn.at !== this.lastTurn && call.candidates.length === 0) {
      this.context.report("result-moved", result, "The late result was put beside its call.", call.id);
    }
  }

  /** Puts a result behind the message at a position, and the results that stand there already. */
  standBehind(at: number, result: ToolResult): void {
    const beside = this.byTurn.get(at);
    if (beside) beside.push(result);
    else this.byTurn.set(at, [result]);
  }

  /** The messages with each late result behind the results that its call's message has already. */
  insertInto(messages: readonly LangChainMessage[]): LangChainMessage[] {
    if (this.byTurn.size === 0) return [...messages];
    const joined: LangChainMessage[] = [];
    let waiting: readonly ToolResult[] = [];
    for (const [at, message] of messages.entries()) {
      if (!isToolResult(message)) {
        joined.push(...waiting);
        waiting = this.byTurn.get(at) ?? [];
      }
      joined.push(message);
    }
    return [...joined, ...waiting];
  }

  /** A call that has a placeholder, or that the run is about to answer, gains nothing by one more. */
  private needsNone(call: Call): boolean {
    return call.candidates.length > 0 || this.context.openCallIds.has(call.id);
  }

  private reportDropped(result: ToolResult, call: Call): void {
    this.context.report(
      "duplicate-result",
      result,
      "The result was dropped: its call has one already.",
      call.id,
    );
  }
}
