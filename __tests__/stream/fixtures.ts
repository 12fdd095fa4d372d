import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { StreamRow } from "../../src/types";
import type { RecordedRun } from "./recordings";

/** Where a graph ran. */
export const HOMES = ["process", "server"] as const;
export type Home = (typeof HOMES)[number];

/** The runs of a graph on one thread, as `npm run record` wrote them down. */
export interface Fixture {
  graph: string;
  home: Home;
  runs: RecordedRun[];
}

const folder = resolve(__dirname, "../fixtures");

export const fixturePath = (home: Home, graph: string) => join(folder, home, `${graph}.json`);
export const versionsPath = join(folder, "versions.json");

/** All that is recorded. */
export function readFixtures(homes: readonly Home[] = HOMES): Fixture[] {
  return homes.flatMap((home) =>
    readdirSync(join(folder, home))
      .sort()
      .map((file) => parseFixture(readFileSync(join(folder, home, file), "utf8"))),
  );
}

/** A fixture as text, a row a line. What the rows have as metadata is half of all, and mostly the same: it is listed once. */
export function fixtureText({ graph, home, runs }: Fixture): string {
  const listed = new Map<string, number>();
  const number = (metadata: unknown) => {
    const text = JSON.stringify(metadata);
    return listed.get(text) ?? listed.set(text, listed.size).size - 1;
  };
  const written = runs.map(({ before, rows, after }) => {
    const lines = rows.map((row) => JSON.stringify(withMetadata(row, number)));
    return `{"before":${JSON.stringify(before)},\n"rows":[\n${lines.join(",\n")}\n],\n"after":${JSON.stringify(after)}}`;
  });
  const head = `{"graph":${JSON.stringify(graph)},"home":${JSON.stringify(home)},`;
  return `${head}"metadata":[\n${[...listed.keys()].join(",\n")}\n],"runs":[\n${written.join(",\n")}\n]}\n`;
}

/** The fixture that a text holds. */
export function parseFixture(text: string): Fixture {
  const { graph, home, metadata, runs } = JSON.parse(text) as Fixture & { metadata: unknown[] };
  const named = (index: unknown) => (typeof index === "number" ? metadata[index] : index);
  return {
    graph,
    home,
    runs: runs.map((run) => ({ ...run, rows: run.rows.map((row) => withMetadata(row, named)) })),
  };
}

function withMetadata(row: StreamRow, change: (metadata: unknown) => unknown): StreamRow {
  const { data } = row;
  if (Array.isArray(data)) return { ...row, data: [data[0], change(data[1])] };
  if (typeof data !== "object" || data === null || !("metadata" in data)) return row;
  return { ...row, data: { ...data, metadata: change(data.metadata) } };
}
