/**
 * Writes the patch files of `patches/` from the source in `patches/source/`. With `--check` it writes nothing and
 * says which of them are not what the source gives.
 */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { build } from "tsup";
import { type BuildNames, PATCHED_VERSIONS } from "../patches/source/versions";
import { type Addition, patchText } from "./patch-text";

const patches = resolve(__dirname, "../patches");

/** The name of the new files, which stand beside the builds. */
const CODE = "tool-failures";

/** No other position is taken by all tools for all versions, whether a build has six lines or seven. */
const LAST_LINE = 7;

const builds = [
  {
    kind: "cjs",
    extension: "js",
    hook: (version: string, names: BuildNames) =>
      `;[${names.toLangChain},${names.toAgui}]=require("./${CODE}.js").carryToolFailures(${given(version, names)},require("../package.json").version);`,
  },
  {
    kind: "esm",
    extension: "mjs",
    hook: (version: string, names: BuildNames) =>
      `import{carryToolFailures as $carryToolFailures}from"./${CODE}.mjs";\n` +
      `[${names.toLangChain},${names.toAgui}]=$carryToolFailures(${given(version, names)});`,
  },
] as const;

/** On another version there may be nothing under a name, which must not be all that the user is told. */
function given(version: string, { toLangChain, toAgui, agent }: BuildNames): string {
  const found = [toLangChain, toAgui, agent].map((name) => `typeof ${name}=="undefined"?void 0:${name}`);
  return [JSON.stringify(version), ...found].join(",");
}

async function bundle(): Promise<Record<string, string>> {
  const outDir = await mkdtemp(join(tmpdir(), "patches-"));
  try {
    await build({
      entry: { [CODE]: join(patches, "source/carry-tool-failures.ts") },
      outDir,
      config: false,
      format: ["cjs", "esm"],
      target: "es2022",
      minify: true,
      silent: true,
      banner: {
        js:
          "/* Added by a patch of ag-ui-langgraph (MIT licence); generated from its folder patches/source.\n" +
          " * The text of a failed tool result reaches LangGraph and comes back; histories are guarded. */",
      },
      esbuildOptions(options) {
        options.lineLimit = 100;
      },
    });
    const read = async ({ extension }: (typeof builds)[number]) => [
      extension,
      await readFile(join(outDir, `${CODE}.${extension}`), "utf8"),
    ];
    return Object.fromEntries(await Promise.all(builds.map(read)));
  } finally {
    await rm(outDir, { recursive: true, force: true });
  }
}

/** All patch files by their path in `patches/`. */
async function generate(): Promise<Map<string, string>> {
  const code = await bundle();
  const files = new Map<string, string>();
  for (const [version, names] of Object.entries(PATCHED_VERSIONS)) {
    const additions = builds.flatMap(({ kind, extension, hook }): Addition[] => [
      { path: `dist/${CODE}.${extension}`, text: code[extension] ?? "" },
      // The build has no line end behind its last line: the first added line is that.
      {
        path: `dist/index.${extension}`,
        text: `\n${hook(version, names[kind])}\n`,
        behindLine: LAST_LINE,
      },
    ]);
    files.set(`ag-ui-langgraph-${version}.patch`, patchText(additions));
    files.set(
      `patch-package/${version}/@ag-ui+langgraph+${version}.patch`,
      patchText(additions, "node_modules/@ag-ui/langgraph/"),
    );
  }
  return files;
}

async function committed(): Promise<string[]> {
  const entries = await readdir(patches, { recursive: true });
  return entries.filter((path) => path.endsWith(".patch"));
}

async function main(): Promise<void> {
  const files = await generate();
  const obsolete = (await committed()).filter((path) => !files.has(path));
  if (process.argv.includes("--check")) {
    const stale = [...obsolete];
    for (const [path, text] of files) {
      if ((await readFile(join(patches, path), "utf8").catch(() => "")) !== text) stale.push(path);
    }
    if (stale.length === 0) return;
    console.error(`Not what the source gives, run npm run patches:build:\n${stale.join("\n")}`);
    process.exitCode = 1;
    return;
  }
  for (const path of obsolete) await rm(join(patches, path));
  for (const [path, text] of files) {
    await mkdir(dirname(join(patches, path)), { recursive: true });
    await writeFile(join(patches, path), text);
    console.log(`${path}  ${(text.length / 1024).toFixed(0)} KB`);
  }
}

void main();
