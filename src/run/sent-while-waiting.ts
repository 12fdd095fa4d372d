import type { AguiMessage } from "../types";
import type { MessageUnderWay } from "./under-way";

/** What a client sent to a thread that waits for answers. */
export interface SentWhileWaiting {
  /** What goes to the thread now; what is under way must not get into it a second time. */
  messages: readonly AguiMessage[];
  /** What goes with the next run: results of calls that are under way, and what the client said meanwhile. */
  held: readonly AguiMessage[];
}

/**
 * @param stored The ids of the messages that the thread holds, and of those under way.
 * @param calls Whether calls of the thread wait for their results: what was said meanwhile would tear the pairs apart.
 */
export function sentWhileWaiting(
  sent: readonly AguiMessage[],
  { underWay, stored, calls }: { underWay: readonly MessageUnderWay[]; stored(): Ids; calls: boolean },
): SentWhileWaiting {
  if (underWay.length === 0 && !calls) return { messages: sent, held: [] };
  const fateOf = judge(underWay, stored());
  const sorted = { now: [] as AguiMessage[], later: [] as AguiMessage[], never: [] as AguiMessage[] };
  let fate: keyof typeof sorted = "now";
  for (const message of [...sent].reverse()) {
    // Reasoning belongs to the message behind it.
    if (message?.role !== "reasoning") fate = fateOf(message);
    sorted[fate].push(message);
  }
  return { messages: sorted.now.reverse(), held: sorted.later.reverse() };
}

type Ids = Pick<ReadonlySet<unknown>, "has">;

function judge(underWay: readonly MessageUnderWay[], stored: Ids) {
  const ids = new Set<unknown>();
  const calls = new Set<unknown>();
  const answered = new Set<unknown>();
  for (const { message } of underWay) {
    ids.add(message.id);
    if (message.type === "tool") answered.add(message.tool_call_id);
    else if (message.type === "ai") for (const { id } of message.tool_calls ?? []) calls.add(id);
  }

  return (message: AguiMessage): "now" | "later" | "never" => {
    if (ids.has(message?.id)) return "never";
    if (!message || stored.has(message.id)) return "now";
    switch (message.role) {
      case "tool":
        if (!calls.has(message.toolCallId)) return "now";
        return answered.has(message.toolCallId) ? "never" : "later";
      case "assistant": {
        // A client whose stream broke may know a message by another id.
        const own = message.toolCalls ?? [];
        return own.length > 0 && own.every(({ id }) => calls.has(id)) ? "never" : "later";
      }
      case "activity":
        return "now";
      default:
        return "later";
    }
  };
}
