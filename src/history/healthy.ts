import type { LangChainMessage } from "../types";
import { hasSoundCalls } from "./arguments";
import type { GuardContext } from "./context";
import { hasToSay, withoutBlanks } from "./empty-content";
import { isForEveryProvider } from "./results";
import { hasKnownType } from "./roles";
import { type AiMessage, callsOf, isAi, isToolResult, type NativeCall, type ToolResult } from "./shapes";

/**
 * Most histories are in order. They are told by one walk, which costs a small part of what the guards do.
 *
 * @returns The history with the tool's name on each result, or nothing where some guard has work to do.
 */
export function asHealthy(
  history: readonly LangChainMessage[],
  context: GuardContext,
): LangChainMessage[] | undefined {
  const walk = new Walk(context);
  let healthy: LangChainMessage[] | undefined;
  const last = history.length - 1;
  let at = -1;
  for (const message of history) {
    at += 1;
    const passed = isToolResult(message) ? walk.result(message) : walk.message(message, at === last);
    if (!passed) return undefined;
    if (passed !== message) {
      healthy ??= history.slice();
      healthy[at] = passed;
    }
  }
  return walk.mayEnd() ? (healthy ?? history.slice()) : undefined;
}

class Walk {
  private readonly callIds = new Set<string>();
  private turn: AiMessage | undefined;
  private calls: readonly NativeCall[] = [];
  private answered = 0;

  constructor(private readonly context: GuardContext) {}

  result(result: ToolResult): ToolResult | undefined {
    const call = this.calls[this.answered];
    this.answered += 1;
    if (!call || call.id !== result.tool_call_id || !isForEveryProvider(result, this.context))
      return undefined;
    if (result.name === call.name) return result;
    // What lacks a name in the checkpoint is reported, and what has another one too.
    if (result.name || this.context.storedIds.has(result.id ?? "")) return undefined;
    return { ...result, name: call.name };
  }

  message(message: LangChainMessage, isEnd: boolean): LangChainMessage | undefined {
    if (this.answered < this.calls.length || !hasKnownType(message)) return undefined;
    if (withoutBlanks(message) !== message || !hasToSay(message, isEnd, this.context)) return undefined;
    this.answered = 0;
    this.turn = isAi(message) ? message : undefined;
    this.calls = this.turn ? callsOf(this.turn) : [];
    return !this.turn || (hasSoundCalls(this.turn) && this.calls.every((call) => this.isNew(call)))
      ? message
      : undefined;
  }

  /** Whether the calls that are open now may be left to whoever still answers them. */
  mayEnd(): boolean {
    if (this.answered === this.calls.length) return true;
    if (this.context.keepLiveEnd && !this.context.settledIds.has(this.turn?.id ?? "")) return true;
    return this.calls.slice(this.answered).every(({ id }) => this.context.openCallIds.has(id ?? ""));
  }

  private isNew({ id, name }: NativeCall): boolean {
    if (typeof id !== "string" || id === "" || !name || this.callIds.has(id)) return false;
    this.callIds.add(id);
    return true;
  }
}
