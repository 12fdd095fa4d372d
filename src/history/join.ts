import type { LangChainMessage } from "../types";
import type { GuardContext } from "./context";
import { LateResults } from "./late-results";
import { withMessageIds } from "./message-ids";
import { reportOrphan } from "./orphans";
import { pairCalls } from "./pairing";
import { callsOf, isAi, isToolResult } from "./shapes";
import { StoredCalls } from "./stored-calls";

/**
 * One history out of what the checkpoint holds and what the client sent: the checkpoint's messages, each result that
 * the client brings for one of its calls beside that call, and then the client's new messages in their order.
 *
 * Messages are matched by id, results by the call they answer: a client may send a result that the checkpoint knows
 * under another message id. A leading system message of the client is left out, since a graph has its own.
 */
export function joinHistories(
  checkpoint: readonly LangChainMessage[],
  sent: readonly LangChainMessage[],
  context: GuardContext,
): LangChainMessage[] {
  const known = knownIds(checkpoint);
  const messages = sent[0]?.type === "system" ? sent.slice(1) : sent;
  const input = withMessageIds(messages, known, context);
  const last = input.findLastIndex((message) => !isToolResult(message));
  for (const { id } of input.slice(0, Math.max(last, 0))) if (id) context.settledIds.add(id);
  if (checkpoint.length === 0) return input;
  const stored = new StoredCalls(checkpoint, pairCalls(input));
  const late = new LateResults(checkpoint, stored.pairing, context);
  const added: LangChainMessage[] = [];
  // Who sends no answers of the model sends only what is new, and the call may be a text of the checkpoint.
  const sendsNewsOnly = !input.some(isAi);
  for (const message of input) {
    const isKnown = known.get(message.id ?? "") !== undefined;
    if (!isToolResult(message)) {
      if (!isKnown && !stored.twinOf(message)) added.push(message);
    } else {
      const call = stored.callOf(message);
      const own = stored.callerOf(message);
      const at = known.positionOf(own?.id ?? "");
      if (call) late.add(message, call);
      // The checkpoint has the call as a text still.
      else if (at !== undefined) late.standBehind(at, message);
      else if (own || (sendsNewsOnly && !isKnown)) added.push(message);
      else if (!isKnown) reportOrphan(message, context);
    }
  }
  return [...late.insertInto(checkpoint), ...added];
}

function knownIds(checkpoint: readonly LangChainMessage[]) {
  const positions = new Map<string, number>();
  for (const [at, { id }] of checkpoint.entries()) if (id) positions.set(id, at);
  const positionOf = (id: string): number | undefined => positions.get(id);
  return {
    positionOf,
    get: (id: string) => checkpoint[positionOf(id) ?? -1],
    openUserId: openUserMessage(checkpoint)?.id,
  };
}

/** The last user message, while the model has not answered it. */
function openUserMessage(checkpoint: readonly LangChainMessage[]): LangChainMessage | undefined {
  const last = checkpoint.findLast((message) => !isToolResult(message));
  const isAnswered = last !== undefined && isAi(last) && callsOf(last).length === 0;
  return isAnswered ? undefined : checkpoint.findLast(({ type }) => type === "human");
}
