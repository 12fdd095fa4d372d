import { markedPrivate } from "../messages/private";
import type { AguiMessage } from "../types";

/** What nested agents have for themselves, by the message of the thread that it comes behind. */
type Groups = ReadonlyMap<string | undefined, readonly AguiMessage[]>;

interface Found {
  /** Which subagent's each message is, in the order in which the client has them. */
  owners: ReadonlyMap<string, string | undefined>;
  clientMessages: readonly AguiMessage[];
  /** What nested graphs said in this run. */
  heard: readonly AguiMessage[];
  /** The ids of the thread's messages. */
  isStored: ReadonlySet<string>;
  /** The ids of the calls that have their result in the thread. */
  isAnswered: ReadonlySet<string>;
}

/**
 * The messages of nested agents that the client has and the thread has not. What the client sent behind a message that
 * has gone from the thread has gone with it: the run has started again before it.
 */
export function privateMessages({ owners, clientMessages, heard, isStored, isAnswered }: Found): Groups {
  const fromClient = new Map(clientMessages.map((message) => [message?.id, message]));
  const shown = new Map(heard.map((message) => [message.id, message]));
  const groups = new Map<string | undefined, AguiMessage[]>();
  let anchor: string | undefined;
  let isGone = false;
  const calls = new Set<string>();
  for (const [id, subagentRunId] of owners) {
    const sent = fromClient.get(id);
    if (!sent || isStored.has(id)) isGone = false;
    if (isStored.has(id)) anchor = id;
    else if (subagentRunId === undefined) isGone ||= sent !== undefined && sent.role !== "reasoning";
    else {
      const message = shown.get(id) ?? sent;
      if (!message || isGone) continue;
      for (const call of callIdsOf(message)) calls.add(call);
      // A run that was stopped had a result of the thread's call, which then got another one.
      if (message.role === "tool" && isAnswered.has(message.toolCallId) && !calls.has(message.toolCallId))
        continue;
      const group = groups.get(anchor) ?? [];
      groups.set(anchor, group);
      insert(group, markedPrivate({ ...message, subagentRunId }));
    }
  }
  return groups;
}

/** A result comes to stand behind its call, as the client puts it. */
export function insert(group: AguiMessage[], message: AguiMessage): void {
  const call =
    message.role === "tool" ? group.findIndex((other) => callIdsOf(other).includes(message.toolCallId)) : -1;
  let at = call === -1 ? group.length : call + 1;
  while (at < group.length && group[at]?.role === "tool") at += 1;
  group.splice(at, 0, message);
}

function callIdsOf(message: AguiMessage): string[] {
  return message.role === "assistant" ? (message.toolCalls ?? []).map(({ id }) => id) : [];
}

/** The thread's messages with those of the groups behind them; the results of a message come first. */
export function withPrivate(messages: readonly AguiMessage[], groups: Groups): AguiMessage[] {
  if (groups.size === 0) return [...messages];
  const all: AguiMessage[] = [];
  let waiting = [...(groups.get(undefined) ?? [])];
  for (const message of messages) {
    if (message.role !== "tool") {
      all.push(...waiting);
      waiting = [];
    }
    all.push(message);
    waiting.push(...(groups.get(message.id) ?? []));
  }
  return [...all, ...waiting];
}
