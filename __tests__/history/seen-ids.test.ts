import fc from "fast-check";
import { addId, noIdsYet } from "../../src/history/seen-ids";

const id = fc.oneof(
  fc.uuid(),
  fc.string(),
  fc.nat(50).map((n) => `m${n}`),
);

test("an id is new until it has been seen", () => {
  fc.assert(
    fc.property(fc.array(id, { maxLength: 200 }), (ids) => {
      const seen = noIdsYet(ids.length);
      const known = new Set<string>();
      for (const one of ids) {
        expect(addId(one, seen)).toBe(!known.has(one));
        known.add(one);
      }
    }),
  );
});

test("ten thousand ids in a row are all new, and none of them twice", () => {
  const ids = Array.from({ length: 10_000 }, (_, n) => `${["user", "call", "result", "answer"][n % 4]}-${n}`);
  const seen = noIdsYet(ids.length);
  expect(ids.every((one) => addId(one, seen))).toBe(true);
  expect(ids.some((one) => addId(one, seen))).toBe(false);
});

test.each([
  ["a common end", (n: number) => `${n}-user`],
  ["a common start and end", (n: number) => `msg_${n}_assistant`],
  ["a long common start", (n: number) => `${"thread-".repeat(20)}${n}-x`],
])("ten thousand ids with %s are told apart", (_, idOf) => {
  const seen = noIdsYet(10_000);
  expect(Array.from({ length: 10_000 }, (_, n) => addId(idOf(n), seen)).every(Boolean)).toBe(true);
});

test("ids that were made to look alike, and more than were expected, are given up", () => {
  const alike = noIdsYet(10_000);
  // to a hash that multiplies by 31, these two pairs of letters are one
  const pairs = (n: number) => n.toString(2).padStart(14, "0").replaceAll("0", "Aa").replaceAll("1", "BB");
  const taken = Array.from({ length: 10_000 }, (_, n) => `${pairs(n)}same`).filter((one) =>
    addId(one, alike),
  );
  expect(taken.length).toBeLessThan(1000);
  const few = noIdsYet(1);
  expect(Array.from({ length: 100 }, (_, n) => addId(`${n}`, few)).filter(Boolean).length).toBeLessThan(10);
});
