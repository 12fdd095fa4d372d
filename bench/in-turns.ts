import { SIDES, type Side } from "./adapters";

export type Sides<T> = Record<Side, T>;

/**
 * Measures both sides in turns, each first in every other round, so that what else the machine does falls on both: the
 * medians of what `measure` gives, by name.
 *
 * @param rounds Turns that count. A turn of each before them warms up, where there is more than one.
 */
export async function inTurns<K extends string>(
  rounds: number,
  measure: (side: Side) => Promise<Record<K, number>>,
): Promise<Record<K, Sides<number>>> {
  const measured: Sides<Record<K, number>[]> = { ours: [], official: [] };
  for (let round = rounds > 1 ? 0 : 1; round <= rounds; round += 1) {
    for (const side of round % 2 === 0 ? SIDES : SIDES.toReversed()) {
      const result = await measure(side);
      if (round > 0) measured[side].push(result);
    }
  }
  const names = Object.keys(measured.ours[0] ?? {}) as K[];
  const medianOf = (side: Side, name: K) => median(measured[side].map((result) => result[name]));
  return Object.fromEntries(
    names.map((name) => [name, { ours: medianOf("ours", name), official: medianOf("official", name) }]),
  ) as Record<K, Sides<number>>;
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}
