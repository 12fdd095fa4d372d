import type { StreamMode } from "@langchain/langgraph-sdk";
import { textField } from "../thrown";
import type { StreamRow } from "../types";
import type { Lookups } from "./lookups";
import { httpStatus } from "./thread";

/** What a run asks for unless the application does: `tasks` says which node failed, and where. */
export const STREAM_MODES: StreamMode[] = [
  "events",
  "values",
  "updates",
  "messages-tuple",
  "custom",
  "tasks",
];

/**
 * The rows of a run. A server that is older than the `tasks` mode refuses the whole request: it is asked again without
 * the mode, and from then on at once. A run that was refused has not begun.
 *
 * @param modes What the run is to ask for.
 * @param rowsIn Asks for the run's rows when the first one is taken, in other modes if it is given some.
 * @param lookups Where it is remembered that the server refuses the mode.
 */
export function acceptedRows(
  modes: readonly StreamMode[],
  rowsIn: (otherModes?: StreamMode[]) => AsyncGenerator<StreamRow>,
  lookups: Pick<Lookups, "refusesTasks">,
): AsyncGenerator<StreamRow> {
  const others = modes.filter((mode) => mode !== "tasks");
  if (others.length === modes.length || others.length === 0) return rowsIn();
  return lookups.refusesTasks ? rowsIn(others) : rowsOfEither(rowsIn(), () => rowsIn(others), lookups);
}

async function* rowsOfEither(
  rows: AsyncGenerator<StreamRow>,
  otherwise: () => AsyncGenerator<StreamRow>,
  lookups: Pick<Lookups, "refusesTasks">,
): AsyncGenerator<StreamRow> {
  let accepted = rows;
  const first = await rows.next().catch(async (error) => {
    if (!mayRefuseMode(error)) throw error;
    accepted = otherwise();
    const row = await accepted.next();
    lookups.refusesTasks = true;
    return row;
  });
  if (!first.done) yield first.value;
  yield* accepted;
}

/** Servers word it differently; that a thread is busy is said with the same status. */
function mayRefuseMode(error: unknown): boolean {
  const status = httpStatus(error);
  const text = `${textField(error, "message")} ${textField(error, "text")}`;
  return (status === 400 || status === 422) && !/already running|is busy/i.test(text);
}
