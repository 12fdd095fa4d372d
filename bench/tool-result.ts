import type { Adapters } from "./adapters";
import { bytesOf, drive, user } from "./drive";
import { reader } from "./graphs";
import { inTurns } from "./in-turns";
import { record } from "./record";
import { scriptedClient } from "./scripted-client";
import type { Row } from "./table";

/** How much of it the client gets when a tool returns a long text once. */
export async function toolResult(adapters: Adapters): Promise<Row[]> {
  const content = "The marker, and a line of the report.\n".repeat(900);
  const recording = await record(reader(content), {
    messages: [{ type: "human", id: "u", content: "Read" }],
  });
  const needle = JSON.stringify(content).slice(1, -1);
  const { bytes, copies } = await inTurns(1, async (side) => {
    const events = await drive(adapters[side](scriptedClient(recording)), [user("u", "Read")]);
    const text = events.map((event) => JSON.stringify(event)).join("\n");
    return { bytes: bytesOf(events), copies: text.split(needle).length - 1 };
  });
  const what = `a tool returns ${Math.round(content.length / 1000)} KB once`;
  return [
    { what: `${what}: sent to the client`, unit: "bytes", ...bytes, limit: 1 },
    { what: `${what}: copies of it`, unit: "count", ...copies, limit: 1 },
  ];
}
