import { withProgress } from "../examples/terminal/progress";
import { type Adapters, loadAdapters } from "./adapters";
import { history } from "./history";
import { linearity } from "./linearity";
import { requests } from "./requests";
import { stream } from "./stream";
import { isWithin, type Row, table } from "./table";
import { toolResult } from "./tool-result";

const BENCHES: Record<string, (adapters: Adapters) => Promise<Row[]>> = {
  history,
  stream,
  "tool-result": toolResult,
  requests,
  linearity,
};

const USAGE = `npm run bench -- [--json] [${Object.keys(BENCHES).join("] [")}]
Measures this adapter and the official one in turns, in one process.
Exit code 1 when something costs more than it may.`;

async function main(args: readonly string[]): Promise<number> {
  if (args.includes("--help")) {
    console.log(USAGE);
    return 0;
  }
  const json = args.includes("--json");
  const names = args.filter((arg) => arg !== "--json");
  const unknown = names.filter((name) => !Object.hasOwn(BENCHES, name));
  if (unknown.length > 0) {
    console.error(`No such bench: ${unknown.join(", ")}\n${USAGE}`);
    return 2;
  }
  const adapters = await withProgress("building", loadAdapters);
  const rows: Row[] = [];
  for (const name of names.length > 0 ? names : Object.keys(BENCHES)) {
    rows.push(...(await withProgress(name, () => BENCHES[name]?.(adapters) ?? Promise.resolve([]))));
  }
  console.log(json ? JSON.stringify(rows, null, 2) : table(rows));
  return rows.every(isWithin) ? 0 : 1;
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error) => {
    console.error(error);
    process.exitCode = 1;
  },
);
