import { type ChildProcess, fork } from "node:child_process";
import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { graphs as exampleGraphs } from "./langgraph.json";

export interface DevServerOptions {
  /** Graphs by name, each as `file:export`, the file from the project's root. Default: those of `langgraph.json`. */
  graphs?: Record<string, string>;
  /** Variables that the graphs see, beside the process's own. */
  env?: Record<string, string>;
  /**
   * Whether it reads the schemas of graphs written by hand from their source, with a compiler that takes many seconds of
   * a core for each graph. Default `false`: no run waits for them, and what graphs tell themselves is there anyway.
   */
  sourceSchemas?: boolean;
  /** How many runs at once. Default 10. */
  workers?: number;
  /** Ends the server, also while it is starting. */
  signal?: AbortSignal;
}

export interface DevServer {
  url: string;
  pid: number;
  /** Ends the server and removes its folder. */
  stop(): Promise<void>;
  /** Ends it in the middle of what it does, as a crash would. */
  kill(): void;
}

const root = resolve(__dirname, "..");

/**
 * The real LangGraph dev server on a free loopback port, in a temporary folder, offline. Graph files are
 * TypeScript and may import this package by its name. It ends with its parent, however that ends.
 */
export async function startDevServer(options: DevServerOptions = {}): Promise<DevServer> {
  const cwd = await mkdtemp(join(tmpdir(), "dev-server-"));
  const graphs = Object.entries(options.graphs ?? ofExamples());
  const payload = {
    port: 0,
    host: "127.0.0.1",
    nWorkers: options.workers ?? 10,
    cwd,
    graphs: Object.fromEntries(graphs.map(([name, spec]) => [name, relative(cwd, resolve(root, spec))])),
  };
  const child = fork(join(__dirname, "dev-server-process.mjs"), [JSON.stringify(payload)], {
    cwd,
    execArgv: [
      "--import",
      file("tsx/dist/loader.mjs"),
      "--import",
      file("@langchain/langgraph-api/dist/preload.mjs"),
    ],
    env: {
      ...process.env,
      ...OFFLINE,
      ...(!options.sourceSchemas && WITHOUT_SOURCE_SCHEMAS),
      TSX_TSCONFIG_PATH: join(root, "tsconfig.json"),
      ...options.env,
    },
    signal: options.signal,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  child.once("exit", () => rmSync(cwd, { recursive: true, force: true }));
  const stop = () => end(child);
  try {
    const url = `http://${await whenListening(child)}`;
    child.unref();
    child.channel?.unref();
    return { url, pid: child.pid as number, stop, kill: () => child.kill("SIGKILL") };
  } catch (error) {
    await stop();
    throw error;
  }
}

const OFFLINE = {
  LANGGRAPH_CLI_NO_ANALYTICS: "1",
  LANGSMITH_TRACING: "false",
  BROWSER: "none",
  LOG_LEVEL: "error",
};

const WITHOUT_SOURCE_SCHEMAS = { LANGGRAPH_SCHEMA_RESOLVE_TIMEOUT_MS: "1" };

/** `langgraph.json` names files from its own folder. */
function ofExamples(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(exampleGraphs).map(([name, spec]) => [name, join("examples", spec)]),
  );
}

function file(path: string): string {
  return pathToFileURL(join(root, "node_modules", path)).href;
}

function whenListening(child: ChildProcess): Promise<string> {
  let said = "";
  for (const output of [child.stdout, child.stderr]) {
    output?.on("data", (text: Buffer) => {
      said = `${said}${text}`.slice(-4000);
    });
  }
  return new Promise((resolve, reject) => {
    child.once("message", (message: { host: string }) => resolve(message.host));
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`the dev server ended with code ${code}:\n${said}`)));
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  // unreferenced while it runs, but this process must not end before it
  child.ref();
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await gone;
}
