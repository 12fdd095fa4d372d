import { RULES, type RuleViolation } from "../history/rules";
import type { HistoryRepair, HistoryRepairKind } from "../types";

/** A rule by its number, or, for what no provider's rule says, by its text alone. */
export interface BrokenRule {
  rule?: number;
  text: string;
}

type RuleNumber = keyof typeof RULES;

/** The rules that a repair can be about, the likeliest first; or what it is about where it is none of them. */
const ABOUT: Record<HistoryRepairKind, readonly RuleNumber[] | string> = {
  "dangling-call": [2, 10],
  "text-call-promoted": [3],
  "orphan-result": [3],
  "duplicate-result": [4],
  "placeholder-replaced": [4],
  "result-moved": [3, 5, 2],
  "call-id-reused": [1],
  "call-id-missing": [1],
  "call-id-mapped": [1],
  "tool-name-restored": [6],
  "arguments-repaired": "The arguments of a call are a JSON object.",
  "arguments-replaced": "The arguments of a call are a JSON object.",
  "empty-content": [11],
  "failure-made-legible": [8, 7],
  "role-mapped": "Messages are of the user, the assistant, the system or a tool.",
  "message-skipped": "Messages are of the user, the assistant, the system or a tool.",
  "reserved-key": [9],
  "message-id-missing": "Every message has an id of its own.",
};

/**
 * Tells the rule that a repair is about: of those that its kind can mean the one that the history breaks there.
 *
 * @param violations What the rules say of the history as it was found.
 */
export function ruleFinder(violations: readonly RuleViolation[]): (repair: HistoryRepair) => BrokenRule {
  const broken = new Set(violations.map(({ rule, ...place }) => placeOf(rule, place)));
  return (repair) => {
    const about = ABOUT[repair.kind];
    if (typeof about === "string") return { text: about };
    const rule = about.find((each) => broken.has(placeOf(each, repair))) ?? about[0];
    return rule === undefined ? { text: "" } : { rule, text: RULES[rule] };
  };
}

/** Where a history breaks a rule: at a call, where there is one. */
const placeOf = (
  rule: number,
  { messageId, toolCallId }: { messageId: string; toolCallId?: string },
): string => JSON.stringify(toolCallId === undefined ? [rule, messageId] : [rule, null, toolCallId]);
