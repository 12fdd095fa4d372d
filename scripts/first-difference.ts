import { type Fixture, parseFixture } from "../__tests__/stream/fixtures";

/** Where the text of an older recording and a new one part, for a reader who has to judge whether it matters. */
export function firstDifference(older: string, newer: Fixture): string {
  const old = parseFixture(older);
  if (old.runs.length !== newer.runs.length) return `${old.runs.length} runs, now ${newer.runs.length}`;
  for (const [index, run] of newer.runs.entries()) {
    const before = old.runs[index];
    const where = `run ${index + 1}`;
    const at = run.rows.findIndex((row, place) => differ(row, before?.rows[place]));
    if (at >= 0)
      return `${where}, row ${at + 1} of ${run.rows.length}: ${change(before?.rows[at], run.rows[at])}`;
    const [had, has] = [before?.rows.length ?? 0, run.rows.length];
    if (had !== has) return `${where}: ${had} rows, now ${has}`;
    for (const key of ["before", "after"] as const)
      if (differ(before?.[key], run[key])) return `${where}, ${key}: ${change(before?.[key], run[key])}`;
  }
  return "only how it is written";
}

const differ = (left: unknown, right: unknown) => JSON.stringify(left) !== JSON.stringify(right);

/** Both texts from a little before the place where they part. */
function change(older: unknown, newer: unknown): string {
  const [left, right] = [JSON.stringify(older) ?? "nothing", JSON.stringify(newer) ?? "nothing"];
  let at = 0;
  while (at < left.length && left[at] === right[at]) at += 1;
  const excerpt = (text: string) => text.slice(Math.max(0, at - 40), at + 80);
  return `\n  - ${excerpt(left)}\n  + ${excerpt(right)}`;
}
