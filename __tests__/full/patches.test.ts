import { PATCHED_VERSIONS } from "../../patches/source/versions";
import {
  brokenThread,
  failure,
  failureOnTheWire,
  formats,
  type Played,
  type Scenario,
} from "../patches/scenarios";
import {
  openPatchBench,
  type PatchBench,
  type PatchProject,
  type PatchTool,
  patchTools,
} from "./patch-tools";

const versions = Object.keys(PATCHED_VERSIONS);
const matrix = new Map<PatchTool, string[]>();

let bench: PatchBench;

beforeAll(async () => {
  bench = await openPatchBench();
});

afterAll(async () => {
  await bench?.remove();
  process.stdout.write(`${table()}\n`);
});

/** What was done with each tool, version by version. */
function table(): string {
  const rows = [
    ["", ...versions, "another version"],
    ...[...matrix].map(([tool, cells]) => [tool, ...cells]),
  ];
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** What is there to see of an application that has the patch of another version. */
const refusals: Record<PatchTool, RegExp> = {
  "patch-package 8": /Warning: patch-package detected a patch file version mismatch/,
  "pnpm 10": /ERR_PNPM_UNUSED_PATCH/,
  "pnpm 12": /ERR_PNPM_UNUSED_PATCH/,
  "yarn 4": /was applied to another version/,
  "git apply": /was applied to another version/,
  "GNU patch": /was applied to another version/,
};

describe.each(patchTools)("%s", (tool) => {
  let project: PatchProject;
  const cells: string[] = [];

  beforeAll(async () => {
    project = await bench.project(tool);
    matrix.set(tool, cells);
  });

  const play = async (script: string, scenario: Scenario): Promise<Played> =>
    JSON.parse(await project.node(script, JSON.stringify(scenario)));

  it.each(versions)("patches %s, whose builds then carry a failure there and back", async (version) => {
    const cell = cells.push("failed") - 1;
    const start = performance.now();
    await project.install(version);
    for (const script of formats) {
      const { payload, snapshot } = await play(script, failure);
      expect(payload.at(-1)).toEqual(failureOnTheWire);
      expect(snapshot).toEqual(failure.sent);
      const { thread } = await play(script, brokenThread);
      expect(thread.map(({ id }) => id)).toEqual(["u", "a", "unanswered-c", "v", "w"]);
    }
    cells[cell] = `CJS, ESM: carried (${Math.round((performance.now() - start) / 1000)} s)`;
  });

  it("installs once more, and nothing is applied twice", async () => {
    const [version = ""] = versions.slice(-1);
    await project.install(version);
    const { payload } = await play("play.mjs", failure);
    expect(payload.at(-1)).toEqual(failureOnTheWire);
  });

  it("fails clearly on another version", async () => {
    const [installed = "", other] = versions;
    const cell = cells.push("failed") - 1;
    const use = async () => {
      await project.install(installed, other);
      await play("play.cjs", failure);
    };
    await expect(use()).rejects.toThrow(refusals[tool]);
    cells[cell] = refusals[tool].source.startsWith("was") ? "refused at load" : "refused at install";
  });
});
