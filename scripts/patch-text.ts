/** A file that a patch adds, or a file that it adds lines to behind the last one. */
export interface Addition {
  path: string;
  text: string;
  /** Where the file is there already: the number of its lines. */
  behindLine?: number;
}

/**
 * A patch that only adds, in the form that git, GNU patch, pnpm, yarn and patch-package take. It has no line of
 * context, so it holds nothing of the package it is for.
 */
export function patchText(additions: readonly Addition[], folder = ""): string {
  return additions.map((addition) => oneFile(addition, folder)).join("");
}

function oneFile({ path, text, behindLine }: Addition, folder: string): string {
  const lines = text.replace(/\n$/, "").split("\n");
  const [from, to] = [`a/${folder}${path}`, `b/${folder}${path}`];
  const isNew = behindLine === undefined;
  const [before, after] = isNew ? ["-0,0", 1] : [`-${behindLine},0`, behindLine + 1];
  return [
    `diff --git ${from} ${to}`,
    ...(isNew ? ["new file mode 100644"] : []),
    `--- ${isNew ? "/dev/null" : from}`,
    `+++ ${to}`,
    `@@ ${before} +${after},${lines.length} @@`,
    ...lines.map((line) => `+${line}`),
    "",
  ].join("\n");
}
