import type { Diagnosis, Finding } from "./diagnosis";
import { printable, table } from "./table";

/** Where a history was read. */
export type Source = { file: string } | { url: string; thread: string; graph?: string };

/** What a diagnosis says to a person. */
export function report(source: Source, diagnosis: Diagnosis, width: number): string {
  const { format, count, findings, openCalls, clientOnly } = diagnosis;
  const verdict =
    findings.length === 0
      ? "Nothing is wrong: the history keeps all the rules."
      : `${countOf(findings.length, "repair")} needed:`;
  const notes = [
    openCalls.length > 0 &&
      `Not wrong: ${countOf(openCalls.length, "call")} at the end may still be answered (${listed(openCalls)}).`,
    clientOnly > 0 &&
      `Not wrong: ${countOf(clientOnly, "message")} for the client only, never sent to a model.`,
  ].filter((note) => note !== false);
  return [
    `${nameOf(source)}: ${countOf(count, `${format} message`)}`,
    verdict,
    ...(findings.length > 0
      ? ["", table(["#", "message", "rule", "repair"], findings.map(row), width), ""]
      : []),
    ...notes,
  ].join("\n");
}

/** A place in the words of the command line. */
export const nameOf = (source: Source): string =>
  "file" in source
    ? source.file === "-"
      ? "standard input"
      : printable(source.file)
    : `thread ${printable(source.thread)}${source.graph ? ` of graph ${printable(source.graph)}` : ""}`;

function row({ index, role, messageId, toolCallId, rule, text, repair }: Finding): string[] {
  const who = [role, messageId && printable(messageId, 40)].filter(Boolean).join(" ") || "(no id)";
  const call = toolCallId ? `, call ${printable(toolCallId, 40)}` : "";
  return [
    index === undefined ? "–" : String(index + 1),
    `${who}${call}`,
    rule === undefined ? text : `${rule} ${text}`,
    printable(repair, 240),
  ];
}

const countOf = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;

const MOST = 5;

function listed(ids: readonly string[]): string {
  const shown = ids.slice(0, MOST).map((id) => printable(id, 40));
  return ids.length > MOST ? `${shown.join(", ")} and ${ids.length - MOST} more` : shown.join(", ");
}

/** What a diagnosis says to a program. */
export function reportForMachines(
  source: Source,
  { format, count, findings, openCalls, clientOnly }: Diagnosis,
) {
  return {
    source,
    format,
    messages: count,
    clientOnly,
    openCalls,
    findings: findings.map(({ index, text, ...finding }) => ({
      ...finding,
      ...(index !== undefined && { index }),
      ruleText: text,
    })),
  };
}
