/** What a server and the packages note of themselves. */
const NOTED = new Set([
  "created_by",
  "langgraph_api_url",
  "langgraph_host",
  "langgraph_plan",
  "langgraph_version",
  "user-agent",
  "versions",
]);

const ID =
  /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])/g;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)?/g;
const STACK = /(\n+\w*Error: [^\n]*)?(\n +at [^\n]*)+/g;
const HOST = /(127\.0\.0\.1|localhost|\[::1\])(:\d+)?/g;

/**
 * Gives plain values without what no two runs and no two machines have in common. An id becomes another one of its form,
 * numbered in the order of appearance, the same wherever it stands; of an error only its message is left.
 *
 * One of them for all that belongs together.
 */
export function stabiliser(): <T>(value: T) => T {
  const ids = new Map<string, string>();
  const rename = (id: string) => {
    const known = ids.get(id);
    if (known) return known;
    const digits = (ids.size + 1).toString(16).padStart(32, "0");
    const name = id.includes("-")
      ? digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")
      : digits;
    ids.set(id, name);
    return name;
  };
  const text = (value: string) =>
    value
      .replace(STACK, "")
      .replace(HOST, "host")
      .replace(TIME, "2000-01-01T00:00:00.000Z")
      .replace(ID, rename);
  return (value) =>
    JSON.parse(
      JSON.stringify(value, (key, plain) => {
        if (NOTED.has(key)) return `<${key}>`;
        if (typeof plain === "string") return text(plain);
        return plain;
      }),
    );
}

const TRACE =
  /\/(home|root|Users|tmp|private|work|workspace|var|opt|usr|mnt)\/|[A-Z]:\\\\|file:\/\/|node_modules|node:internal|\\n +at |127\.0\.0\.1|localhost/;

/** The first thing in a text that tells of the machine on which it was made. */
export function traceOfMachine(text: string): string | undefined {
  const found = TRACE.exec(text);
  return found ? text.slice(Math.max(0, found.index - 20), found.index + 60) : undefined;
}
