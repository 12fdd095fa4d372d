import { EventType } from "@ag-ui/client";
import { idOf, isRecord, jsonText, parseRecord, textOrNothing } from "../messages/json";
import type { LangChainMessage, ProcessedEvents } from "../types";
import type { LiveMessage } from "./live-message";
import type { OnCallStart } from "./prediction";
import type { Raw } from "./raw";
import type { Origin } from "./row";

/** A piece of a call, or a whole one, as a chunk or a message has it. */
export type CallPiece = Record<string, unknown>;

interface Call {
  id?: string;
  name?: string;
  /** All arguments so far; what of them was sent before the start could be is sent with it. */
  args: string;
  state: "unknown" | "open" | "ended" | "hidden";
}

interface Calls {
  message: LiveMessage;
  list: Call[];
  byIndex: Map<unknown, Call>;
  openCount: number;
}

/** A call that has been announced, now or before this run. */
export interface KnownCall {
  id: string;
  name?: string;
  hidden: boolean;
  /** All the calls of its message, in order. */
  siblings(): (string | undefined)[];
  message?: LiveMessage;
}

export interface ToolCalls {
  hear(message: LiveMessage, piece: CallPiece, origin: Origin): void;
  /** Says what of the whole calls has not been said yet. */
  catchUp(message: LiveMessage, calls: readonly CallPiece[], origin: Origin): void;
  /** Ends the calls whose arguments are there; those that have none yet may get them with the whole message. */
  endComplete(message: LiveMessage, origin?: Origin): void;
  endAll(message: LiveMessage, origin?: Origin): void;
  /** A whole call that no message of a model carries. */
  tell(call: { id: string; name: string; args: string; parentMessageId?: string }, origin?: Origin): void;
  find(id: string): KnownCall | undefined;
  /** Calls of a message that was there before. */
  know(message: LangChainMessage): void;
  /** Whether what was announced is what the whole message has. */
  agree(message: LiveMessage, calls: readonly CallPiece[]): boolean;
  /** Whether the message has announced a call. */
  announcedBy(message: LiveMessage): boolean;
  end(): void;
}

