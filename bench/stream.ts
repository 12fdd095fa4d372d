import type { Adapters } from "./adapters";
import { bytesOf, drive, user } from "./drive";
import { documents, speaker } from "./graphs";
import { inTurns } from "./in-turns";
import { record } from "./record";
import { scriptedClient } from "./scripted-client";
import type { Row } from "./table";

const TOKENS = 5_000;
/** The official adapter takes a minute for the big one, so one turn has to do. */
const STATES = [
  { state: "small state", size: 1_000, rounds: 9, limit: 2 },
  { state: "1 MB of state", size: 1_000_000, rounds: 1, limit: 1 },
];

/** The whole run over one recorded stream of a long answer. */
export async function stream(adapters: Adapters): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { state, size, rounds, limit } of STATES) {
    const input = { messages: [{ type: "human", id: "u", content: "Hi" }], documents: documents(size) };
    const recording = await record(speaker(TOKENS), input);
    const { time, bytes } = await inTurns(rounds, async (side) => {
      const agent = adapters[side](scriptedClient(recording));
      const start = performance.now();
      const events = await drive(agent, [user("u")]);
      return { time: performance.now() - start, bytes: bytesOf(events) };
    });
    const what = `${TOKENS.toLocaleString("en")} tokens, ${state}`;
    rows.push({ what, unit: "ms", ...time, limit }, { what, unit: "bytes", ...bytes, limit: 1 });
  }
  return rows;
}
