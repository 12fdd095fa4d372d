import { type Command, runCommand } from "../terminal/command";
import { paintFor } from "../terminal/paint";
import { withProgress } from "../terminal/progress";
import { createTimeline } from "../terminal/timeline";
import { play } from "./conversation";
import { FAILURE_KINDS } from "./failing-graphs";
import { failureReport, openFailures, type PlayedFailure, playFailure } from "./failures";
import { openHome, storedResult } from "./home";
import { judge, judgeAnswer } from "./judge";
import { type DemoOptions, readOptions, USAGE } from "./options";
import { openProvider } from "./provider";
import { conclusion, report } from "./report";
import { resultOnWire } from "./wire";

async function demo(options: DemoOptions, { open, signal }: Command): Promise<number> {
  const { provider, json, live } = options;
  const paint = paintFor(process.stdout);
  const endpoint = await open(openProvider(options));
  const opening = options.server ? "Starting the LangGraph dev server" : "Building the graph";
  const home = await withProgress(opening, () => open(openHome(options, endpoint.settings, signal)));

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

/** @returns The exit code. */
async function showFailures({ server, json }: DemoOptions, { open, signal }: Command): Promise<number> {
  const paint = paintFor(process.stdout);
  const opening = server ? "Starting the LangGraph dev server" : "Building the graphs";
  const home = await withProgress(opening, () => open(openFailures(server, signal)));
  const played: Record<string, PlayedFailure> = {};
  for (const kind of FAILURE_KINDS) {
    const failure = await withProgress(kind.title, () => playFailure(kind, home));
    if (!json) process.stdout.write(`${failureReport(failure, paint)}\n\n`);
    played[kind.name] = failure;
  }
  if (json) process.stdout.write(`${JSON.stringify(played, null, 2)}\n`);
  return 0;
}

runCommand(async (command) => {
  const options = readOptions(process.argv.slice(2));
  if (options) return options.failures ? showFailures(options, command) : demo(options, command);
  process.stdout.write(USAGE);
  return 0;
});
