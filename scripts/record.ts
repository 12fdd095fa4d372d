/**
 * Records what LangGraph streams: every graph of `recorded-graphs.ts` in this process and on the dev server, into
 * `__tests__/fixtures/`. With `--check` it writes nothing and ends with 1 where a recording differs, as it may with a new
 * version of LangGraph. Names of graphs limit it to these.
 */
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import {
  type Fixture,
  fixturePath,
  fixtureText,
  HOMES,
  type Home,
  readFixtures,
  versionsPath,
} from "../__tests__/stream/fixtures";
import { overTheWire, recordThread } from "../__tests__/stream/recordings";
import { serverClient } from "../__tests__/support/home-rows";
import { startDevServer } from "../examples/dev-server";
import { settingsToEnv } from "../examples/model";
import { startAnthropicStub } from "../examples/providers/anthropic";
import { createLocalClient, type RunnableGraph } from "../src/graphs/local";
import { firstDifference } from "./first-difference";
import { PROVIDER_SCRIPT, RECORDED_GRAPHS, type RecordedGraph } from "./recorded-graphs";
import { stabiliser, traceOfMachine } from "./stable";

type Graphs = [name: string, graph: RecordedGraph][];

const PACKAGES = ["@langchain/core", "@langchain/langgraph", "@langchain/langgraph-api", "langchain"];

async function recordHome(
  home: Home,
  graphs: Graphs,
  take: (fixture: Fixture) => Promise<void>,
): Promise<void> {
  // a stub for each home, since it counts the turns of its script
  const provider = await startAnthropicStub({ script: PROVIDER_SCRIPT });
  const env = settingsToEnv({ provider: "anthropic", baseUrl: provider.url, apiKey: "stub" });
  Object.assign(process.env, env);
  const served = Object.fromEntries(graphs.map(([name, { served }]) => [name, served]));
  const server = home === "server" ? await startDevServer({ graphs: served, env }) : undefined;
  try {
    for (const [graph, { inProcess, runs }] of graphs) {
      const client = server
        ? serverClient(server.url)
        : createLocalClient(inProcess() as RunnableGraph, { graphId: graph });
      const recorded = overTheWire(await recordThread(client, graph, runs));
      await take({ graph, home, runs: stabiliser()(recorded) });
    }
  } finally {
    await server?.stop();
    await provider.close();
  }
}

async function versions(): Promise<string> {
  const found = PACKAGES.map(async (name) => {
    const file = require.resolve(`${name}/package.json`);
    return [name, (JSON.parse(await readFile(file, "utf8")) as { version: string }).version];
  });
  return `${JSON.stringify(Object.fromEntries(await Promise.all(found)), null, 2)}\n`;
}

const written = (path: string) => readFile(path, "utf8").catch(() => undefined);

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

function row(...[graph, home, rows, bytes, state]: (string | number)[]): string {
  return `${String(graph).padEnd(16)} ${String(home).padEnd(8)} ${String(rows).padStart(5)} ${String(bytes).padStart(8)}  ${state}`;
}

async function main([...args]: string[]): Promise<void> {
  const check = args.includes("--check");
  const names = args.filter((arg) => arg !== "--check");
  const unknown = names.filter((name) => !RECORDED_GRAPHS.has(name));
  if (unknown.length)
    throw new Error(`No graph is named ${unknown.join(", ")}: ${[...RECORDED_GRAPHS.keys()].join(", ")}`);
  const graphs = [...RECORDED_GRAPHS].filter(([name]) => names.length === 0 || names.includes(name));

  const differences: string[] = [];
  let [rowCount, byteCount] = [0, 0];
  console.log(row("graph", "home", "rows", "bytes", ""));
  for (const home of HOMES) {
    await recordHome(home, graphs, async (fixture) => {
      const [path, text] = [fixturePath(home, fixture.graph), fixtureText(fixture)];
      const trace = traceOfMachine(text);
      if (trace) throw new Error(`The recording of ${fixture.graph} tells of this machine: ${trace}`);
      const old = await written(path);
      const state = old === text ? "same" : old === undefined ? "new" : "changed";
      const rows = fixture.runs.reduce((sum, run) => sum + run.rows.length, 0);
      console.log(row(fixture.graph, home, rows, text.length, state));
      rowCount += rows;
      byteCount += text.length;
      if (old === undefined) differences.push(`${home}/${fixture.graph}: not recorded yet`);
      else if (old !== text) differences.push(`${home}/${fixture.graph}: ${firstDifference(old, fixture)}`);
      if (!check && old !== text) await write(path, text);
    });
  }
  for (const { home, graph } of readFixtures().filter(({ graph }) => !RECORDED_GRAPHS.has(graph))) {
    console.log(row(graph, home, "", "", "obsolete"));
    differences.push(`${home}/${graph}: no such graph any more`);
    if (!check) await rm(fixturePath(home, graph));
  }
  console.log(row("", "", rowCount, byteCount, `${differences.length} differ`));

  if (differences.length) console.log(`\n${differences.join("\n")}`);
  const [now, then] = [await versions(), await written(versionsPath)];
  if (then && now !== then) console.log(`\nRecorded with\n${then}now\n${now}`);
  if (check) process.exitCode = differences.length > 0 ? 1 : 0;
  else if (names.length === 0) await write(versionsPath, now);
}

main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
