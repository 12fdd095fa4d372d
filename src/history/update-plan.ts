import type { LangChainMessage } from "../types";

/** The id by which LangGraph's message reducer understands that all messages go. */
const REMOVE_ALL = "__remove_all__";

/** How the repaired history gets into the checkpoint. */
export interface UpdatePlan {
  /** What the run's input carries so that LangGraph's message reducer ends with it: new messages, where nothing is wrong. */
  update: LangChainMessage[];
  /** Whether the update starts with the removal of all messages and is the whole history. */
  rewrites: boolean;
  /** Whether the update asks the reducer to replace or remove anything. */
  changesStored: boolean;
}

/**
 * The smallest update: the new messages where nothing was wrong, with replaced and removed ones by their id; and the
 * whole history where something must stand in the middle, which the reducer cannot be told otherwise.
 *
 * @param stored What the checkpoint holds.
 * @param read The same as plain messages; fewer where some entries are none.
 * @param repaired The history as it should be: of `read`, the very same objects where nothing changed.
 */
export function planUpdate(
  stored: readonly unknown[],
  read: readonly LangChainMessage[],
  repaired: readonly LangChainMessage[],
): UpdatePlan {
  if (read.length === stored.length && startsWith(repaired, read)) {
    return { update: repaired.slice(read.length), rewrites: false, changesStored: false };
  }
  const update = read.length === stored.length ? mergeable(read, repaired) : undefined;
  if (update) return { update, rewrites: false, changesStored: true };
  return { update: [removal(REMOVE_ALL), ...repaired], rewrites: true, changesStored: true };
}

function startsWith(list: readonly LangChainMessage[], start: readonly LangChainMessage[]): boolean {
  return list.length >= start.length && start.every((message, at) => message === list[at]);
}

/** Replacements, removals and new messages at the end; nothing where these are not enough. */
function mergeable(
  read: readonly LangChainMessage[],
  repaired: readonly LangChainMessage[],
): LangChainMessage[] | undefined {
  const positions = new Map<string, number>();
  for (const [at, { id }] of read.entries()) {
    if (!id || positions.has(id)) return undefined;
    positions.set(id, at);
  }
  const update: LangChainMessage[] = [];
  const kept = new Set<string>();
  let last = -1;
  let atEnd = false;
  for (const message of repaired) {
    const { id } = message;
    const at = id ? positions.get(id) : undefined;
    if (at === undefined) {
      atEnd = true;
      update.push(message);
      continue;
    }
    if (atEnd || at <= last || !id) return undefined;
    last = at;
    kept.add(id);
    if (message !== read[at]) update.push(message);
  }
  const removals = [...positions.keys()].filter((id) => !kept.has(id)).map(removal);
  return [...removals, ...update];
}

function removal(id: string): LangChainMessage {
  return { type: "remove", id, content: [] } as unknown as LangChainMessage;
}
