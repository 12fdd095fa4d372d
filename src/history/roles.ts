import { isRecord } from "../messages/json";
import { readMessage } from "../messages/read-message";
import type { HistoryRepair, LangChainMessage } from "../types";
import type { GuardContext } from "./context";

/** What the roles of messages without a type of their own are called in LangChain. */
const TYPE_OF_ROLE: ReadonlyMap<unknown, string> = new Map([
  ["user", "human"],
  ["human", "human"],
  ["system", "system"],
  ["developer", "system"],
]);

/** Whether every provider has a role for it. Comparing is cheaper than looking it up, and every message is asked. */
export const hasKnownType = ({ type }: { type: string }): boolean =>
  type === "human" || type === "ai" || type === "tool" || type === "system";

/** The messages of a graph as plain dicts, without what is no message at all. */
export function readAll(
  values: readonly unknown[],
  onRepair: ((repair: HistoryRepair) => void) | undefined,
): LangChainMessage[] {
  const read: LangChainMessage[] = [];
  for (const value of values) {
    const message = isPlain(value) ? value : readMessage(value);
    if (message) read.push(message);
    else onRepair?.({ kind: "message-skipped", messageId: idIn(value), detail: "The entry is no message." });
  }
  return read;
}

/** Most checkpoints are read as plain dicts, which are told without a look for what marks the other forms. */
function isPlain(value: unknown): value is LangChainMessage {
  return (
    isRecord(value) &&
    Object.getPrototypeOf(value) === Object.prototype &&
    hasKnownType(value as { type: string }) &&
    value.content !== undefined
  );
}

/** Messages of the four types that every provider knows: others are mapped, or left out where they have no counterpart. */
export function mapRoles(messages: readonly LangChainMessage[], context: GuardContext): LangChainMessage[] {
  const mapped: LangChainMessage[] = [];
  for (const message of messages) {
    const type: string = message.type;
    const known = hasKnownType(message) ? type : counterpart(message);
    if (known === type) mapped.push(message);
    else if (known === undefined) {
      context.report("message-skipped", message, `A message of type ${type} has no counterpart.`);
    } else {
      context.report("role-mapped", message, `A message of type ${type} is now one of type ${known}.`);
      // LangChain reads a role, where there is one, instead of the type.
      mapped.push({ ...message, role: undefined, type: known } as unknown as LangChainMessage);
    }
  }
  return mapped;
}

function counterpart(message: { type: string }): string | undefined {
  if (message.type === "developer") return "system";
  if (message.type !== "generic") return undefined;
  return TYPE_OF_ROLE.get((message as { role?: unknown }).role) ?? "ai";
}

function idIn(value: unknown): string {
  return isRecord(value) && typeof value.id === "string" ? value.id : "";
}
