/** A text that cannot steer a terminal, on one line, cut where it is long. */
export function printable(text: string, longest = 80): string {
  const line = text
    .slice(0, longest * 2)
    .replace(/[\p{C}\s]+/gu, (found) => (/^\s+$/.test(found) ? " " : "·"))
    .trim();
  return line.length > longest || text.length > longest * 2 ? `${line.slice(0, longest - 1)}…` : line;
}

const GAP = "  ";
const NARROWEST = 12;

/** Rows of texts under their titles; what is wider than its column goes on below. */
export function table(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  width: number,
): string {
  const widths = columnWidths([titles, ...rows], width);
  const rule = widths.map((column) => "─".repeat(column));
  return [titles, rule, ...rows].flatMap((row) => lines(row, widths)).join("\n");
}

/** The first columns get what they need; the last two share the rest. */
function columnWidths(rows: readonly (readonly string[])[], width: number): number[] {
  const needed = rows.reduce<number[]>(
    (most, row) => row.map((text, at) => Math.max(most[at] ?? 0, text.length)),
    [],
  );
  const shared = needed.slice(-2);
  const fixed = needed.slice(0, -2);
  const taken = [...fixed, 0].reduce((sum, column) => sum + column + GAP.length);
  const room = Math.max(width - taken - GAP.length, 2 * NARROWEST);
  const half = Math.floor(room / 2);
  const [left = 0, right = 0] = shared;
  if (left + right <= room) return needed;
  if (left <= half) return [...fixed, left, room - left];
  return right <= half ? [...fixed, room - right, right] : [...fixed, half, room - half];
}

function lines(row: readonly string[], widths: readonly number[]): string[] {
  const cells = widths.map((width, at) => wrap(row[at] ?? "", width));
  const height = Math.max(...cells.map((cell) => cell.length));
  return Array.from({ length: height }, (_, line) =>
    cells
      .map((cell, at) => (cell[line] ?? "").padEnd(widths[at] ?? 0))
      .join(GAP)
      .trimEnd(),
  );
}

function wrap(text: string, width: number): string[] {
  const wrapped: string[] = [];
  let line = "";
  for (const word of text.split(" ").flatMap((each) => cut(each, width))) {
    if (line !== "" && line.length + 1 + word.length > width) {
      wrapped.push(line);
      line = "";
    }
    line = line === "" ? word : `${line} ${word}`;
  }
  return [...wrapped, line];
}

const cut = (word: string, width: number): string[] => word.match(new RegExp(`.{1,${width}}`, "gu")) ?? [""];
