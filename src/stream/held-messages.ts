import { placeBehind } from "../messages/place-behind";
import type { AguiMessage } from "../types";
import { insert } from "./private-messages";

/**
 * A thread's messages with what its client said meanwhile, as far as the thread has not got it since: results behind
 * their calls, words behind what was there when they were said.
 */
export function withHeld(
  messages: readonly AguiMessage[],
  held: readonly AguiMessage[],
  idsBefore: () => ReadonlySet<unknown>,
): AguiMessage[] {
  const all = [...messages];
  if (held.length === 0) return all;
  const ids = new Set(messages.map(({ id }) => id));
  const answered = new Set(
    messages.flatMap((message) => (message.role === "tool" ? message.toolCallId : [])),
  );
  const said: AguiMessage[] = [];
  for (const message of held) {
    if (ids.has(message.id)) continue;
    if (message.role !== "tool") said.push(message);
    else if (!answered.has(message.toolCallId)) insert(all, message);
  }
  const isResult = ({ role }: AguiMessage) => role === "tool";
  const before = idsBefore();
  return all.toSpliced(
    placeBehind(all, ({ id }) => before.has(id), isResult),
    0,
    ...said,
  );
}
