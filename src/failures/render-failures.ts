import { isRecord, textOrNothing } from "../messages/json";
import { nodesOf } from "../namespace";
import { presentable } from "../thrown";
import { UNKNOWN_ERROR } from "./node-error";

/** What failed at a place in the graph, and in the graphs within. */
interface Place {
  /** Failed tool results. */
  tools: string[];
  /** What the node itself failed of. */
  errors: string[];
  /** The last of its attempts that was made again. */
  retry?: string;
  within: Map<string, Place>;
}

const LONGEST = 200;
const DEEPEST = 100;

/**
 * The failures of a finished run as a short text, for logs: where, what, and how often it was tried. It tells of failed
 * nodes, of attempts that were made again (with the option `nodeRetries`), of failed tool results and of the run's own
 * error, each in one line; prompts, states and stacks are not in it.
 *
 *     run failed: the order is refused [E_ORDER]
 *     ├─ tool look_up (call_1): no hits
 *     └─ shop › order › check: OrderError: the order is refused [E_ORDER], tried 3 times
 *
 * @param events The run's events, as they came from the agent or out of a log; of several runs the last one is told.
 *   What is not an event is skipped.
 * @returns The lines, joined; empty where nothing failed.
 */
export function renderFailures(events: Iterable<object>): string {
  let root = newPlace();
  let end = "run did not end";
  let hasFailed = false;
  const toolNames = new Map<unknown, unknown>();

  const at = (path: readonly string[]): Place => path.reduce(placeIn, root);

  for (const event of events) {
    if (!isRecord(event)) continue;
    switch (event.type) {
      case "RUN_STARTED":
        root = newPlace();
        end = "run did not end";
        hasFailed = false;
        break;
      case "RUN_FINISHED":
        end = "run finished";
        break;
      case "RUN_ERROR":
        hasFailed = true;
        end = `run failed: ${line(event.message)}${inBrackets(event.code)}`;
        break;
      case "TOOL_CALL_START":
        toolNames.set(event.toolCallId, event.toolCallName);
        break;
      case "TOOL_CALL_RESULT": {
        if (!isRecord(event.metadata) || event.metadata.status !== "error") break;
        const id = event.toolCallId;
        const { error } = event.metadata;
        // "error" stands for a failure whose text is not known; then the content says more
        const why = line(error === "error" ? firstLineOf(event.content) : error);
        const around = nodesOf(textOrNothing(event.subagentRunId) ?? "").slice(0, DEEPEST);
        const place = at(around.map(line));
        place.tools.push(
          `tool ${line(toolNames.get(id)) || "?"} (${line(id)})${why ? `: ${why}` : " failed"}`,
        );
        break;
      }
      case "CUSTOM": {
        const { name, value } = event;
        if (!isRecord(value) || !Array.isArray(value.path)) break;
        const path = value.path.slice(0, DEEPEST).map(line);
        if (name === "node_error") at(path).errors.push(`${described(value)}${tries(value.attemptCount)}`);
        if (name === "node_retry") at(path).retry = `${described(value)}, tried again`;
      }
    }
  }
  const lines = linesOf(root);
  return hasFailed || lines.length > 0 ? [end, ...lines].join("\n") : "";
}

const newPlace = (): Place => ({ tools: [], errors: [], within: new Map() });

function placeIn({ within }: Place, node: string): Place {
  const place = within.get(node) ?? newPlace();
  within.set(node, place);
  return place;
}

function linesOf(place: Place): string[] {
  const branches = [...place.tools.map((tool) => [tool]), ...[...place.within].flatMap(branchesOf)];
  return branches.flatMap((branch, at) => {
    const [first, rest] = at === branches.length - 1 ? ["└─ ", "   "] : ["├─ ", "│  "];
    return branch.map((text, row) => `${row === 0 ? first : rest}${text}`);
  });
}

/** What failed at a node, and what failed within it; a way without a fork is one line. */
function branchesOf([node, place]: [string, Place]): string[][] {
  const { tools, errors, retry, within } = place;
  const own = errors.length > 0 || retry === undefined ? errors : [retry];
  if (own.length > 0) {
    const branches = own.map((error) => [`${node}: ${error}`]);
    const last = branches.at(-1);
    for (const row of linesOf(place)) last?.push(row);
    return branches;
  }
  const [only] = within;
  if (!only || within.size > 1 || tools.length > 0) return [[node, ...linesOf(place)]];
  return branchesOf(only).map(([first = "", ...rest]) => [`${node} › ${first}`, ...rest]);
}

function described(value: Record<string, unknown>): string {
  const type = line(value.errorType);
  const message = line(value.errorMessage);
  return `${type}${message && message !== type ? `: ${message}` : ""}${inBrackets(value.errorCode)}`;
}

const inBrackets = (code: unknown): string =>
  textOrNothing(code) && code !== UNKNOWN_ERROR ? ` [${line(code)}]` : "";

const tries = (count: unknown): string =>
  typeof count === "number" && count > 1 ? `, tried ${count} times` : "";

function firstLineOf(content: unknown): unknown {
  return typeof content === "string" ? content.trimStart().split("\n", 1)[0] : undefined;
}

/** One printable line of a text: what a tool says must not steer whatever shows the log. */
function line(value: unknown): string {
  const text = typeof value === "string" ? presentable(value, LONGEST) : "";
  return text.replace(/\s+/gu, " ").replace(/\p{C}/gu, "·");
}
