import { EventType } from "@ag-ui/client";
import { idOf, textOrNothing } from "../messages/json";
import { readMessage } from "../messages/read-message";
import type { ProcessedEvents } from "../types";
import { type Call, type CallList, createCallList } from "./call-list";
import { agrees, argsText, type CallPiece, isWhole, wholeCallsOf } from "./call-pieces";
import type { LiveMessage } from "./live-message";
import type { OnCallStart } from "./prediction";
import type { Raw } from "./raw";
import type { Origin } from "./row";

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
  noteResult(id: string): void;
  /** Messages that were there before, with their calls and results. */
  know(messages: readonly unknown[]): void;
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
  hiddenMessages: ReadonlySet<string>,
): ToolCalls {
  const byMessage = new Map<string, CallList>();
  const known = new Map<string, KnownCall>();
  /** Messages of before whose calls nobody has asked for yet: most runs ask for none, and a history may be long. */
  let unread: (readonly unknown[])[] = [];
  const open = new Set<CallList>();
  /** Calls that have their result: a model that takes a tool's name for an id makes the next call under the same one. */
  const answered = new Set<string>();

  const allKnown = (): Map<string, KnownCall> => {
    const lists = unread;
    unread = [];
    for (const messages of lists) messages.forEach(know);
    return known;
  };

  const know = (value: unknown) => {
    const message = readMessage(value);
    if (message?.type === "tool") answered.add(message.tool_call_id);
    if (message?.type !== "ai") return;
    const hidden = hiddenMessages.has(idOf(message.id) ?? "");
    const calls = wholeCallsOf(message);
    const ids = calls.map((call) => idOf(call.id));
    for (const call of calls) {
      const id = idOf(call.id);
      if (id === undefined || (known.has(id) && !answered.delete(id))) continue;
      known.set(id, { id, name: textOrNothing(call.name), hidden, siblings: () => ids });
    }
  };

  const listOf = (message: LiveMessage): CallList => {
    let list = byMessage.get(message.id);
    if (!list) {
      list = createCallList(message);
      byMessage.set(message.id, list);
    }
    return list;
  };

  const start = (list: CallList, call: Call, origin: Origin) => {
    const { id, name } = call;
    if (call.state !== "unknown" || id === undefined || name === undefined) return;
    const { message } = list;
    // A call that was announced before keeps what the client has of it: its arguments must not be doubled.
    const earlier = allKnown().get(id);
    const isNew = !earlier || (earlier.message?.id !== message.id && answered.delete(id));
    const hidden = !message.showsCall(name);
    call.state = isNew && !hidden ? "open" : "hidden";
    if (!isNew) return;
    known.set(id, { id, name, hidden, message, siblings: () => list.calls.map((other) => other.id) });
    onStart({ id, name }, origin);
    if (hidden) return;
    list.openCount += 1;
    open.add(list);
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
    emit({ type: EventType.TOOL_CALL_ARGS, toolCallId: call.id, delta, ...raw.following(origin) });
  };

  const addArgs = (call: Call, delta: string, origin: Origin) => {
    call.args += delta;
    send(call, delta, origin);
  };

  const end = (list: CallList, call: Call, origin: Origin | undefined) => {
    if (call.state !== "open" || call.id === undefined) return;
    call.state = "ended";
    list.openCount -= 1;
    if (list.openCount === 0) open.delete(list);
    emit({ type: EventType.TOOL_CALL_END, toolCallId: call.id, ...raw.following(origin) });
  };

  const endComplete = (list: CallList, origin: Origin | undefined) => {
    if (list.openCount === 0) return;
    for (const call of list.calls) if (call.state === "open" && isWhole(call.args)) end(list, call, origin);
  };

  const endAll = (list: CallList, origin: Origin | undefined) => {
    list.calls.forEach((call, place) => {
      if (call.state === "unknown" && call.name !== undefined) {
        call.id ??= placeId(list, place);
        start(list, call, origin ?? list.message.origin);
      }
      if (call.state === "open" && call.args === "") addArgs(call, "{}", origin ?? list.message.origin);
      end(list, call, origin);
    });
  };

  const catchUpCall = (list: CallList, piece: CallPiece, place: number, origin: Origin) => {
    const call = list.atPlace(piece, place);
    call.id ??= placeId(list, place);
    call.name ??= textOrNothing(piece.name) ?? "";
    start(list, call, origin);
    const whole = argsText(piece.args, "{}");
    if (call.args === "") addArgs(call, whole, origin);
    else if (whole.length > call.args.length && whole.startsWith(call.args)) {
      addArgs(call, whole.slice(call.args.length), origin);
    }
    if (isWhole(call.args)) end(list, call, origin);
  };

  return {
    hear(message, piece, origin) {
      const list = listOf(message);
      let call = list.find(piece);
      if (!call) {
        endComplete(list, origin);
        call = list.add(piece);
      }
      call.name ??= textOrNothing(piece.name);
      start(list, call, origin);
      // Some providers repeat the whole of a call that has ended.
      if (call.state !== "ended") addArgs(call, argsText(piece.args, ""), origin);
    },
    catchUp(message, pieces, origin) {
      if (pieces.length === 0) return;
      const list = listOf(message);
      pieces.forEach((piece, place) => {
        catchUpCall(list, piece, place, origin);
      });
    },
    endComplete(message, origin) {
      const list = byMessage.get(message.id);
      if (list) endComplete(list, origin);
    },
    endAll(message, origin) {
      const list = byMessage.get(message.id);
      if (list) endAll(list, origin);
    },
    tell({ id, name, args, parentMessageId }, origin) {
      if (!allKnown().has(id)) known.set(id, { id, name, hidden: false, siblings: () => [id] });
      emit({
        type: EventType.TOOL_CALL_START,
        toolCallId: id,
        toolCallName: name,
        ...(parentMessageId === undefined ? {} : { parentMessageId }),
        ...raw.of(origin),
      });
      if (args !== "") {
        emit({ type: EventType.TOOL_CALL_ARGS, toolCallId: id, delta: args, ...raw.following(origin) });
      }
      emit({ type: EventType.TOOL_CALL_END, toolCallId: id, ...raw.following(origin) });
    },
    find: (id) => allKnown().get(id),
    noteResult(id) {
      answered.add(id);
    },
    know(messages) {
      unread.push(messages);
    },
    agree(message, pieces) {
      const calls = byMessage.get(message.id)?.calls ?? [];
      if (calls.some(({ state }) => state === "hidden")) return true;
      return calls.length === pieces.length && calls.every((call, place) => agrees(call, pieces[place]));
    },
    announcedBy: (message) =>
      byMessage.get(message.id)?.calls.some(({ state }) => state === "open" || state === "ended") ?? false,
    end() {
      for (const list of [...open]) endAll(list, undefined);
    },
  };
}

/** The id that a call without one has in every snapshot. */
function placeId({ message }: CallList, place: number): string {
  return `${message.id}-call-${place}`;
}
