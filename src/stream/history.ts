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
  /** Whether the root graph had the message before. */
  has(id: string): boolean;
}

/** @param onKnown Told of every message of the root graph that was there before. */
export function createHistory(
  before: readonly LangChainMessage[],
  onKnown: (message: LangChainMessage) => void,
): History {
  const known = new Map<string, Set<string>>();

  const learn = (ids: Set<string>, messages: readonly unknown[], isRoot: boolean) => {
    for (const value of messages) {
      const message = readMessage(value);
      const id = idOf(message?.id);
      if (!message || (id !== undefined && ids.has(id))) continue;
      if (id !== undefined) ids.add(id);
      if (isRoot) onKnown(message);
    }
  };

  const rootIds = new Set<string>();
  learn(rootIds, before, true);

  return {
    has: (id) => rootIds.has(id),
    newOf(graph, messages) {
      const ids = known.get(graph);
      if (!ids) {
        const first = graph === "" ? rootIds : new Set<string>();
        known.set(graph, first);
        learn(first, messages, graph === "");
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
        fresh.unshift(message);
      }
      return fresh;
    },
  };
}
