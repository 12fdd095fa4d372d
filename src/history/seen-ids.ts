/**
 * The ids of a long history, told apart in a flat table of numbers: a set would take as long as all the rest of the walk.
 * It may give up on ids that look alike, so it is only for ways that have another one to fall back on.
 */
export interface SeenIds {
  readonly ids: string[];
  /** Open addressing: the place of an id in the list, counted from one. */
  readonly slots: Int32Array;
}

export function noIdsYet(expected: number): SeenIds {
  return { ids: [], slots: new Int32Array(2 ** (33 - Math.clz32(expected))) };
}

/** What random ids never need, and what ids that were made to collide do not get. */
const MOST_PROBES = 128;

/** Takes an id: `false` for one that was there before, or that cannot be told from others in little time. */
export function addId(id: string, { ids, slots }: SeenIds): boolean {
  let slot = hashOf(id) >>> (Math.clz32(slots.length) + 1);
  for (let probes = 0; probes < MOST_PROBES; probes += 1) {
    const place = slots[slot];
    if (!place) {
      slots[slot] = ids.push(id);
      return true;
    }
    if (ids[place - 1] === id) return false;
    slot = (slot + 1) % slots.length;
  }
  return false;
}

/** The first character of an id and its last ones are those in which it differs most from others. */
function hashOf(id: string): number {
  let hash = Math.imul(id.charCodeAt(0), 31) + id.length;
  for (let at = Math.max(0, id.length - 4); at < id.length; at += 1) {
    hash = Math.imul(hash, 31) + id.charCodeAt(at);
  }
  return Math.imul(hash, 0x9e3779b1);
}
