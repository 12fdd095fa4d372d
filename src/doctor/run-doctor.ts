import { readFile } from "node:fs/promises";
import { textField } from "../thrown";
import { type DoctorCommand, type DoctorThread, readCommandLine, USAGE } from "./command-line";
import { type Diagnosis, diagnose } from "./diagnosis";
import { type FoundHistory, readHistory } from "./read-history";
import { nameOf, report, reportForMachines, type Source } from "./report";
import { mendThread, readThread, type ThreadClient, type ThreadProblem } from "./thread";

/** Where the doctor reads and writes. */
export interface Terminal {
  /** The arguments behind the program's name. */
  args: readonly string[];
  out(text: string): void;
  err(text: string): void;
  readInput(): Promise<string>;
  /** Asks the person; missing where nobody sits there. */
  ask?(question: string): Promise<string>;
  width: number;
}

const HEALTHY = 0;
const BROKEN = 1;
const UNREADABLE = 2;

/** `ag-ui-langgraph doctor …`, from its arguments to its exit code. Nothing but `--url` reaches for a network. */
export async function runDoctor(terminal: Terminal): Promise<number> {
  const command = readCommandLine(terminal.args);
  if (command === "help") {
    terminal.out(USAGE);
    return HEALTHY;
  }
  if ("problem" in command) {
    terminal.err(`${command.problem} See --help.`);
    return UNREADABLE;
  }
  const { target } = command;
  return "file" in target
    ? examineFile(target.file, command, terminal)
    : examineThread(target, command, terminal);
}

async function examineFile(file: string, command: DoctorCommand, terminal: Terminal): Promise<number> {
  const history = await readFrom(file, terminal);
  if ("problem" in history) return unreadable({ file }, history, command, terminal);
  const diagnosis = diagnose(history, command.settings);
  tell({ file }, diagnosis, command, terminal);
  return diagnosis.findings.length > 0 ? BROKEN : HEALTHY;
}

async function readFrom(file: string, terminal: Terminal): Promise<FoundHistory | ThreadProblem> {
  try {
    const text = file === "-" ? await terminal.readInput() : await readFile(file, "utf8");
    return (
      readHistory(JSON.parse(text.replace(/^\uFEFF/, ""))) ?? {
        problem: "There is no list of messages in it.",
      }
    );
  } catch (error) {
    const code = textField(error, "code");
    // The message of a SyntaxError quotes what could not be parsed.
    return { problem: code ? `It cannot be read (${code}).` : "It is not JSON." };
  }
}

async function examineThread(
  target: DoctorThread,
  command: DoctorCommand,
  terminal: Terminal,
): Promise<number> {
  const client = await connect(target);
  const found = await readThread(client, target);
  const { url, thread } = target;
  const source = { url, thread };
  if ("problem" in found) return unreadable(source, found, command, terminal);
  const place = { ...source, ...(found.graph && { graph: found.graph }) };
  const settings = { ...command.settings, openCallIds: found.openCallIds };
  const diagnosis = diagnose(found.history, settings);
  const isMendable = diagnosis.mended.update.length > 0;
  if (!target.write || !isMendable) {
    tell(place, diagnosis, command, terminal, target.write ? { written: false } : {});
    return diagnosis.findings.length > 0 ? BROKEN : HEALTHY;
  }
  if (!command.json) tell(place, diagnosis, command, terminal);
  const problem =
    (await refusal(target, terminal)) ?? (await mendThread(client, target, found, diagnosis, settings));
  if (command.json) {
    tell(place, diagnosis, command, terminal, {
      written: !problem,
      ...(problem && { reason: problem.problem }),
    });
  } else if (problem) {
    terminal.err(`Not mended. ${problem.problem}`);
  } else {
    terminal.out(`Mended: ${nameOf(place)} now has ${diagnosis.mended.messages.length} messages.`);
  }
  const remains = diagnosis.findings.some(({ onlyForModel }) => onlyForModel);
  return problem || remains ? BROKEN : HEALTHY;
}

/** Nobody's thread is changed without a yes. */
async function refusal({ yes, thread }: DoctorThread, { ask }: Terminal): Promise<ThreadProblem | undefined> {
  if (yes) return undefined;
  if (!ask) return { problem: "There is no terminal to ask at: --write needs --yes here." };
  const answer = await ask(`Write the repaired history to thread ${thread}? [y/N] `);
  return /^y(es)?$/i.test(answer.trim()) ? undefined : { problem: "As you wish." };
}

/** The SDK is loaded only where a server is asked. */
async function connect({ url, headers }: DoctorThread): Promise<ThreadClient> {
  const { Client } = await import("@langchain/langgraph-sdk");
  // A person waits: where the server is not there, one more try is enough.
  return new Client({
    apiUrl: url,
    defaultHeaders: headers,
    timeoutMs: 60_000,
    callerOptions: { maxRetries: 1 },
  });
}

function tell(
  source: Source,
  diagnosis: Diagnosis,
  { json }: DoctorCommand,
  { out, width }: Terminal,
  more: object = {},
): void {
  if (json) out(JSON.stringify({ ...reportForMachines(source, diagnosis), ...more }, null, 2));
  else out(report(source, diagnosis, width));
}

function unreadable(
  source: Source,
  { problem }: ThreadProblem,
  { json }: DoctorCommand,
  { out, err }: Terminal,
): number {
  if (json) out(JSON.stringify({ source, error: problem }, null, 2));
  else err(`${nameOf(source)}: ${problem}`);
  return UNREADABLE;
}
