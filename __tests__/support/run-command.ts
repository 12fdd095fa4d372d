import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { compilerOptions } from "../../tsconfig.json";

const root = resolve(__dirname, "../..");

/** A folder of one's own, removed when the test file is through. */
export const scratch = mkdtempSync(join(tmpdir(), "command-"));
afterAll(() => rmSync(scratch, { recursive: true }));

/** The command runs on the version of the client that this jest project is about. */
const tsconfig = join(scratch, "tsconfig.json");
const paths: Record<string, string[]> = {
  "@ag-ui/client": [dirname(dirname(require.resolve("@ag-ui/client")))],
};
for (const [name, files] of Object.entries(compilerOptions.paths))
  paths[name] = files.map((file) => join(root, file));
writeFileSync(tsconfig, JSON.stringify({ extends: join(root, "tsconfig.json"), compilerOptions: { paths } }));

interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/**
 * Runs a command of the examples as npm does, with none of this process's variables.
 *
 * @param interruptAt Presses Ctrl-C as soon as the output has this text.
 */
export function runCommand(
  main: string,
  args: readonly string[],
  env: Record<string, string> = {},
  interruptAt?: string,
): Promise<Outcome> {
  const cli = join(root, "node_modules/tsx/dist/cli.mjs");
  const child = spawn(process.execPath, [cli, main, ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: scratch, TSX_TSCONFIG_PATH: tsconfig, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: interruptAt !== undefined,
  });
  const outcome: Outcome = { code: null, stdout: "", stderr: "" };
  child.stdout.on("data", (text) => {
    outcome.stdout += text;
    if (interruptAt && child.pid && outcome.stdout.includes(interruptAt)) {
      interruptAt = undefined;
      // a terminal sends it to all processes of the group
      process.kill(-child.pid, "SIGINT");
    }
  });
  child.stderr.on("data", (text) => {
    outcome.stderr += text;
  });
  return new Promise((done, failed) => {
    child.once("error", failed);
    child.once("close", (code) => done({ ...outcome, code }));
  });
}
