import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { PATCHED_VERSIONS } from "../../patches/source/versions";

const execute = promisify(execFile);
const root = resolve(__dirname, "../..");
const patches = join(root, "patches");
const versions = Object.keys(PATCHED_VERSIONS);

const files = versions.flatMap((version): [path: string, folder: string][] => [
  [`ag-ui-langgraph-${version}.patch`, "dist/"],
  [`patch-package/${version}/@ag-ui+langgraph+${version}.patch`, "node_modules/@ag-ui/langgraph/dist/"],
]);

it("there is one in both forms for each version, and no other", async () => {
  const found = (await readdir(patches, { recursive: true })).filter((path) => path.endsWith(".patch"));
  expect(found.sort()).toEqual(files.map(([path]) => path).sort());
});

it("they are what the source gives", async () => {
  await execute(join(root, "node_modules/.bin/tsx"), [join(root, "scripts/build-patches.ts"), "--check"]);
});

describe.each(files)("%s", (path, folder) => {
  it("adds files and lines, and holds nothing of the package", async () => {
    const lines = (await readFile(join(patches, path), "utf8")).split("\n");
    expect(lines.pop()).toBe("");
    const headers = lines.filter((line) => !line.startsWith("+") || line.startsWith("+++ "));
    expect(headers).toEqual(
      ["js", "mjs"].flatMap((extension) => [
        `diff --git a/${folder}tool-failures.${extension} b/${folder}tool-failures.${extension}`,
        "new file mode 100644",
        "--- /dev/null",
        `+++ b/${folder}tool-failures.${extension}`,
        expect.stringMatching(/^@@ -0,0 \+1,\d+ @@$/),
        `diff --git a/${folder}index.${extension} b/${folder}index.${extension}`,
        `--- a/${folder}index.${extension}`,
        `+++ b/${folder}index.${extension}`,
        expect.stringMatching(/^@@ -7,0 \+8,\d+ @@$/),
      ]),
    );
  });
});

it("no added line is one of the installed package", async () => {
  const dist = join(root, "node_modules/@ag-ui/langgraph/dist");
  const builds = await Promise.all(
    ["index.js", "index.mjs"].map((file) => readFile(join(dist, file), "utf8")),
  );
  const theirs = new Set(builds.flatMap((text) => text.split("\n")).filter((line) => line.trim() !== ""));
  for (const [path] of files) {
    const added = (await readFile(join(patches, path), "utf8")).split("\n").map((line) => line.slice(1));
    expect(added.filter((line) => theirs.has(line))).toEqual([]);
  }
});
