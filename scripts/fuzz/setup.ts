import { appendFileSync } from "node:fs";
import fc from "fast-check";

const { FUZZ_SEED, FUZZ_COUNT_FILE } = process.env;

/** Every property of a round starts from the round's seed, and counts its cases. */
fc.configureGlobal({
  seed: Number(FUZZ_SEED),
  reporter(details) {
    if (FUZZ_COUNT_FILE) appendFileSync(FUZZ_COUNT_FILE, `${details.numRuns}\n`);
    if (details.failed) throw new Error(fc.defaultReportMessage(details));
  },
});
