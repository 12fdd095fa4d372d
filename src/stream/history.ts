import { idOf } from "../messages/json";
import { readMessage } from "../messages/read-message";
import type { LangChainMessage } from "../types";

/**
 * Which messages of a graph's values are new. The first row of a graph comes before any of its nodes has written: what
 * it holds was there before, or was sent with the run.
 */
export interface History {
  /** The new messages of a `values` row of a graph, in order; `undefined` for its first row. */
  newOf(graph: string, messages: readonly unknown[]): LangChainMessage[] | undefined;
  /** Whether the message was there before. */
  has(id: string): boolean;
}

/**
 * @param nested What nested graphs said before.
 * @param onKnown Told of the messages of the root graph that were there before, and of what nested graphs said.
 */
export function createHistory(
  before: readonly LangChainMessage[],
  nested: readonly LangChainMessage[],
  onKnown: (messages: readonly unknown[]) => void,
): History {
  const known = new Map<string, Set<string>>();
  const nestedIds = new Set<string>();

  const learn = (ids: Set<string>, messages: readonly unknown[]): LangChainMessage[] => {
    const learnt: LangChainMessage[] = [];
    for (const value of messages) {
      const message = readMessage(value);
      const id = idOf(message?.id);
      if (!message || (id !== undefined && ids.has(id))) continue;
      if (id !== undefined) ids.add(id);
      learnt.push(message);
    }
    return learnt;
  };

  onKnown(before);
  onKnown(learn(nestedIds, nested));
  let rootIds: Set<string> | undefined;
  // A history may be long, so it is not walked before a row asks.
  const idsOfRoot = () => {
    if (!rootIds) {
      rootIds = new Set();
      learn(rootIds, before);
    }
    return rootIds;
  };

  return {
    has: (id) => idsOfRoot().has(id) || nestedIds.has(id),
    newOf(graph, messages) {
      const ids = known.get(graph);
      if (!ids) {
        const first = graph === "" ? idsOfRoot() : new Set<string>();
        known.set(graph, first);
        const learnt = learn(first, messages);
        if (graph === "") onKnown(learnt);
        return undefined;
      }
      const fresh: LangChainMessage[] = [];
      // From the end, so that a step costs as much as it added.
      for (let at = messages.length - 1; at >= 0; at -= 1) {
        const message = readMessage(messages[at]);
        const id = idOf(message?.id);
        if (!message || id === undefined) continue;
        if (ids.has(id)) break;
        ids.add(id);
        if (!nestedIds.has(id)) fresh.unshift(message);
      }
      return fresh;
    },
  };
}
