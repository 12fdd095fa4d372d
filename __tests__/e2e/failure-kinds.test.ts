import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { BaseEvent } from "@ag-ui/client";
import { FAILURE_KINDS } from "../../examples/demo/failing-graphs";
import {
  type FailuresHome,
  openFailures,
  type PlayedFailure,
  playFailure,
} from "../../examples/demo/failures";
import { protocol1 } from "../support/fold";
import { runDemo } from "../support/run-demo";

const homes: FailuresHome[] = [];
afterAll(async () => {
  for (const home of homes) await home.close();
});

async function playAll(server: boolean): Promise<PlayedFailure[]> {
  const home = await openFailures(server);
  homes.push(home);
  const played: PlayedFailure[] = [];
  for (const kind of FAILURE_KINDS) played.push(await playFailure(kind, home));
  return played;
}

type Fields = Record<string, string> & { value: { path: string[] } & Record<string, string> };

/** An event as the table tells it. */
function cell(event: BaseEvent): string {
  const fields = event as unknown as Fields;
  const code = (value: string | undefined) => (value === undefined ? "" : ` \`${value}\``);
  switch (event.type as string) {
    case "TOOL_CALL_RESULT":
      return `TOOL_CALL_RESULT, failed: "${(fields.metadata as unknown as { error: string }).error}"`;
    case "CUSTOM": {
      const { path, errorType, errorMessage, errorCode, attemptCount } = fields.value;
      return `CUSTOM \`${fields.name}\` of ${path.join(" › ")}: ${errorType} "${errorMessage}"${code(errorCode)}, attempt ${attemptCount}`;
    }
    case "SUBAGENT_ERROR":
      return `SUBAGENT_ERROR of ${(fields.subagentRunId ?? "").replace(/:[^|]*/g, "").replaceAll("|", " › ")}${code(fields.code)}`;
    case "RUN_ERROR":
      return `RUN_ERROR "${fields.message}"${code(fields.code)}`;
    default:
      return event.type;
  }
}

const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
const cells = ({ events }: PlayedFailure) => events.map(cell).join("<br>");

const ofProtocol1 = protocol1 ? it : it.skip;

ofProtocol1("the table of docs/failures.md is what clients are told", async () => {
  const [here, there] = await Promise.all([playAll(false), playAll(true)]);
  const table = [
    row(["what happens", "in process", "on a LangGraph server"]),
    row(["---", "---", "---"]),
    ...here.map((played, at) => {
      const other = there[at];
      if (!other) throw new Error(`${played.title} was not played on the server`);
      return row([played.title, cells(played), cells(other) === cells(played) ? "the same" : cells(other)]);
    }),
  ].join("\n");
  const documented = readFileSync(resolve(__dirname, "../../docs/failures.md"), "utf8");
  const [, found] = /<!-- table -->\n\n(.*?)\n\n<!-- \/table -->/s.exec(documented) ?? [];
  expect(found).toBe(table);
});

it("the demo prints the tree of each kind, as README.md and docs/failures.md show it", async () => {
  const { code, stdout, stderr } = await runDemo(["--failures"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const documented = readFileSync(resolve(__dirname, "../../docs/failures.md"), "utf8");
  expect(documented).toContain(`\`\`\`text\n${stdout.trimEnd()}\n\`\`\``);
  const shown = readFileSync(resolve(__dirname, "../../README.md"), "utf8").match(
    /```text\n(a node fails three.*?)\n```/s,
  );
  expect(stdout).toContain(shown?.[1] ?? "an excerpt in README.md");
}, 60_000);

it("--json tells the same to machines", async () => {
  const { code, stdout } = await runDemo(["--failures", "--json"]);
  expect(code).toBe(0);
  const played: Record<string, PlayedFailure> = JSON.parse(stdout);
  expect(Object.keys(played)).toEqual(FAILURE_KINDS.map(({ name }) => name));
  expect(played.retryRunsOut?.tree).toContain("tried 3 times");
}, 60_000);
