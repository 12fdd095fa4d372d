import { isRecord } from "../messages/json";
import type { AguiMessage, LangChainMessage } from "../types";
import { isPlaceholder } from "./placeholders";
import { callsOf, idText, isAi, isToolResult } from "./shapes";

const TYPE_OF_ROLE: ReadonlyMap<unknown, string> = new Map([
  ["user", "human"],
  ["assistant", "ai"],
  ["system", "system"],
  ["tool", "tool"],
]);

/**
 * On an ordinary turn a client sends what the checkpoint has, in its order, and then what is new. The two are walked
 * side by side, without a table of ids.
 *
 * @returns The new messages; nothing where the two have to be joined with care.
 */
export function newMessages(
  checkpoint: readonly LangChainMessage[],
  input: readonly AguiMessage[],
): AguiMessage[] | undefined {
  let next = 0;
  let known = 0;
  for (const message of input) {
    if (!isRecord(message) || typeof message.id !== "string") return undefined;
    // Reasoning belongs to an assistant message and comes with it.
    if (message.role !== "reasoning") {
      const at = positionOf(message, checkpoint, next);
      if (at === undefined) break;
      const stored = checkpoint[at];
      if (!stored || stored.type !== TYPE_OF_ROLE.get(message.role)) return undefined;
      if (isToolResult(stored) && !isSameResult(stored, message)) return undefined;
      next = at + 1;
    }
    known += 1;
  }
  const fresh = input.slice(known);
  if (fresh[0]?.role === "system" && known === 0) return undefined;
  return areNew(fresh, checkpoint) ? fresh : undefined;
}

/** Where the checkpoint has a message: most often next; clients miss some, and some give results other ids. */
function positionOf(
  message: AguiMessage,
  checkpoint: readonly LangChainMessage[],
  from: number,
): number | undefined {
  const next = checkpoint[from];
  if (next?.id === message.id) return from;
  if (next && isToolResult(next) && message.role === "tool" && next.tool_call_id === message.toolCallId)
    return from;
  for (let at = from + 1; at < checkpoint.length; at += 1) if (checkpoint[at]?.id === message.id) return at;
  return undefined;
}

/** Whether a result is the one that the checkpoint has, with nothing to gain from it. */
function isSameResult(stored: LangChainMessage & { type: "tool" }, message: AguiMessage): boolean {
  return message.role === "tool" && stored.tool_call_id === message.toolCallId && !isPlaceholder(stored);
}

/** More new messages than a turn has are joined with care. */
const MOST = 16;

/** Whether messages can only be new: each with an id of its own, and no call or result that the checkpoint may know. */
function areNew(messages: readonly AguiMessage[], checkpoint: readonly LangChainMessage[]): boolean {
  if (messages.length > MOST) return false;
  const ids = new Set<string>();
  let open = openCalls(checkpoint);
  for (const message of messages) {
    if (!isRecord(message) || typeof message.id !== "string" || message.id === "" || ids.has(message.id))
      return false;
    ids.add(message.id);
    if (message.role === "user") open = new Set();
    else if (message.role !== "tool" || !open.delete(String(message.toolCallId))) return false;
  }
  if (ids.size > 0) for (const { id } of checkpoint) if (id !== undefined && ids.has(id)) return false;
  return true;
}

/** The calls of the checkpoint's last message that wait for a result. */
function openCalls(checkpoint: readonly LangChainMessage[]): Set<string> {
  const at = checkpoint.findLastIndex((message) => !isToolResult(message));
  const turn = checkpoint[at];
  const open = new Set(turn && isAi(turn) ? callsOf(turn).map(({ id }) => idText(id)) : []);
  for (const message of checkpoint.slice(at + 1))
    if (isToolResult(message)) open.delete(message.tool_call_id);
  return open;
}
