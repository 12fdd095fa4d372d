import fc from "fast-check";
import type { StreamRow } from "../../src/types";
import { expectAccepted, translateRun } from "../support/fold";
import { readFixtures } from "./fixtures";
import { randomOf } from "./random";

const runs = Number(process.env.STREAM_RUNS ?? 1500);
const recorded = readFixtures().flatMap(({ runs }) => runs);
const onServer = readFixtures(["server"]).flatMap(({ runs }) => runs);

function expectLaw4(rows: readonly StreamRow[]) {
  const { events, translator } = translateRun(rows, { rawEvents: "slim" });
  expectAccepted(events);
  const late = translator.end();
  if (late.length > 0) expect(late).toEqual([]);
}

test("every recorded stream is accepted, and cut off at any row", () => {
  let cuts = 0;
  for (const { rows } of onServer) {
    for (let end = 0; end <= rows.length; end += 1) {
      const cut = rows.slice(0, end);
      expectLaw4(cut);
      expectLaw4([...cut, { event: "error", data: { error: "Error", message: "cut off" } }]);
      cuts += 2;
    }
  }
  expect(cuts).toBeGreaterThan(1500);
});

const junk = fc.oneof(
  fc.constantFrom<unknown>(null, undefined, "", "x", 0, -1, true, [], {}, [null], { type: "ai" }, [[[]]]),
  fc.jsonValue({ maxDepth: 2 }),
);

/** The paths into a value, objects and arrays alike. */
function paths(value: unknown, at: string[] = []): string[][] {
  if (typeof value !== "object" || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([key, item]) => paths(item, [...at, key]))];
}

function withValue(value: unknown, [key, ...rest]: string[], change: (old: unknown) => unknown): unknown {
  if (key === undefined) return change(value);
  if (typeof value !== "object" || value === null) return value;
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
  const changed = withValue(copy[key], rest, change);
  if (changed === GONE) delete copy[key];
  else copy[key] = changed;
  return copy;
}

const GONE = Symbol("gone");

test("rows that are not what they should be break nothing", () => {
  fc.assert(
    fc.property(fc.nat(), fc.array(junk, { minLength: 1, maxLength: 3 }), (seed, values) => {
      const random = randomOf(seed);
      const rows = [...random.pick(recorded).rows];
      for (const value of values) {
        const at = random.nat(rows.length - 1);
        const all = paths(rows[at]);
        rows[at] = withValue(rows[at], random.pick(all), () =>
          random.chance(0.3) ? GONE : value,
        ) as StreamRow;
      }
      expectLaw4(rows);
    }),
    { numRuns: runs },
  );
});

test("rows that are lost, doubled or out of order break nothing", () => {
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 1, max: 8 }), (seed, changes) => {
      const random = randomOf(seed);
      const rows = [...random.pick(recorded).rows];
      for (let change = 0; change < changes; change += 1) {
        const at = random.nat(rows.length - 1);
        const to = random.nat(rows.length - 1);
        const [row] = rows.slice(at, at + 1) as [StreamRow];
        if (random.chance(0.6)) rows.splice(at, 1);
        if (random.chance(0.8)) rows.splice(to, 0, row);
        if (rows.length === 0) rows.push(row);
      }
      expectLaw4(rows);
    }),
    { numRuns: runs },
  );
});

test("any value is skipped with one debug line", () => {
  fc.assert(
    fc.property(fc.array(junk, { minLength: 1 }), (values) => {
      const { events, debug } = translateRun(values as StreamRow[]);
      expectAccepted(events);
      expect(debug.length).toBe(values.length);
    }),
    { numRuns: runs / 5 },
  );
});
