/**
 * The ids of a long history, told apart in a flat table of numbers: a set would take as long as all the rest of the walk.
 * It may give up on ids that look alike, so it is only for ways that have another one to fall back on.
 */
export interface SeenIds {
  /** As long as is expected from the start: a list that grows leaves several of its length behind. */
  readonly ids: string[];
  taken: number;
  /** Open addressing: the place of an id in the list, counted from one. */
  readonly slots: Uint16Array | Uint32Array;
}

export function noIdsYet(expected: number): SeenIds {
  const size = 2 ** (33 - Math.clz32(expected));
  const slots = expected < 0xffff ? new Uint16Array(size) : new Uint32Array(size);
  return { ids: new Array(expected), taken: 0, slots };
}

/** What random ids never need, and what ids that were made to collide do not get. */
const MOST_PROBES = 128;

/** Takes an id: `false` for one that was there before, or that cannot be told from others in little time. */
export function addId(id: string, seen: SeenIds): boolean {
  const { ids, slots } = seen;
  const shift = Math.clz32(slots.length) + 1;
  let slot = roughHash(id) >>> shift;
  for (let probes = 0; probes < MOST_PROBES; probes += 1) {
    const place = slots[slot];
    if (!place) {
      ids[seen.taken] = id;
      seen.taken += 1;
      slots[slot] = seen.taken;
      return true;
    }
    if (ids[place - 1] === id) return false;
    slot = probes === 0 ? wholeHash(id) >>> shift : (slot + 1) % slots.length;
  }
  return false;
}

/** Reading characters is what costs most, and most ids differ from others in the first one and the last ones. */
function roughHash(id: string): number {
  return mixed(hashOf(id, Math.max(0, id.length - 4), Math.imul(id.charCodeAt(0), 31) + id.length));
}

/** For ids that look alike there, such as `msg-17-user` and `msg-18-user`. */
function wholeHash(id: string): number {
  return mixed(hashOf(id, 0, id.length));
}

function hashOf(id: string, from: number, start: number): number {
  let hash = start;
  for (let at = from; at < id.length; at += 1) hash = Math.imul(hash, 31) + id.charCodeAt(at);
  return hash;
}

const mixed = (hash: number): number => Math.imul(hash, 0x9e3779b1);
