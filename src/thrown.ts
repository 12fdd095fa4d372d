export const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** A field of whatever was thrown; its getters may throw as well. */
export function field(thrown: unknown, key: string): unknown {
  try {
    return isObject(thrown) ? (thrown as Record<string, unknown>)[key] : undefined;
  } catch {
    return undefined;
  }
}

/** {@link field} where it is a text. */
export function textField(thrown: unknown, key: string): string | undefined {
  const value = field(thrown, key);
  return typeof value === "string" ? value : undefined;
}

const LONGEST = 2000;
/**
 * The names of what LangGraph throws to leave a node, which has not failed then: an interrupt, a command to a parent
 * graph, a stop between two steps.
 */
const WAYS_OUT = new Set([
  "GraphBubbleUp",
  "GraphDrained",
  "GraphInterrupt",
  "NodeInterrupt",
  "ParentCommand",
]);

export const isWayOut = (name: string | undefined): boolean => name !== undefined && WAYS_OUT.has(name);

/** How much is looked at for each character that is told: a message may be as long as a prompt, or be one. */
const LOOKED_AT = 4;

/**
 * A message as a client may see it: without the stack that some errors have in their message, without what is secret
 * in an address, and not longer than a person reads.
 */
export function presentable(message: string, longest = LONGEST): string {
  const looked = message.slice(0, LOOKED_AT * longest);
  const plain = looked
    .replace(/\n\s+at .+/g, "")
    .trim()
    .replace(/\b(https?:\/\/)(?:[^\s/?#@]*@)?([^\s?#"']*)[^\s"']*/g, "$1$2");
  const isCut = plain.length > longest || looked.length < message.length;
  return isCut ? `${plain.slice(0, longest)}…` : plain;
}
