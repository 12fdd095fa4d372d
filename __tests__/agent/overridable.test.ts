import { LangGraphAgent as OfficialAgent } from "@ag-ui/langgraph";
import { LangGraphAgent } from "ag-ui-langgraph";
import { type Adapter, observe } from "./differential/observe";
import { scenarios } from "./differential/scenarios";

/** Members that the official adapter calls through `this` and ours does not, with the reason. */
const notCalled: Record<string, string> = {
  getMessageInProgress: "a message in progress belongs to its model run, of which there may be several",
  setMessageInProgress: "the same",
  handleReasoningEvent: "reasoning belongs to its model run as well",
};

const members = Object.getOwnPropertyNames(OfficialAgent.prototype).filter((name) => name !== "constructor");

/** A subclass that overrides every member, and notes which the adapter calls. */
function overriding(Agent: Adapter, called: Set<string>): Adapter {
  const Overriding = class extends (Agent as typeof LangGraphAgent) {} as unknown as Adapter;
  for (const name of members) {
    const inherited = (Agent.prototype as unknown as Record<string, unknown>)[name];
    if (typeof inherited !== "function") continue;
    Object.defineProperty(Overriding.prototype, name, {
      value(this: unknown, ...args: unknown[]) {
        called.add(name);
        return inherited.apply(this, args);
      },
    });
  }
  return Overriding;
}

it("every member that the official adapter calls on a subclass is called on it", async () => {
  jest.spyOn(console, "warn").mockImplementation(() => {});
  jest.spyOn(console, "error").mockImplementation(() => {});
  const byOfficial = new Set<string>();
  const byOurs = new Set<string>();
  for (const { record, steps, ...options } of scenarios) {
    const recording = await record();
    await observe(overriding(OfficialAgent as unknown as Adapter, byOfficial), recording, steps, options);
    await observe(overriding(LangGraphAgent as unknown as Adapter, byOurs), recording, steps, options);
  }
  const isOurs = (name: string) => name in LangGraphAgent.prototype;
  const missing = [...byOfficial].filter((name) => isOurs(name) && !byOurs.has(name));
  expect(missing.sort()).toEqual(Object.keys(notCalled).sort());
  expect(byOurs.size).toBeGreaterThan(15);
}, 30_000);
