import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

const execute = promisify(execFile);
const root = resolve(__dirname, "../..");
const bin = (name: string) => join(root, "node_modules/.bin", name);

class FailedCommand extends Error {
  constructor(
    command: string,
    readonly stdout: string,
    stderr: string,
  ) {
    super(`${command} failed:\n${stdout}\n${stderr}`);
  }
}

/** A command's output. Rejects with what it said when it fails. */
export async function run(command: string, args: string[], cwd: string): Promise<string> {
  // npm hands its settings to what it starts, and the scratch projects are none of this project's business
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_(package|lifecycle)_/.test(name)),
  );
  try {
    const { stdout } = await execute(command, args, { cwd, env, maxBuffer: 2 ** 26 });
    return stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new FailedCommand(`${command} ${args.join(" ")}`, stdout, stderr);
  }
}

/** The versions that this project has, so that what is tested here is what is tested there. */
export async function installedVersions(names: readonly string[]): Promise<Record<string, string>> {
  const entries = names.map(async (name) => {
    const { version } = JSON.parse(await readFile(join(root, "node_modules", name, "package.json"), "utf8"));
    return [name, version] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

export interface Workshop {
  /** The package as npm would publish it. */
  tarball: string;
  /** A project of its own, with what its `package.json` names installed. */
  project(name: string, manifest: object): Promise<Project>;
  /** A package that has this manifest and this one file, packed. */
  pack(manifest: { name: string; version: string }, index: string): Promise<string>;
  remove(): Promise<void>;
}

export interface Project {
  folder: string;
  node(...args: string[]): Promise<string>;
  npm(...args: string[]): Promise<string>;
  /** What the compiler has against the project, one line each. */
  compile(): Promise<string[]>;
  /** Copies a file of `consumer/` into the project. */
  take(file: string, as?: string): Promise<void>;
}

/** A temporary folder with the packed package. The build goes there as well, so that no other one is disturbed. */
export async function openWorkshop(): Promise<Workshop> {
  const folder = await mkdtemp(join(tmpdir(), "package-"));
  const remove = () => rm(folder, { recursive: true, force: true });
  const npmPack = async (source: string) => {
    const [packed] = JSON.parse(await run("npm", ["pack", "--json", "--pack-destination", folder], source));
    return join(folder, packed.filename);
  };

  const pack = async (manifest: { name: string; version: string }, index: string) => {
    const source = join(folder, manifest.name);
    await mkdir(source);
    await writeFile(join(source, "package.json"), JSON.stringify(manifest));
    await writeFile(join(source, "index.js"), index);
    return npmPack(source);
  };

  const project = async (name: string, manifest: object): Promise<Project> => {
    const cwd = join(folder, name);
    await mkdir(cwd);
    await writeFile(join(cwd, "package.json"), JSON.stringify({ name, private: true, ...manifest }));
    await run("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline"], cwd);
    return {
      folder: cwd,
      node: (...args) => run(process.execPath, args, cwd),
      npm: (...args) => run("npm", args, cwd),
      async compile() {
        const said = await run(bin("tsc"), ["--pretty", "false", "-p", "."], cwd).catch(
          (error: FailedCommand) => error.stdout,
        );
        return said.split("\n").filter((line) => line.includes("error TS"));
      },
      take: (file, as = file) => cp(join(__dirname, "consumer", file), join(cwd, as)),
    };
  };

  try {
    return { tarball: await npmPack(await build(join(folder, "ag-ui-langgraph"))), project, pack, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** What npm would pack: the built package, in a folder of its own. */
async function build(target: string): Promise<string> {
  await mkdir(target);
  for (const file of ["package.json", "README.md", "CHANGELOG.md", "LICENSE"]) {
    await cp(join(root, file), join(target, file));
  }
  await run(bin("tsup"), ["--silent", "--out-dir", join(target, "dist")], root);
  return target;
}
