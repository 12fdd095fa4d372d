import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { installedVersions, run } from "./scratch";

const root = resolve(__dirname, "../..");
const official = "@ag-ui/langgraph";
const npmInstall = ["install", "--no-audit", "--no-fund", "--prefer-offline"];

/** The package managers that npm fetches for the tests: the package, and its command. */
const managers = {
  "pnpm 10": ["pnpm@10", "pnpm"],
  "pnpm 12": ["pnpm@12", "pnpm"],
  "yarn 4": ["@yarnpkg/cli-dist@4", "yarn"],
} as const;
type Manager = keyof typeof managers;

/** A project of one tool's, in which one version of the official package after the other is installed. */
export interface PatchProject {
  /** Installs a version and applies a patch, by default that version's own. Rejects with what the tool said. */
  install(version: string, patchFor?: string): Promise<void>;
  /** The output of a script of `__tests__/patches`, which uses what is installed. */
  node(script: string, ...args: string[]): Promise<string>;
}

export interface PatchBench {
  project(tool: PatchTool): Promise<PatchProject>;
  remove(): Promise<void>;
}

/** What an installation is made of. */
interface Steps {
  manifest(dependencies: object, more?: object): Promise<void>;
  write(path: string, content: string): Promise<void>;
  /** Copies a patch into the project. */
  patch(source: string, as: string): Promise<void>;
  run(command: string, ...args: string[]): Promise<string>;
  manager(name: Manager, ...args: string[]): Promise<string>;
  remove(path: string): Promise<void>;
}

/** Installs a version with the patch for one. */
type Install = (steps: Steps, version: string, patchFor: string) => Promise<unknown>;

const distForm = (version: string) => `ag-ui-langgraph-${version}.patch`;

const byPnpm =
  (pnpm: Manager): Install =>
  async ({ manifest, write, patch, manager }, version, patchFor) => {
    const file = distForm(patchFor);
    await manifest({ [official]: version });
    await patch(file, file);
    await write(
      "pnpm-workspace.yaml",
      `patchedDependencies:\n  "${official}@${patchFor}": patches/${file}\n`,
    );
    await manager(pnpm, "install", "--no-frozen-lockfile", "--prefer-offline");
  };

const byHand =
  (apply: (patch: string) => [command: string, ...args: string[]]): Install =>
  async ({ remove, manifest, patch, run }, version, patchFor) => {
    await remove(`node_modules/${official}`);
    await manifest({ [official]: version });
    await patch(distForm(patchFor), distForm(patchFor));
    await run("npm", ...npmInstall);
    await run(...apply(`patches/${distForm(patchFor)}`));
  };

const tools = {
  async "patch-package 8"({ remove, manifest, patch, run }, version, patchFor) {
    const file = `@ag-ui+langgraph+${patchFor}.patch`;
    await remove("patches");
    await patch(`patch-package/${patchFor}/${file}`, file);
    await manifest(
      { [official]: version, "patch-package": "^8.0.1" },
      { scripts: { postinstall: "patch-package --error-on-fail --error-on-warn" } },
    );
    await run("npm", ...npmInstall);
  },

  "pnpm 10": byPnpm("pnpm 10"),
  "pnpm 12": byPnpm("pnpm 12"),

  async "yarn 4"({ manifest, write, patch, manager }, version, patchFor) {
    const file = distForm(patchFor);
    const resolution = `patch:${official}@npm%3A${version}#./patches/${file}`;
    await manifest({ [official]: version }, { resolutions: { [official]: resolution } });
    await patch(file, file);
    await write(".yarnrc.yml", "nodeLinker: node-modules\nenableTelemetry: false\n");
    await write("yarn.lock", "");
    await manager("yarn 4", "install", "--no-immutable");
  },

  "git apply": byHand((patch) => ["git", "apply", `--directory=node_modules/${official}`, patch]),

  "GNU patch": byHand((patch) => [
    "patch",
    "-p1",
    "-d",
    `node_modules/${official}`,
    "-i",
    `../../../${patch}`,
  ]),
} satisfies Record<string, Install>;

export type PatchTool = keyof typeof tools;
export const patchTools = Object.keys(tools) as PatchTool[];

/** A temporary folder with the package managers, and room for a project of each tool's. */
export async function openPatchBench(): Promise<PatchBench> {
  const folder = await mkdtemp(join(tmpdir(), "patched-"));
  for (const [name, [specifier]] of Object.entries(managers)) {
    await mkdir(join(folder, name));
    await writeFile(join(folder, name, "package.json"), "{}");
    await run("npm", [...npmInstall, specifier], join(folder, name));
  }
  const client = await installedVersions(["@ag-ui/client", "@ag-ui/core", "rxjs"]);
  // the one setting that yarn does not take from npm
  const registry = (await run("npm", ["config", "get", "registry"], folder)).trim();

  return {
    async project(tool) {
      const cwd = join(folder, "projects", tool);
      await mkdir(cwd, { recursive: true });
      for (const script of ["play-run.cjs", "play.cjs", "play.mjs"]) {
        await cp(join(root, "__tests__/patches", script), join(cwd, script));
      }
      const steps = stepsIn(cwd, folder, client, registry);
      return {
        install: async (version, patchFor = version) => void (await tools[tool](steps, version, patchFor)),
        node: (script, ...args) => run(process.execPath, [script, ...args], cwd),
      };
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

function stepsIn(cwd: string, folder: string, client: object, registry: string): Steps {
  return {
    manifest: (dependencies, more) =>
      writeFile(
        join(cwd, "package.json"),
        JSON.stringify({
          name: "application",
          private: true,
          dependencies: { ...client, ...dependencies },
          ...more,
        }),
      ),
    write: (path, content) => writeFile(join(cwd, path), content),
    async patch(source, as) {
      const target = join(cwd, "patches", as);
      await mkdir(dirname(target), { recursive: true });
      await cp(join(root, "patches", source), target);
    },
    run: (command, ...args) => run(command, args, cwd),
    manager(name, ...args) {
      const command = join(folder, name, "node_modules/.bin", managers[name][1]);
      // npm's own silence, where the tests run under it, would be theirs as well
      const env = ["-u", "npm_config_loglevel", `YARN_NPM_REGISTRY_SERVER=${registry}`];
      return run("env", [...env, command, ...args], cwd);
    },
    remove: (path) => rm(join(cwd, path), { recursive: true, force: true }),
  };
}
