export interface Row {
  what: string;
  unit: "ms" | "µs" | "bytes" | "count" | "factor";
  ours: number;
  official: number;
  /** The most that ours may be, as a part of the official's; `flat`: ours must not grow. */
  limit?: number | "flat";
}

/** Growth that is told from noise: where work grew with the size, eight times the size shows more than this. */
const FLAT = 2;

export function isWithin({ ours, official, limit }: Row): boolean {
  if (limit === undefined) return true;
  return limit === "flat" ? ours <= FLAT : ours <= official * limit;
}

/** A table for a terminal and for a README. */
export function table(rows: readonly Row[]): string {
  const head = ["", "ours", "official", "ours / official", "allowed"];
  const lines = rows.map((row) => [
    row.what,
    show(row.ours, row.unit),
    show(row.official, row.unit),
    row.unit === "factor" ? "" : (row.ours / row.official).toFixed(3),
    `${allowed(row.limit)}${isWithin(row) ? "" : " EXCEEDED"}`,
  ]);
  const widths = head.map((_, column) =>
    Math.max(...[head, ...lines].map((line) => line[column]?.length ?? 0)),
  );
  const write = (line: string[]) =>
    `| ${line.map((cell, column) => (column ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0))).join(" | ")} |`;
  const rule = widths.map((width, column) => (column ? `${"-".repeat(width - 1)}:` : "-".repeat(width)));
  return [write(head), `| ${rule.join(" | ")} |`, ...lines.map(write)].join("\n");
}

function allowed(limit: Row["limit"]): string {
  if (limit === undefined) return "";
  return limit === "flat" ? `grows by ${FLAT}` : String(limit);
}

function show(value: number, unit: Row["unit"]): string {
  switch (unit) {
    case "bytes":
      return value < 1e6 ? `${(value / 1e3).toFixed(1)} KB` : `${(value / 1e6).toFixed(2)} MB`;
    case "count":
      return String(value);
    case "factor":
      return `× ${value.toFixed(2)}`;
    default:
      return `${value.toFixed(value < 100 ? 1 : 0)} ${unit}`;
  }
}
