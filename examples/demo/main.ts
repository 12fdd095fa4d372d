import { Console } from "node:console";
import { paintFor } from "../terminal/paint";
import { withProgress } from "../terminal/progress";
import { createTimeline } from "../terminal/timeline";
import { play } from "./conversation";
import { openHome, storedResult } from "./home";
import { judge, judgeAnswer } from "./judge";
import { type DemoOptions, readOptions, USAGE, UsageError } from "./options";
import { openProvider } from "./provider";
import { conclusion, report } from "./report";
import { resultOnWire } from "./wire";

// standard output is for what the demo says; what libraries have to say goes beside it
globalThis.console = new Console(process.stderr, process.stderr);
process.env.LANGSMITH_TRACING = "false";
process.env.LANGCHAIN_TRACING_V2 = "false";
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = "true";

interface Opened {
  close(): Promise<void>;
}

/** What was started, or is starting, and has to be stopped, the last one first. */
const opened: Promise<Opened | undefined>[] = [];

function open<T extends Opened>(opening: Promise<T>): Promise<T> {
  opened.push(opening.catch(() => undefined));
  return opening;
}

async function closeAll(): Promise<void> {
  for (const each of opened.splice(0).reverse()) await (await each)?.close();
}

/** Says that the person wants no more of it, and is the exit code then. */
const stopping = new AbortController();

function stop(code: number): void {
  if (stopping.signal.aborted) return;
  stopping.abort(code);
  closeAll().finally(() => process.exit(code));
}

process.once("SIGINT", () => stop(130));
process.once("SIGTERM", () => stop(143));
// whoever read along has gone: `npm run demo | head`
process.stdout.on("error", () => stop(1));

/** @returns The exit code. */
async function demo(options: DemoOptions): Promise<number> {
  const { provider, json, live } = options;
  const paint = paintFor(process.stdout);
  const endpoint = await open(openProvider(options));
  const opening = options.server ? "Starting the LangGraph dev server" : "Building the graph";
  const home = await withProgress(opening, () => open(openHome(options, endpoint.settings, stopping.signal)));

  const { call, sent, snapshot, answer } = await withProgress("The graph runs", (clear) => {
    const write = (text: string) => {
      clear();
      process.stdout.write(text);
    };
    return play(home.agent, createTimeline({ paint, write: json ? () => {} : write }));
  });
  const hops = {
    client: sent,
    stored: await storedResult(home.agent, call.id),
    wire: resultOnWire(provider, endpoint.requests.at(-1), call) ?? null,
    snapshot: snapshot.findLast((message) => message.toolCallId === call.id) ?? null,
  };
  const verdicts = judge(provider, hops);
  // what a real model says cannot be foreseen
  if (!live) verdicts.push(judgeAnswer(answer, sent.error ?? ""));

  process.stdout.write(
    json ? `${JSON.stringify(hops, null, 2)}\n` : `\n${report({ ...hops, answer }, verdicts, paint)}`,
  );
  const lost = verdicts.some((verdict) => verdict.lost);
  if (json && lost) process.stderr.write(`${conclusion(verdicts, paintFor(process.stderr))}\n`);
  return lost ? 1 : 0;
}

async function main(): Promise<number> {
  try {
    const options = readOptions(process.argv.slice(2));
    if (options) return await demo(options);
    process.stdout.write(USAGE);
    return 0;
  } catch (error) {
    if (stopping.signal.aborted) return stopping.signal.reason;
    const message = error instanceof Error ? error.message : String(error);
    const usage = error instanceof UsageError;
    process.stderr.write(`${paintFor(process.stderr).red(message)}\n${usage ? `\n${USAGE}` : ""}`);
    return usage ? 2 : 1;
  } finally {
    await closeAll();
  }
}

main().then((code) => {
  process.exitCode = code;
});
