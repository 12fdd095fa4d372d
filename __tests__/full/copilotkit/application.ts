import { type ChildProcess, fork } from "node:child_process";
import { cp, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type DevServer, startDevServer } from "../../../examples/dev-server";
import { run } from "../scratch";
import { npm, type PackageManager } from "./package-managers";

const root = resolve(__dirname, "../../..");

/** Nothing of what runs here tells anybody about it. */
const QUIET = { COPILOTKIT_TELEMETRY_DISABLED: "true", DO_NOT_TRACK: "1", SCARF_ANALYTICS: "false" };

/** An application that uses CopilotKit, with this package in place of the official adapter. */
export interface Application {
  folder: string;
  /** What the compiler has against the application, one line each. */
  compile(project: string): Promise<string[]>;
  /** What a script of the application writes, as JSON. */
  ask(script: string): Promise<unknown>;
  /** Starts graphs of the application in a LangGraph server. */
  startGraphs(names: readonly string[], providerUrl: string): Promise<DevServer>;
  /** Starts the application's server in a process of its own. */
  startRuntime(deploymentUrl: string): Promise<Runtime>;
}

export interface Runtime {
  url: string;
  stop(): Promise<void>;
}

/**
 * Makes the application of `app/` in a folder, and installs it.
 *
 * @param tarball This package, packed.
 * @param manager Default: npm, with the versions of the lock file, in which this package is not.
 */
export async function installApplication(
  folder: string,
  tarball: string,
  manager: PackageManager = npm,
): Promise<Application> {
  await cp(join(__dirname, "app"), folder, { recursive: true });
  if (manager !== npm) await rm(join(folder, "package-lock.json"));
  await manager.install(folder, tarball);
  return {
    folder,
    async compile(project) {
      const args = ["--pretty", "false", "-p", project];
      const said = await run(join(root, "node_modules/.bin/tsc"), args, folder).catch(
        ({ stdout }: { stdout: string }) => stdout,
      );
      return said.split("\n").filter((line) => line.includes("error TS"));
    },
    ask: async (script) => JSON.parse(await run(process.execPath, [script], folder)),
    startGraphs: (names, providerUrl) =>
      startDevServer({
        graphs: Object.fromEntries(names.map((name) => [name, `${join(folder, "graphs.mts")}:${name}`])),
        env: { ...QUIET, PROVIDER_URL: providerUrl },
      }),
    async startRuntime(deploymentUrl) {
      const child = fork(join(folder, "server.mts"), [deploymentUrl], {
        cwd: folder,
        execArgv: ["--import", pathToFileURL(join(root, "node_modules/tsx/dist/loader.mjs")).href],
        env: { ...process.env, ...QUIET },
        stdio: ["ignore", "pipe", "pipe", "ipc"],
      });
      return { url: await firstMessage(child), stop: () => end(child) };
    },
  };
}

function firstMessage(child: ChildProcess): Promise<string> {
  let said = "";
  for (const output of [child.stdout, child.stderr]) {
    output?.on("data", (text: Buffer) => {
      said = `${said}${text}`.slice(-4000);
    });
  }
  return new Promise((resolve, reject) => {
    child.once("message", (url: string) => resolve(url));
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`the runtime ended with code ${code}:\n${said}`)));
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill();
  await gone;
}