export function createToolCalls(
  raw: Raw,
  emit: (event: ProcessedEvents) => void,
  onStart: OnCallStart,
): ToolCalls {
  const byMessage = new Map<string, Calls>();
  const known = new Map<string, KnownCall>();
  const open = new Set<Calls>();

  const callsOf = (message: LiveMessage): Calls => {
    let calls = byMessage.get(message.id);
    if (!calls) {
      calls = { message, list: [], byIndex: new Map(), openCount: 0 };
      byMessage.set(message.id, calls);
    }
    return calls;
  };

  const callFor = (calls: Calls, piece: CallPiece, origin: Origin): Call => {
    const id = idOf(piece.id);
    const atIndex =
      piece.index === undefined || piece.index === null ? undefined : calls.byIndex.get(piece.index);
    const last = piece.index === undefined || piece.index === null ? calls.list.at(-1) : atIndex;
    const same = id === undefined ? last : calls.list.find((call) => call.id === id);
    const found = same ?? (atIndex && atIndex.id === undefined ? atIndex : undefined);
    if (found) {
      found.id ??= id;
      return found;
    }
    endComplete(calls, origin);
    const call: Call = { id, args: "", state: "unknown" };
    calls.list.push(call);
    if (piece.index !== undefined && piece.index !== null) calls.byIndex.set(piece.index, call);
    return call;
  };

  const start = (calls: Calls, call: Call, origin: Origin) => {
    const { id, name } = call;
    if (call.state !== "unknown" || id === undefined || name === undefined) return;
    const { message } = calls;
    // A call that was announced before keeps what the client has of it: its arguments must not be doubled.
    const isNew = !known.has(id);
    const hidden = !message.showsCall(name);
    call.state = isNew && !hidden ? "open" : "hidden";
    if (!isNew) return;
    known.set(id, { id, name, hidden, message, siblings: () => calls.list.map((other) => other.id) });
    onStart({ id, name }, origin);
    if (hidden) return;
    calls.openCount += 1;
    open.add(calls);
    emit({
      type: EventType.TOOL_CALL_START,
      toolCallId: id,
      toolCallName: name,
      parentMessageId: message.id,
      ...raw.of(origin),
    });
    if (call.args !== "") send(call, call.args, origin);
  };

  const send = (call: Call, delta: string, origin: Origin | undefined) => {
    if (call.state !== "open" || call.id === undefined || delta === "") return;
    emit({ type: EventType.TOOL_CALL_ARGS, toolCallId: call.id, delta, ...raw.ofToken(origin) });
  };

  const addArgs = (call: Call, delta: string, origin: Origin) => {
    call.args += delta;
    send(call, delta, origin);
  };

  const end = (calls: Calls, call: Call, origin: Origin | undefined) => {
    if (call.state !== "open" || call.id === undefined) return;
    call.state = "ended";
    calls.openCount -= 1;
    if (calls.openCount === 0) open.delete(calls);
    emit({ type: EventType.TOOL_CALL_END, toolCallId: call.id, ...raw.of(origin) });
  };

  const endComplete = (calls: Calls, origin: Origin | undefined) => {
    if (calls.openCount === 0) return;
    for (const call of calls.list) if (call.state === "open" && isWhole(call.args)) end(calls, call, origin);
  };

  const endAll = (calls: Calls, origin: Origin | undefined) => {
    calls.list.forEach((call, place) => {
      if (call.state === "unknown" && call.name !== undefined) {
        call.id ??= `${calls.message.id}-call-${place}`;
        start(calls, call, origin ?? calls.message.origin);
      }
      if (call.state === "open" && call.args === "") addArgs(call, "{}", origin ?? calls.message.origin);
      end(calls, call, origin);
    });
  };

  const catchUpCall = (calls: Calls, piece: CallPiece, place: number, origin: Origin) => {
    const id = idOf(piece.id);
    const call =
      (id === undefined ? undefined : calls.list.find((other) => other.id === id)) ??
      unnamed(calls.list[place]) ??
      addCall(calls);
    call.id ??= id ?? `${calls.message.id}-call-${place}`;
    call.name ??= textOrNothing(piece.name) ?? "";
    start(calls, call, origin);
    const whole = argsText(piece.args, "{}");
    if (call.args === "") addArgs(call, whole, origin);
    else if (whole.length > call.args.length && whole.startsWith(call.args)) {
      addArgs(call, whole.slice(call.args.length), origin);
    }
    if (isWhole(call.args)) end(calls, call, origin);
  };

  return {
    hear(message, piece, origin) {
      const calls = callsOf(message);
      const call = callFor(calls, piece, origin);
      call.name ??= textOrNothing(piece.name);
      start(calls, call, origin);
      // Some providers repeat the whole of a call that has ended.
      if (call.state !== "ended") addArgs(call, argsText(piece.args, ""), origin);
    },
    catchUp(message, pieces, origin) {
      if (pieces.length === 0) return;
      const calls = callsOf(message);
      pieces.forEach((piece, place) => {
        catchUpCall(calls, piece, place, origin);
      });
    },
    endComplete(message, origin) {
      const calls = byMessage.get(message.id);
      if (calls) endComplete(calls, origin);
    },
    endAll(message, origin) {
      const calls = byMessage.get(message.id);
      if (calls) endAll(calls, origin);
    },
    tell({ id, name, args, parentMessageId }, origin) {
      if (!known.has(id)) known.set(id, { id, name, hidden: false, siblings: () => [id] });
      emit({
        type: EventType.TOOL_CALL_START,
        toolCallId: id,
        toolCallName: name,
        ...(parentMessageId === undefined ? {} : { parentMessageId }),
        ...raw.of(origin),
      });
      if (args !== "") {
        emit({ type: EventType.TOOL_CALL_ARGS, toolCallId: id, delta: args, ...raw.ofToken(origin) });
      }
      emit({ type: EventType.TOOL_CALL_END, toolCallId: id, ...raw.of(origin) });
    },
    find: (id) => known.get(id),
    know(message) {
      const calls = wholeCallsOf(message);
      const ids = calls.map((call) => idOf(call.id));
      for (const call of calls) {
        const id = idOf(call.id);
        if (id === undefined || known.has(id)) continue;
        known.set(id, { id, name: textOrNothing(call.name), hidden: false, siblings: () => ids });
      }
    },
    agree(message, pieces) {
      const list = byMessage.get(message.id)?.list ?? [];
      if (list.some(({ state }) => state === "hidden")) return true;
      return list.length === pieces.length && list.every((call, place) => agrees(call, pieces[place]));
    },
    announcedBy: (message) =>
      byMessage.get(message.id)?.list.some(({ state }) => state === "open" || state === "ended") ?? false,
    end() {
      for (const calls of [...open]) endAll(calls, undefined);
    },
  };
}

/** The calls of a whole message. */
export function wholeCallsOf(message: LangChainMessage): CallPiece[] {
  const { tool_calls: calls } = message as { tool_calls?: unknown };
  return Array.isArray(calls) ? calls.filter(isRecord) : [];
}

/** The arguments as a client takes them: some models give an object where a text belongs. */
export function argsText(args: unknown, none: string): string {
  if (args === undefined || args === null) return none;
  return typeof args === "string" ? args : jsonText(args);
}

function unnamed(call: Call | undefined): Call | undefined {
  return call && call.id === undefined ? call : undefined;
}

function addCall(calls: Calls): Call {
  const call: Call = { args: "", state: "unknown" };
  calls.list.push(call);
  return call;
}

function agrees(call: Call, piece: CallPiece | undefined): boolean {
  if (idOf(piece?.id) !== undefined && idOf(piece?.id) !== call.id) return false;
  const whole = argsText(piece?.args, "{}");
  return call.args === whole || jsonText(parseRecord(call.args)) === whole;
}

function isWhole(args: string): boolean {
  const last = args.trimEnd().at(-1);
  if (last !== "}" && last !== "]" && last !== '"') return false;
  try {
    JSON.parse(args);
    return true;
  } catch {
    return false;
  }
}
