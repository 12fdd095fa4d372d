import type { AguiMessage } from "../types";
import { insert } from "./private-messages";

/** A thread's messages with what its client said meanwhile, as far as the thread has not got it since. */
export function withHeld(messages: readonly AguiMessage[], held: readonly AguiMessage[]): AguiMessage[] {
  const all = [...messages];
  if (held.length === 0) return all;
  const ids = new Set(messages.map(({ id }) => id));
  const answered = new Set(
    messages.flatMap((message) => (message.role === "tool" ? message.toolCallId : [])),
  );
  for (const message of held) {
    if (ids.has(message.id) || (message.role === "tool" && answered.has(message.toolCallId))) continue;
    insert(all, message);
  }
  return all;
}
