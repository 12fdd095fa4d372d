import { parseArgs } from "node:util";
import { EXAMPLES, type ExampleName, isExample } from "../examples";
import { UsageError } from "../terminal/command";

/** What the command is asked for. */
export type Wish =
  | { kind: "help" }
  /** The names alone, for machines. */
  | { kind: "names" }
  /** The examples for a person. */
  | { kind: "overview" }
  | { kind: "play"; name: ExampleName; server: boolean; json: boolean };

/** @throws UsageError with one line that says what to do instead. */
export function readWish(args: readonly string[]): Wish {
  const { values, positionals } = parse(args);
  if (values.help) return { kind: "help" };
  if (values.list) return { kind: "names" };
  const [name, ...more] = positionals;
  if (more.length > 0) throw new UsageError(`One example at a time: ${positionals.join(" or ")}?`);
  if (name === undefined) {
    if (values.server || values.json)
      throw new UsageError("Name an example to play; npm run example lists them.");
    return { kind: "overview" };
  }
  if (!isExample(name)) throw new UsageError(`There is no example "${name}"; ${instead(name)}`);
  return { kind: "play", name, server: values.server, json: values.json };
}

function parse(args: readonly string[]) {
  const flag = { type: "boolean", default: false } as const;
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { server: flag, json: flag, list: flag, help: { ...flag, short: "h" } },
    });
  } catch (error) {
    // Node goes on about arguments that begin with a dash
    const [what] = (error instanceof Error ? error.message : String(error)).split(". ");
    throw new UsageError(`${what}; npm run example -- --help lists the options.`);
  }
}

function instead(name: string): string {
  const close = Object.keys(EXAMPLES).filter((each) => each.includes(name) || name.includes(each));
  return close.length > 0 ? `did you mean ${close.join(" or ")}?` : "npm run example lists them.";
}
