import type { Paint } from "../terminal/paint";
import type { Hops, Verdict } from "./judge";

const TITLES: Record<Verdict["hop"], string> = {
  client: "what the client sent",
  stored: "what the graph stored",
  wire: "what the provider got",
  snapshot: "what the client has afterwards",
  answer: "what the model said",
};

/** The way of the failure for a person: each hop, what was there, and the verdict. */
export function report(seen: Hops & { answer: string }, verdicts: readonly Verdict[], paint: Paint): string {
  const sections = verdicts.map((verdict, index) => {
    const { hop } = verdict;
    const title = `${paint.bold(`${index + 1}. ${TITLES[hop]}`)} (${hop})`;
    const body = json(seen[hop]).map((line) => `   ${paint.dim(line)}`);
    return [title, ...body, `   ${verdictLine(verdict, paint)}`].join("\n");
  });
  return `${sections.join("\n\n")}\n\n${conclusion(verdicts, paint)}\n`;
}

/** Where the failure got lost, or that it did not. */
export function conclusion(verdicts: readonly Verdict[], paint: Paint): string {
  const lost = verdicts.filter((verdict) => verdict.lost);
  if (lost.length === 0) return paint.green("The failure arrived on every hop.");
  return paint.red(
    lost.map(({ hop, finding }) => `The failure got lost at "${hop}": ${finding}.`).join("\n"),
  );
}

function verdictLine({ lost, finding }: Verdict, paint: Paint): string {
  return lost ? paint.red(`✗ lost: ${finding}`) : paint.green(`✓ ${finding}`);
}

/** JSON escapes what could steer a terminal, all but the C1 controls. */
function json(value: unknown): string[] {
  return JSON.stringify(value, null, 2)
    .replace(/[\u0080-\u009f]/g, "·")
    .split("\n");
}
