import { langchainMessagesToAgui } from "../src/messages/to-agui";
import type { Adapters } from "./adapters";
import { drive, user } from "./drive";
import { documents, speaker } from "./graphs";
import { validHistory } from "./histories";
import { inTurns } from "./in-turns";
import { record } from "./record";
import { scriptedClient } from "./scripted-client";
import type { Row } from "./table";

const FACTOR = 8;
const BASE = { tokens: 500, state: 50_000, history: 200 };

/** How the time per token grows when the state, the history or the answer is eight times as long. */
export async function linearity(adapters: Adapters): Promise<Row[]> {
  const grown = Object.keys(BASE) as (keyof typeof BASE)[];
  const base = await spokenAnswer("base", BASE);
  const runs = [
    base, // warms up what the other side has left cold; the second one counts
    base,
    ...(await Promise.all(grown.map((key) => spokenAnswer(key, { ...BASE, [key]: BASE[key] * FACTOR })))),
  ];
  const times = await inTurns(5, async (side) => {
    const perToken: Record<string, number> = {};
    for (const { name, tokens, recording, messages } of runs) {
      const { client, tokenTime } = scriptedClient(recording);
      await drive(adapters[side]({ client }), messages);
      perToken[name] = (tokenTime() / tokens) * 1000;
    }
    return perToken;
  });
  const short = times.base ?? { ours: Number.NaN, official: Number.NaN };
  return [
    { what: "time per token", unit: "µs", ...short },
    ...Object.entries(times)
      .filter(([name]) => name !== "base")
      .map(([name, { ours, official }]): Row => {
        const what = `time per token, ${FACTOR} × ${name}: grows by`;
        const growth = { ours: ours / short.ours, official: official / short.official };
        return { what, unit: "factor", ...growth, limit: "flat" };
      }),
  ];
}

/** A recorded answer of so many tokens, in a thread with so much state and so many messages. */
async function spokenAnswer(name: string, { tokens, state, history }: typeof BASE) {
  const { checkpoint } = validHistory(history);
  const input = { messages: [{ type: "human", id: "u", content: "Hi" }] };
  const before = { messages: checkpoint, documents: documents(state) };
  const recording = await record(speaker(tokens), input, before);
  return { name, tokens, recording, messages: [...langchainMessagesToAgui(checkpoint), user("u")] };
}
