import { parseArgs } from "node:util";
import { withProgress } from "../../examples/terminal/progress";
import { playRound, type Round } from "./round";

const USAGE = `npm run test:fuzz -- [--minutes 5] [--cases 1500] [--seed N]
Plays the laws on generated histories and streams, round after round, each from another seed, until the time is up; a
round that has begun is finished. Cases are rounded up to hundreds. With --seed one round from that seed, to see a failure again.
Exit code 1 when a law was broken.`;

const number = (value: number) => value.toLocaleString("en-US");

function options() {
  const { values } = parseArgs({
    options: {
      minutes: { type: "string", default: "5" },
      cases: { type: "string", default: "1500" },
      seed: { type: "string" },
      help: { type: "boolean" },
    },
  });
  const [minutes, cases, seed] = [values.minutes, values.cases, values.seed ?? "0"].map(Number);
  if (
    !minutes ||
    !(minutes > 0) ||
    !cases ||
    !Number.isInteger(cases) ||
    cases < 1 ||
    !Number.isInteger(seed)
  )
    throw new TypeError("--minutes, --cases and --seed take numbers");
  return { minutes, cases, seed: values.seed === undefined ? undefined : seed, help: values.help ?? false };
}

/** Plays one round and tells of it in one line, and of each law that was broken. */
async function tellRound(round: Round, title: string): Promise<{ played: number; broken: number }> {
  const begin = Date.now();
  const { played, failures } = await withProgress(title, () => playRound(round));
  const seconds = ((Date.now() - begin) / 1000).toFixed(0);
  const verdict = failures.length === 0 ? "all laws hold" : `${failures.length} BROKEN`;
  console.log(`${title}: ${number(played)} cases in ${seconds} s from seed ${round.seed}: ${verdict}`);
  for (const { law, message } of failures)
    console.log(
      `\n✗ ${law}\n${message}\nAgain: npm run test:fuzz -- --seed ${round.seed} --cases ${round.cases}\n`,
    );
  return { played, broken: failures.length };
}

async function main(): Promise<number> {
  const { minutes, cases, seed, help } = options();
  if (help) {
    console.log(USAGE);
    return 0;
  }
  if (seed !== undefined) return (await tellRound({ seed, cases }, "once")).broken > 0 ? 1 : 0;
  const begin = Date.now();
  const end = begin + minutes * 60_000;
  const seeds: number[] = [];
  let total = 0;
  for (let round = 1; round === 1 || Date.now() < end; round += 1) {
    const next = Math.floor(Math.random() * 2 ** 31);
    const elapsed = ((Date.now() - begin) / 60_000).toFixed(1);
    const { played, broken } = await tellRound(
      { seed: next, cases },
      `round ${round} (${elapsed} of ${minutes} min)`,
    );
    total += played;
    if (broken > 0) seeds.push(next);
  }
  const verdict = seeds.length === 0 ? "all laws hold" : `laws are broken from the seeds ${seeds.join(", ")}`;
  console.log(`${number(total)} cases: ${verdict}`);
  return seeds.length === 0 ? 0 : 1;
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    console.error(`${error instanceof Error ? error.message : error}\n${USAGE}`);
    process.exitCode = 2;
  },
);
