import type { LangChainMessage } from "../types";
import {
  type AiMessage,
  callsOf,
  idText,
  isAi,
  isToolResult,
  type NativeCall,
  type ToolResult,
} from "./shapes";

/** A native call with the results that name it. What the guards decide about it is written into it. */
export interface Call {
  readonly original: NativeCall;
  readonly index: number;
  /** The results that name this call, in their order. */
  readonly candidates: ToolResult[];
  id: string;
  name: string;
  /** The one that was chosen, as it stands in the history. */
  chosen?: ToolResult;
  /** The chosen one as it is kept: it may have taken the message id of what it replaces. */
  result?: ToolResult;
  /** Nothing will answer it: it is given a failed result. */
  unanswered?: boolean;
  /** It is taken out of its message. */
  removed?: boolean;
}

/** An assistant message with native calls. */
export interface Turn {
  readonly at: number;
  readonly message: AiMessage;
  readonly calls: Call[];
}

/** Which result belongs to which call. */
export interface Pairing {
  readonly turns: ReadonlyMap<number, Turn>;
  readonly calls: readonly Call[];
  readonly callOfResult: ReadonlyMap<ToolResult, Call>;
  readonly turnOfCall: ReadonlyMap<Call, Turn>;
  /** Results whose call id is on no assistant message before them. */
  readonly orphans: ReadonlySet<ToolResult>;
}

/**
 * Gives each tool result to a call before it, by id. Where an id was used several times, a result goes to the
 * first open call since the last user message, else to the latest open one, else it is one more result of the
 * latest call.
 *
 * @param assigned The results whose call is known already.
 */
export function pairCalls(
  messages: readonly LangChainMessage[],
  assigned: ReadonlyMap<ToolResult, NativeCall> = new Map(),
): Pairing {
  const turns = new Map<number, Turn>();
  const calls: Call[] = [];
  const callOfResult = new Map<ToolResult, Call>();
  const turnOfCall = new Map<Call, Turn>();
  const orphans = new Set<ToolResult>();
  const byId = new Map<string, Namesakes>();
  const byOriginal = new Map<NativeCall, Call>();
  let barrier = 0;

  for (const [at, message] of messages.entries()) {
    if (isAi(message)) {
      const own = callsOf(message);
      if (own.length === 0) continue;
      const turn: Turn = { at, message, calls: own.map(openCall) };
      turns.set(at, turn);
      for (const call of turn.calls) {
        calls.push(call);
        turnOfCall.set(call, turn);
        if (assigned.size > 0) byOriginal.set(call.original, call);
        namesakes(byId, call.id).add(call, at);
      }
    } else if (isToolResult(message)) {
      const original = assigned.get(message);
      const known = original && byOriginal.get(original);
      const call = known ?? byId.get(idText(message.tool_call_id))?.take(barrier);
      if (call) {
        call.candidates.push(message);
        callOfResult.set(message, call);
      } else orphans.add(message);
    } else barrier = at;
  }
  return { turns, calls, callOfResult, turnOfCall, orphans };
}

function openCall(original: NativeCall, index: number): Call {
  return { original, index, candidates: [], id: idText(original.id), name: idText(original.name) };
}

function namesakes(byId: Map<string, Namesakes>, id: string): Namesakes {
  const found = byId.get(id) ?? new Namesakes();
  byId.set(id, found);
  return found;
}

/** The calls with one id. Each call is stepped over once, so that ten thousand of one id cost no more than of many. */
class Namesakes {
  private readonly entries: { call: Call; at: number }[] = [];
  /** Open calls from before the last user message, by their message; those of the latest message are taken first. */
  private readonly abandoned: { at: number; calls: Call[]; next: number }[] = [];
  private cursor = 0;

  add(call: Call, at: number): void {
    this.entries.push({ call, at });
  }

  take(barrier: number): Call | undefined {
    for (; this.cursor < this.entries.length; this.cursor += 1) {
      const entry = this.entries[this.cursor];
      if (!entry || entry.call.candidates.length > 0) continue;
      if (entry.at >= barrier) return entry.call;
      this.abandon(entry.call, entry.at);
    }
    return this.takeAbandoned() ?? this.entries.at(-1)?.call;
  }

  private abandon(call: Call, at: number): void {
    const latest = this.abandoned.at(-1);
    if (latest?.at === at) latest.calls.push(call);
    else this.abandoned.push({ at, calls: [call], next: 0 });
  }

  private takeAbandoned(): Call | undefined {
    const latest = this.abandoned.at(-1);
    const call = latest?.calls[latest.next];
    if (!latest || !call) return undefined;
    latest.next += 1;
    if (latest.next === latest.calls.length) this.abandoned.pop();
    return call;
  }
}
