import { jsonText } from "../messages/json";
import type { LangChainMessage } from "../types";
import { type Call, type Pairing, pairCalls, type Turn } from "./pairing";
import { isPlaceholder } from "./placeholders";
import { idText, type ToolResult } from "./shapes";

/** Finds, for what a client sent, the messages and calls of the checkpoint that it is about. */
export class StoredCalls {
  readonly pairing: Pairing;
  private readonly turnsById = new Map<string, Turn>();
  private readonly callsById = new Map<string, Call[]>();
  private readonly broughtIds: ReadonlySet<string>;
  private readonly waiting = new Map<string, Call[]>();
  /** Where the checkpoint has an assistant message that the client sent, perhaps under another id. */
  private readonly twins = new Map<LangChainMessage, Turn>();

  constructor(
    checkpoint: readonly LangChainMessage[],
    private readonly brought: Pairing,
  ) {
    this.pairing = pairCalls(checkpoint);
    for (const turn of this.pairing.turns.values()) {
      if (turn.message.id) this.turnsById.set(turn.message.id, turn);
      for (const call of turn.calls) append(this.callsById, call.id, call);
    }
    this.broughtIds = new Set(brought.calls.map(({ id }) => id));
    this.findTwins();
  }

  /** The checkpoint's message with the same calls as this one of the client's. */
  twinOf(message: LangChainMessage): Turn | undefined {
    return this.twins.get(message);
  }

  /** The checkpoint's call that a result of the client answers: through the client's own call, else by its id alone. */
  callOf(result: ToolResult): Call | undefined {
    const own = this.brought.callOfResult.get(result);
    const ownTurn = own && this.brought.turnOfCall.get(own);
    if (own && ownTurn) {
      const turn = this.twins.get(ownTurn.message);
      return turn && counterpart(own, ownTurn, turn);
    }
    const id = idText(result.tool_call_id);
    const calls = this.broughtIds.has(id) ? undefined : this.callsById.get(id);
    return calls && (this.nextWaiting(id, calls) ?? calls.at(-1));
  }

  /** The message of the client that made the call of a result. */
  callerOf(result: ToolResult): LangChainMessage | undefined {
    const call = this.brought.callOfResult.get(result);
    return call && this.brought.turnOfCall.get(call)?.message;
  }

  private findTwins(): void {
    const nth = new Map<string, number>();
    for (const turn of this.brought.turns.values()) {
      const [first] = turn.calls;
      if (!first) continue;
      const seen = nth.get(first.id) ?? 0;
      nth.set(first.id, seen + 1);
      const same = turn.message.id ? this.turnsById.get(turn.message.id) : undefined;
      const twin = same ?? this.twinByCalls(turn, first, seen);
      if (twin) this.twins.set(turn.message, twin);
    }
  }

  /** Only two candidates: with one id used for every call, all of them would be too many. */
  private twinByCalls(turn: Turn, { id }: Call, nth: number): Turn | undefined {
    const calls = id === "" ? undefined : this.callsById.get(id);
    for (const call of [calls?.[nth], calls?.at(-1)]) {
      const other = call && this.pairing.turnOfCall.get(call);
      if (other && isTwin(turn, other)) return other;
    }
    return undefined;
  }

  /** The calls with this id that wait for a result: those of the last message first. */
  private nextWaiting(id: string, calls: readonly Call[]): Call | undefined {
    let waiting = this.waiting.get(id);
    if (!waiting) {
      const position = (call: Call): number => this.pairing.turnOfCall.get(call)?.at ?? 0;
      waiting = calls.filter(isWaiting).sort((a, b) => position(a) - position(b) || b.index - a.index);
      this.waiting.set(id, waiting);
    }
    return waiting.pop();
  }
}

/** The same call in the checkpoint's message: by its id, or where a repair changed the id, by its place. */
function counterpart(own: Call, ownTurn: Turn, turn: Turn): Call | undefined {
  const placed = turn.calls.length === ownTurn.calls.length ? turn.calls[own.index] : undefined;
  if (placed?.id === own.id) return placed;
  const isOnly = ownTurn.calls.filter(({ id }) => id === own.id).length === 1;
  const same = isOnly ? turn.calls.find(({ id }) => id === own.id) : undefined;
  return same ?? (placed?.name === own.name ? placed : undefined);
}

const isWaiting = (call: Call): boolean => call.candidates.every(isPlaceholder);

function append(lists: Map<string, Call[]>, id: string, call: Call): void {
  const list = lists.get(id);
  if (list) list.push(call);
  else lists.set(id, [call]);
}

/** Whether two messages with different ids are one: the same calls with the same arguments, and no two answers. */
function isTwin(turn: Turn, other: Turn): boolean {
  return (
    turn.calls.length === other.calls.length &&
    turn.calls.every((call, index) => {
      const twin = other.calls[index];
      if (!twin || twin.id !== call.id || twin.name !== call.name) return false;
      if (jsonText(twin.original.args) !== jsonText(call.original.args)) return false;
      const mine = call.candidates.find((result) => !isPlaceholder(result));
      const theirs = twin.candidates.find((result) => !isPlaceholder(result));
      return !mine || !theirs || saySame(mine, theirs);
    })
  );
}

/** Whether two results say the same to a model. */
export function saySame(a: ToolResult, b: ToolResult): boolean {
  if (a === b) return true;
  if ((a.status === "error") !== (b.status === "error")) return false;
  return a.content === b.content || jsonText(a.content) === jsonText(b.content);
}
