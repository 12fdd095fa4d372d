import { spawn } from "node:child_process";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";

const root = resolve(__dirname, "../..");

export interface DoctorOutcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/**
 * The doctor as a process of its own, with nobody at a terminal, and with none of this process's variables.
 *
 * @param reads `false`: what it prints goes to somebody who has gone.
 */
export async function runDoctorProcess(
  args: readonly string[],
  input = "",
  reads = true,
): Promise<DoctorOutcome> {
  const loader = join(root, "node_modules/tsx/dist/loader.mjs");
  const child = spawn(process.execPath, ["--import", loader, join(root, "src/doctor/cli.ts"), ...args], {
    cwd: root,
    env: { PATH: process.env.PATH },
    stdio: ["pipe", "pipe", "pipe"],
  });
  if (!reads) child.stdout.destroy();
  // The doctor need not read its input, and may have ended before it was written.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const closed = new Promise<number | null>((done, failed) => {
    child.once("error", failed);
    child.once("close", done);
  });
  const [stdout, stderr, code] = await Promise.all([
    reads ? text(child.stdout) : "",
    text(child.stderr),
    closed,
  ]);
  return { code, stdout, stderr };
}
