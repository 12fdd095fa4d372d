import { Console } from "node:console";
import { paintFor } from "./paint";

/** The message is for the person who called; what `help` says is shown with it. */
export class UsageError extends Error {
  constructor(
    message: string,
    readonly help = "",
  ) {
    super(message);
  }
}

export interface Opened {
  close(): Promise<void>;
}

/** What a command has while it works. */
export interface Command {
  /** Remembers what is opened, to close it at the end, the last one first; also while it is still opening. */
  open<T extends Opened>(opening: Promise<T>): Promise<T>;
  /** Says that the person wants no more of it. */
  signal: AbortSignal;
}

/**
 * Runs a command of the terminal to its end: its exit code is what it gives, 2 for a wrong usage, 1 for anything else
 * that it throws. Standard output is the command's alone. Ctrl-C, SIGTERM and a reader that went away close what it
 * has opened.
 */
export async function runCommand(command: (context: Command) => Promise<number>): Promise<void> {
  // what libraries have to say goes beside what the command says
  globalThis.console = new Console(process.stderr, process.stderr);
  process.env.LANGSMITH_TRACING = "false";
  process.env.LANGCHAIN_TRACING_V2 = "false";
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = "true";

  const opened: Promise<Opened | undefined>[] = [];
  const open = <T extends Opened>(opening: Promise<T>): Promise<T> => {
    opened.push(opening.catch(() => undefined));
    return opening;
  };
  const closeAll = async () => {
    for (const each of opened.splice(0).reverse()) await (await each)?.close();
  };
  const stopping = new AbortController();
  const stop = (code: number) => {
    if (stopping.signal.aborted) return;
    stopping.abort(code);
    closeAll().finally(() => process.exit(code));
  };
  // not once: what runs the command may pass on the signal that the command has got too
  process.on("SIGINT", () => stop(130));
  process.on("SIGTERM", () => stop(143));
  // whoever read along has gone: `npm run demo | head`
  process.stdout.on("error", () => stop(1));

  try {
    process.exitCode = await command({ open, signal: stopping.signal });
  } catch (error) {
    process.exitCode = stopping.signal.aborted ? stopping.signal.reason : complain(error);
  } finally {
    await closeAll();
  }
}

function complain(error: unknown): number {
  const message = error instanceof Error ? error.message : String(error);
  const usage = error instanceof UsageError;
  const help = usage && error.help ? `\n${error.help}` : "";
  process.stderr.write(`${paintFor(process.stderr).red(message)}\n${help}`);
  return usage ? 2 : 1;
}
