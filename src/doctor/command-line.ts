import { parseArgs } from "node:util";
import type { DoctorSettings } from "./diagnosis";

export const USAGE = `ag-ui-langgraph doctor <history.json | ->
ag-ui-langgraph doctor --url <server> --thread <id> [--graph <name>] [--write]

Prints what is wrong in a history and how the guards of ag-ui-langgraph mend it. The file holds AG-UI or LangChain
messages: a list, an object with "messages", or the state of a thread; "-" reads standard input.

  --url <server>         the LangGraph server that has the thread
  --thread <id>          the thread
  --graph <name>         the graph that the thread has to belong to
  --header "name: value" a header of every request; may be repeated. The API key comes from LANGSMITH_API_KEY
  --write                mends the thread there; asks first
  --yes                  does not ask
  --as-node <node>       the node in whose name the thread is mended, where the server cannot tell
  --dangling-calls <answer | demote>        as the agent's option
  --tool-error-content <legible | as-is>    as the agent's option
  --allowed-tool-names <a,b>                as the agent's option
  --json                 for machines
  --help

Exit code 0: nothing is wrong (any more). 1: repairs are needed. 2: the history could not be read.`;

/** A command line that cannot be understood. */
export interface UsageProblem {
  problem: string;
}

/** What to look at. */
export type DoctorTarget = { file: string } | DoctorThread;

export interface DoctorThread {
  url: string;
  thread: string;
  graph?: string;
  headers: Record<string, string>;
  write: boolean;
  yes: boolean;
  asNode?: string;
}

export interface DoctorCommand {
  target: DoctorTarget;
  json: boolean;
  settings: DoctorSettings;
}

const OPTIONS = {
  url: { type: "string" },
  thread: { type: "string" },
  graph: { type: "string" },
  header: { type: "string", multiple: true },
  write: { type: "boolean" },
  yes: { type: "boolean", short: "y" },
  "as-node": { type: "string" },
  "dangling-calls": { type: "string" },
  "tool-error-content": { type: "string" },
  "allowed-tool-names": { type: "string" },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

/** Reads the arguments behind `ag-ui-langgraph`. */
export function readCommandLine(args: readonly string[]): DoctorCommand | UsageProblem | "help" {
  try {
    return commandOf(parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true }));
  } catch (error) {
    // Node's goes on to explain how an argument is written that starts with a hyphen.
    const [problem = ""] = (error instanceof Error ? error.message : String(error)).split(/(?<=\.)\s/);
    return { problem };
  }
}

type Parsed = ReturnType<typeof parseArgs<{ options: typeof OPTIONS; allowPositionals: true }>>;

function commandOf({ values, positionals }: Parsed): DoctorCommand | UsageProblem | "help" {
  const [command, ...files] = positionals;
  if (values.help || (command === undefined && Object.keys(values).length === 0)) return "help";
  if (command !== "doctor")
    return { problem: command ? `There is no command ${command}.` : "Which command?" };
  const target = targetOf(values, files);
  if ("problem" in target) return target;
  return {
    target,
    json: values.json ?? false,
    settings: {
      danglingCalls: oneOf("dangling-calls", values["dangling-calls"], ["answer", "demote"]),
      toolErrorContent: oneOf("tool-error-content", values["tool-error-content"], ["legible", "as-is"]),
      allowedToolNames: values["allowed-tool-names"]?.split(",").map((name) => name.trim()),
    },
  };
}

function targetOf(values: Parsed["values"], files: readonly string[]): DoctorTarget | UsageProblem {
  const { url, thread, graph, write = false, yes = false } = values;
  const [file] = files;
  if (file !== undefined) {
    if (files.length > 1) return { problem: "One history at a time." };
    const alien = (["url", "thread", "graph", "header", "write", "yes", "as-node"] as const).find(
      (name) => values[name],
    );
    return alien ? { problem: `--${alien} is for threads on a server, not for a file.` } : { file };
  }
  if (!url || !thread) return { problem: "Name a file, or --url and --thread." };
  if (!isPlainUrl(url))
    return { problem: "--url takes http://… or https://… with no password and no query." };
  const headers = Object.fromEntries((values.header ?? []).map(headerOf));
  const asNode = values["as-node"];
  return { url, thread, headers, write, yes, ...(graph && { graph }), ...(asNode && { asNode }) };
}

/** What is secret goes into a header: an address is printed. */
function isPlainUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && username + password + search + hash === "";
}

function headerOf(text: string): [string, string] {
  const at = text.indexOf(":");
  const header: [string, string] = [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  if (at < 1 || !isHeader(header)) throw new Error('--header takes "name: value".');
  return header;
}

function isHeader(header: [string, string]): boolean {
  try {
    new Headers([header]);
    return true;
  } catch {
    return false;
  }
}

function oneOf<T extends string>(
  name: string,
  value: string | undefined,
  choices: readonly T[],
): T | undefined {
  if (value === undefined) return undefined;
  const choice = choices.find((each) => each === value);
  if (!choice) throw new Error(`--${name} takes ${choices.join(" or ")}.`);
  return choice;
}
