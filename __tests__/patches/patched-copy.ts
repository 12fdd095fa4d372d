import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import type { Played, Scenario } from "./scenarios";

const execute = promisify(execFile);
const root = resolve(__dirname, "../..");

export interface PatchedCopy {
  /** Runs a scenario through the patched copy in a process of its own. */
  play(file: string, scenario: Scenario): Promise<Played>;
  remove(): Promise<void>;
}

/** The installed official package, copied to where it finds all it depends on, with a patch applied, or with none. */
export async function patchedCopy(patch?: string): Promise<PatchedCopy> {
  const cache = join(root, "node_modules/.cache");
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, "patched-"));
  const copy = join(folder, "node_modules/@ag-ui/langgraph");
  await cp(join(root, "node_modules/@ag-ui/langgraph"), copy, { recursive: true });
  for (const file of ["play-run.cjs", "play.cjs", "play.mjs"]) {
    await cp(join(__dirname, file), join(folder, file));
  }
  if (patch) {
    // the copy is inside this repository, where git would look for the patch's files at the top
    const env = { ...process.env, GIT_CEILING_DIRECTORIES: cache };
    const where = patch.startsWith("patch-package/") ? folder : copy;
    await execute("git", ["apply", join(root, "patches", patch)], { cwd: where, env });
  }
  return {
    async play(file, scenario) {
      const { stdout } = await execute(process.execPath, [join(folder, file), JSON.stringify(scenario)]);
      return JSON.parse(stdout);
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
