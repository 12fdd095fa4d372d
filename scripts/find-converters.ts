/**
 * Prints the entry of a version of `@ag-ui/langgraph` for `patches/source/versions.ts`: it fetches the package with
 * npm and finds the converters under their minified names by what they do.
 *
 *     npx tsx scripts/find-converters.ts 0.0.43
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { ToAgui, ToLangChain } from "../patches/source/official";
import { convertsLike, isPlainFunction, showsLike } from "../patches/source/recognise";
import type { BuildNames, PatchedVersion } from "../patches/source/versions";

type Traits = PatchedVersion["traits"];

const ALL_TRAITS: readonly Traits[] = [true, false].flatMap((keepsFlag) =>
  [true, false].map((keepsReasoning) => ({ keepsReasoning, keepsFlag })),
);

const builds = {
  cjs: { file: "index.js", agent: /exports\.LangGraphAgent=([\w$]+)/ },
  esm: { file: "index.mjs", agent: /([\w$]+) as LangGraphAgent/ },
};

/** A build with its functions exported by name: all that take one thing and stand at the top. */
async function functionsOf(folder: string, kind: keyof typeof builds, text: string) {
  const names = [...text.matchAll(/(?<![\w$] )function ([\w$]+)\([\w$]+\)/g)].map(([, name = ""]) => name);
  const entries = [...new Set(names)].map((name) => `${name}:typeof ${name}=="undefined"?void 0:${name}`);
  const target = kind === "cjs" ? "exports.$functions=" : "export const $functions=";
  const path = join(folder, "dist", `probe-${builds[kind].file}`);
  writeFileSync(path, `${text}\n;${target}{${entries.join(",")}};\n`);
  const loaded = await import(pathToFileURL(path).href);
  const found: object = loaded.$functions ?? loaded.default.$functions;
  return Object.entries(found).filter(([, value]) => isPlainFunction(value));
}

function only<T>(what: string, found: readonly T[]): T {
  const [first] = found;
  if (first === undefined || found.length > 1) throw new Error(`${found.length} candidates for ${what}`);
  return first;
}

async function namesIn(folder: string, kind: keyof typeof builds): Promise<BuildNames & { traits: Traits }> {
  const text = readFileSync(join(folder, "dist", builds[kind].file), "utf8");
  const functions = await functionsOf(folder, kind, text);
  const candidates = ALL_TRAITS.flatMap((traits) =>
    functions.flatMap(([toLangChain, convert]) =>
      convertsLike(traits, convert as ToLangChain) ? { traits, toLangChain } : [],
    ),
  );
  const { traits, toLangChain } = only("the converter to LangChain", candidates);
  const toAgui = only(
    "the converter to AG-UI",
    functions.flatMap(([name, show]) => (showsLike(traits, show as ToAgui) ? name : [])),
  );
  const agent = only("the agent class", builds[kind].agent.exec(text)?.slice(1) ?? []);
  return { toLangChain, toAgui, agent, traits };
}

async function main(version: string): Promise<void> {
  // inside this project, so that the package finds what it depends on
  const cache = resolve(__dirname, "../node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "official-"));
  try {
    writeFileSync(join(folder, "package.json"), "{}");
    const install = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--legacy-peer-deps"];
    execFileSync("npm", [...install, "--omit=dev", "--omit=peer", `@ag-ui/langgraph@${version}`], {
      cwd: folder,
      stdio: ["ignore", "ignore", "inherit"],
    });
    const official = join(folder, "package");
    cpSync(join(folder, "node_modules/@ag-ui/langgraph"), official, { recursive: true });
    const { traits, ...cjs } = await namesIn(official, "cjs");
    const { traits: _, ...esm } = await namesIn(official, "esm");
    console.log(`${JSON.stringify({ [version]: { cjs, esm, traits } }, null, 2)}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const [version] = process.argv.slice(2);
if (version) void main(version);
else {
  console.error("Which version? npx tsx scripts/find-converters.ts 0.0.43");
  process.exitCode = 2;
}
