import type { LangChainMessage, StreamRow } from "../types";

/**
 * The rows of a run that repairs the checkpoint, held back until its first values show that the graph's reducer
 * understood the repair. They come before any node's update, so a graph with another reducer has not worked on a
 * doubled history yet.
 *
 * @param expected The repaired history.
 * @param otherwise Stops the run and gives the rows of one without the repair.
 */
export async function* rowsOfRepairedRun(
  rows: AsyncIterable<StreamRow>,
  expected: readonly LangChainMessage[],
  otherwise: () => Promise<AsyncIterable<StreamRow>>,
): AsyncGenerator<StreamRow, void> {
  let held: StreamRow[] | undefined = [];
  for await (const row of rows) {
    if (held && row.event === "values") {
      if (!isRepaired(row.data, expected)) {
        yield* await otherwise();
        return;
      }
      yield* held;
      held = undefined;
    }
    if (held) held.push(row);
    else yield row;
  }
  if (held) yield* held;
}

function isRepaired(values: unknown, expected: readonly LangChainMessage[]): boolean {
  const { messages } = (values ?? {}) as { messages?: unknown };
  return (
    Array.isArray(messages) &&
    messages.length === expected.length &&
    messages.every((message, at) => message?.id === expected[at]?.id)
  );
}
