import { idOf } from "../messages/json";
import type { CallPiece } from "./call-pieces";
import type { LiveMessage } from "./live-message";

/** A call that comes into being. */
export interface Call {
  id?: string;
  name?: string;
  /** All arguments so far. They are sent as soon as the call has an id and a name. */
  args: string;
  state: "unknown" | "open" | "ended" | "hidden";
}

/** The calls of one message. Knows which call a piece belongs to: by its id, else by its index, else it is the last one's. */
export interface CallList {
  readonly message: LiveMessage;
  readonly calls: readonly Call[];
  /** How many of them the client sees as open. */
  openCount: number;
  find(piece: CallPiece): Call | undefined;
  add(piece: CallPiece): Call;
  /** The call that the whole message has at a place; one that nothing was heard of yet is added. */
  atPlace(piece: CallPiece, place: number): Call;
}

export function createCallList(message: LiveMessage): CallList {
  const calls: Call[] = [];
  const byId = new Map<string, Call>();
  const byIndex = new Map<unknown, Call>();

  const named = (call: Call, id: string | undefined): Call => {
    if (id === undefined) return call;
    call.id ??= id;
    byId.set(id, call);
    return call;
  };

  const add = (id: string | undefined): Call => {
    const call: Call = { args: "", state: "unknown" };
    calls.push(call);
    return named(call, id);
  };

  return {
    message,
    calls,
    openCount: 0,
    find({ id: rawId, index }) {
      const id = idOf(rawId);
      const atIndex = index === undefined || index === null ? calls.at(-1) : byIndex.get(index);
      if (id === undefined) return atIndex;
      const known = byId.get(id);
      if (known) return known;
      // The id may come behind the name. Without an index, a new id is a new call.
      const isNameless = atIndex && atIndex.id === undefined && byIndex.has(index);
      return isNameless ? named(atIndex, id) : undefined;
    },
    add({ id, index }) {
      const call = add(idOf(id));
      if (index !== undefined && index !== null) byIndex.set(index, call);
      return call;
    },
    atPlace({ id: rawId }, place) {
      const id = idOf(rawId);
      const known = id === undefined ? undefined : byId.get(id);
      const there = calls[place];
      return known ?? (there && there.id === undefined ? named(there, id) : add(id));
    },
  };
}
