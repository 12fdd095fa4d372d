/** Choices that a seed decides: the same seed cuts and mixes the same way. */
export interface Random {
  nat(max: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** The text in pieces, none of them empty. */
  cut(text: string): string[];
  /** Neighbours in groups. */
  group<T>(items: readonly T[]): T[][];
  /** All queues in one, each in its own order. */
  interleave<T>(queues: readonly (readonly T[])[]): T[];
  shuffle<T>(items: readonly T[]): T[];
}

export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const random: Random = {
    nat: (max) => Math.floor(next() * (max + 1)),
    chance: (probability) => next() < probability,
    pick: (items) => items[random.nat(items.length - 1)]!,
    cut(text) {
      const pieces: string[] = [];
      for (let at = 0; at < text.length; ) {
        const end = at + 1 + random.nat(4);
        pieces.push(text.slice(at, end));
        at = end;
      }
      return pieces;
    },
    group(items) {
      const groups: (typeof items)[number][][] = [];
      for (let at = 0; at < items.length; ) {
        const end = at + 1 + random.nat(2);
        groups.push(items.slice(at, end));
        at = end;
      }
      return groups;
    },
    interleave(queues) {
      const left = queues.filter((queue) => queue.length > 0).map((queue) => [...queue]);
      const mixed: (typeof queues)[number][number][] = [];
      while (left.length > 0) {
        const queue = random.pick(left);
        mixed.push(queue.shift()!);
        if (queue.length === 0) left.splice(left.indexOf(queue), 1);
      }
      return mixed;
    },
    shuffle(items) {
      const rest = [...items];
      return items.map(() => rest.splice(random.nat(rest.length - 1), 1)[0]!);
    },
  };
  return random;
}
