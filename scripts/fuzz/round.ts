import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";

export interface Round {
  seed: number;
  /** How many cases a law of histories gets; a law of streams, whose cases are longer, gets a third. */
  cases: number;
}

export interface RoundResult {
  /** The cases that were played. */
  played: number;
  failures: { law: string; message: string }[];
}

const root = resolve(__dirname, "../..");

/** Some laws play a fraction of the cases, and fast-check never ends where their number is broken. */
const hundreds = (cases: number): number => Math.ceil(cases / 100) * 100;

/** Plays all laws once from a seed. */
export async function playRound({ seed, cases }: Round): Promise<RoundResult> {
  const folder = await mkdtemp(join(tmpdir(), "fuzz-"));
  const countFile = join(folder, "counts");
  const args = [
    "--config",
    "jest.fuzz.config.js",
    "--json",
    "--silent",
    "--outputFile",
    join(folder, "out.json"),
  ];
  const child = spawn(process.execPath, [join(root, "node_modules/jest/bin/jest.js"), ...args], {
    cwd: root,
    env: {
      ...process.env,
      FUZZ_SEED: String(seed),
      FUZZ_COUNT_FILE: countFile,
      HISTORY_RUNS: String(hundreds(cases)),
      STREAM_RUNS: String(hundreds(cases / 3)),
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  try {
    const [said] = await Promise.all([text(child.stderr), new Promise((done) => child.once("close", done))]);
    const outcome = await readFile(join(folder, "out.json"), "utf8").catch(() => undefined);
    if (!outcome) return { played: 0, failures: [{ law: "the round itself", message: said }] };
    const counts = await readFile(countFile, "utf8").catch(() => "");
    return {
      played: counts.split("\n").reduce((sum, count) => sum + Number(count), 0),
      failures: failuresIn(JSON.parse(outcome)),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface JestOutcome {
  testResults: {
    name: string;
    message: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
}

function failuresIn({ testResults }: JestOutcome): RoundResult["failures"] {
  return testResults.flatMap(({ name, message, assertionResults }) => {
    if (assertionResults.length === 0) return [{ law: name, message }];
    return assertionResults
      .filter(({ status }) => status === "failed")
      .map(({ fullName, failureMessages }) => ({
        law: fullName,
        message: withoutStacks(failureMessages.join("\n")),
      }));
  });
}

/** The counterexample says where to look. */
const withoutStacks = (message: string): string => message.replace(/^\s+at .*\n?/gm, "").trimEnd();
