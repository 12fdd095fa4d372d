import { LangGraphAgent as OfficialAgent } from "@ag-ui/langgraph";
import { LangGraphAgent } from "ag-ui-langgraph";
import { deliberate } from "./differential/deliberate";
import { type Difference, differences } from "./differential/diff";
import { type Adapter, observe } from "./differential/observe";
import { scenarios } from "./differential/scenarios";

/*
 * Both adapters, ours and the official package, with the same recorded streams, the same answers of the server and the
 * same calls of the client.
 */

const used = new Set<(typeof deliberate)[number]>();

beforeEach(() => {
  jest.spyOn(console, "warn").mockImplementation(() => {});
  jest.spyOn(console, "error").mockImplementation(() => {});
});

function isDeliberate(difference: Difference): boolean {
  const reason = deliberate.find(
    ({ where, holds }) => where.test(difference.path) && (holds?.(difference) ?? true),
  );
  if (reason) used.add(reason);
  return reason !== undefined;
}

it.each(scenarios)("$name: what differs from the official adapter is deliberate", async (scenario) => {
  const { name, record, steps, ...options } = scenario;
  const recording = await record();
  const official = await observe(OfficialAgent as unknown as Adapter, recording, steps, options);
  const ours = await observe(LangGraphAgent as unknown as Adapter, recording, steps, options);
  const found = steps.flatMap((_, at) =>
    differences(official[at], ours[at]).map((difference) => ({
      ...difference,
      path: `${name} / ${at + 1} / ${difference.path}`,
    })),
  );
  expect(found.filter((difference) => !isDeliberate(difference))).toEqual([]);
});

it("no row of the list is out of date", () => {
  expect(deliberate.filter((row) => !used.has(row)).map(({ why, where }) => `${why}: ${where}`)).toEqual([]);
});
