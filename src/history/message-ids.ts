import { jsonText } from "../messages/json";
import type { LangChainMessage } from "../types";
import type { GuardContext } from "./context";
import { digest } from "./digest";
import { idText, isAi, isToolResult } from "./shapes";

/** What the ids of a client's messages are compared with. */
export interface KnownIds {
  /** The message that the checkpoint has under an id. */
  get(id: string): LangChainMessage | undefined;
  /** The id of the checkpoint's last user message, while the model has not answered it. */
  openUserId: string | undefined;
}

/**
 * The messages of a client, each with an id of its own: the checkpoint merges by id, so what has none, or one that
 * another message has, would be doubled or lost. The ids are made from the messages: a client that sends its history
 * again without having seen them is understood.
 */
export function withMessageIds(
  messages: readonly LangChainMessage[],
  known: KnownIds,
  context: GuardContext,
): LangChainMessage[] {
  const given = new Set(messages.map(({ id }) => idText(id)));
  const used = new Map<string, LangChainMessage>();
  const counters = new Map<string, number>();
  const out: LangChainMessage[] = [];

  const fits = (id: string, message: LangChainMessage): boolean => {
    const stored = known.get(id);
    return stored === undefined || mayBeSame(stored, message);
  };

  for (const [at, message] of messages.entries()) {
    const id = idText(message.id);
    const namesake = used.get(id);
    if (namesake && isSame(namesake, message)) continue;
    if (id !== "" && fits(id, message) && (!namesake || answerSameCall(namesake, message))) {
      used.set(id, message);
      out.push(message.id === id ? message : { ...message, id });
      continue;
    }
    const isNewTurn = id === "" && at === messages.length - 1 && message.type === "human";
    const isFree = (candidate: string): boolean =>
      !given.has(candidate) &&
      !used.has(candidate) &&
      fits(candidate, message) &&
      // The last thing a client says is new, though it may have said the same before.
      !(isNewTurn && known.get(candidate) !== undefined && candidate !== known.openUserId);
    const named = { ...message, id: mintId(id || contentId(message), id === "", counters, isFree) };
    const detail =
      id === "" ? "The message had no id and was given one." : `Another message has the id ${id}.`;
    context.report("message-id-missing", named, detail);
    used.set(named.id, message);
    out.push(named);
  }
  return out;
}

function mintId(
  base: string,
  mayBeBase: boolean,
  counters: Map<string, number>,
  isFree: (id: string) => boolean,
): string {
  let count = counters.get(base) ?? (mayBeBase ? 1 : 2);
  const candidate = () => (count === 1 ? base : `${base}-${count}`);
  while (!isFree(candidate())) count += 1;
  const id = candidate();
  counters.set(base, count + 1);
  return id;
}

/** A history in which no two messages have one id; the first keeps it. */
export function withUniqueIds(
  messages: readonly LangChainMessage[],
  context: GuardContext,
): LangChainMessage[] {
  const given = new Set(messages.map(({ id }) => idText(id)));
  if (given.size === messages.length) return [...messages];
  const used = new Set<string>();
  const counters = new Map<string, number>();
  return messages.map((message) => {
    const id = idText(message.id);
    if (id === "" || !used.has(id)) {
      used.add(id);
      return message;
    }
    const fresh = mintId(id, false, counters, (candidate) => !given.has(candidate) && !used.has(candidate));
    used.add(fresh);
    context.report("message-id-missing", { id: fresh }, `Another message has the id ${id}.`);
    return { ...message, id: fresh };
  });
}

/** Whether a message of the client can be the checkpoint's message with its id: of one type, and for one call. */
function mayBeSame(stored: LangChainMessage, message: LangChainMessage): boolean {
  if (stored.type !== message.type) return false;
  if (!isToolResult(stored) || !isToolResult(message)) return true;
  const id = idText(message.tool_call_id);
  const storedId = idText(stored.tool_call_id);
  // A call id that was in use was given a number by an earlier repair.
  return storedId === id || id === "" || storedId.startsWith(`${id}-`);
}

/** Two results for one call under one id are left for the guard of duplicates to choose from. */
function answerSameCall(a: LangChainMessage, b: LangChainMessage): boolean {
  return isToolResult(a) && isToolResult(b) && idText(a.tool_call_id) === idText(b.tool_call_id);
}

function isSame(a: LangChainMessage, b: LangChainMessage): boolean {
  return a === b || (a.type === b.type && fingerprint(a) === fingerprint(b));
}

function contentId(message: LangChainMessage): string {
  return `${message.type}-${digest(fingerprint(message))}`;
}

function fingerprint(message: LangChainMessage): string {
  return jsonText([
    message.type,
    message.content,
    isAi(message) ? message.tool_calls : undefined,
    isToolResult(message) ? [message.tool_call_id, message.status] : undefined,
    message.additional_kwargs,
  ]);
}
