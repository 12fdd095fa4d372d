import type { Adapters } from "./adapters";
import { drive, user } from "./drive";
import { speaker } from "./graphs";
import { validHistory } from "./histories";
import { inTurns } from "./in-turns";
import { EMPTY_STATE, type Recording, record } from "./record";
import { processorTime, scriptedClient } from "./scripted-client";
import type { Row } from "./table";

const LENGTH = 10_000;

/** Conversion and guarding of a long, valid history, as far as a run on a client that answers at once. */
export async function history(adapters: Adapters): Promise<Row[]> {
  const { client, checkpoint } = validHistory(LENGTH);
  const messages = [...client, user("last")];
  const spoken = await record(speaker(3), { messages: [{ type: "human", id: "last", content: "Hi" }] });
  const threads: [string, Recording][] = [
    ["new thread", { ...spoken, before: JSON.stringify(EMPTY_STATE) }],
    [
      "known thread",
      { ...spoken, before: JSON.stringify({ ...EMPTY_STATE, values: { messages: checkpoint } }) },
    ],
  ];
  const rows: Row[] = [];
  for (const [thread, recording] of threads) {
    const { untilAsked } = await inTurns(31, async (side) => {
      const { client, asked } = scriptedClient(recording);
      const agent = adapters[side]({ client });
      const start = processorTime();
      await drive(agent, messages);
      return { untilAsked: asked() - start };
    });
    const what = `${LENGTH.toLocaleString("en")} messages, ${thread}, until the graph is asked`;
    rows.push({ what, unit: "ms", ...untilAsked, limit: 2 });
  }
  return rows;
}
