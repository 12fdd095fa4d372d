import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { Hops } from "../../examples/demo/judge";
import type { Provider } from "../../examples/model";
import { compilerOptions } from "../../tsconfig.json";

const root = resolve(__dirname, "../..");

/** A folder of one's own, removed when the test file is through. */
export const scratch = mkdtempSync(join(tmpdir(), "demo-"));
afterAll(() => rmSync(scratch, { recursive: true }));

/** The demo runs on the version of the client that this jest project is about. */
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
 * Runs the demo as `npm run demo` does, with none of this process's variables.
 *
 * @param interruptAt Presses Ctrl-C as soon as the output has this text.
 */
export function runDemo(
  args: readonly string[],
  env: Record<string, string> = {},
  interruptAt?: string,
): Promise<Outcome> {
  const cli = join(root, "node_modules/tsx/dist/cli.mjs");
  const child = spawn(process.execPath, [cli, "examples/demo/main.ts", ...args], {
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

/** What `--json` says of a demo that went well. */
export async function hopsOf(args: readonly string[], env?: Record<string, string>): Promise<Hops> {
  const { code, stdout, stderr } = await runDemo(["--json", ...args], env);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const hops = JSON.parse(stdout);
  expect(Object.keys(hops)).toEqual(["client", "stored", "wire", "snapshot"]);
  return hops;
}

const error = "Da Enzo takes no bookings online today";
const content = 'Form filled in: {"restaurant":"Da Enzo","time":"20:00","persons":2}';
const legible = `${error}\n${content}`;

const wires: Record<Provider, unknown> = {
  anthropic: { type: "tool_result", content: legible, is_error: true },
  openai: { role: "tool", content: legible },
  google: { functionResponse: { name: "book_table", response: { error: { details: legible } } } },
  bedrock: { toolResult: { content: [{ text: legible }] } },
};

/** The failure is at every hop what its provider's API can carry. */
export function expectTheFailure({ client, stored, wire, snapshot }: Hops, provider: Provider): void {
  expect(client).toMatchObject({ role: "tool", content, error });
  expect(stored).toMatchObject({
    type: "tool",
    id: client.id,
    tool_call_id: client.toolCallId,
    status: "error",
    additional_kwargs: { error },
  });
  expect(wire).toMatchObject(wires[provider] as object);
  expect(snapshot).toEqual(client);
}
