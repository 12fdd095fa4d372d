const STYLES = { red: [31, 39], green: [32, 39], cyan: [36, 39], bold: [1, 22], dim: [2, 22] } as const;

export type Paint = Record<keyof typeof STYLES, (text: string) => string>;

/** Colours for what is written to `stream`; none where it is no terminal or `NO_COLOR` is set. */
export function paintFor(stream: { isTTY?: boolean }, env: NodeJS.ProcessEnv = process.env): Paint {
  const on = Boolean(stream.isTTY) && !env.NO_COLOR && env.TERM !== "dumb";
  const painters = Object.entries(STYLES).map(([name, [open, close]]) => [
    name,
    (text: string) => (on ? `\u001b[${open}m${text}\u001b[${close}m` : text),
  ]);
  return Object.fromEntries(painters);
}

/** One line of printable text: what a model or a tool says must not steer the terminal. */
export function oneLine(value: unknown, width = 160): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
  // cut first, so that megabytes are not searched
  const line = text
    .slice(0, width * 2)
    .replace(/\s+/gu, " ")
    .replace(/\p{C}/gu, "·")
    .trim();
  return line.length > width || text.length > width * 2 ? `${line.slice(0, width - 1)}…` : line;
}
