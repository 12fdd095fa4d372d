import { stabiliser, traceOfMachine } from "../../scripts/stable";

const run = "0199f1d2-7c1e-7000-8000-a1b2c3d4e5f6";
const thread = "1eb6db40-e3c8-6d06-a834-015cb89efe69";
const interrupt = "f0e1d2c3b4a5968778695a4b3c2d1e0f";
const first = "00000000-0000-0000-0000-000000000001";

describe("stable values", () => {
  it("have numbered ids of the same form, the same wherever one stands", () => {
    const value = {
      run_id: run,
      messages: [{ id: `run-${run}-tool-c1` }, { id: "h1" }],
      ns: [`values|worker:${thread}|1`],
      interrupt,
    };
    const stable = stabiliser();
    expect(stable(value)).toEqual({
      run_id: first,
      messages: [{ id: `run-${first}-tool-c1` }, { id: "h1" }],
      ns: ["values|worker:00000000-0000-0000-0000-000000000002|1"],
      interrupt: "00000000000000000000000000000003",
    });
    expect(stable(run)).toBe(first);
  });

  it("stay as they are when they are made stable again", () => {
    const once = stabiliser()({ a: run, b: thread, c: interrupt, d: "2026-11-30T15:39:46.123Z" });
    expect(stabiliser()(once)).toEqual(once);
  });

  it("name no machine, server or version, and say of an error what it says", () => {
    const stack = "Error: broken\n    at read (/home/me/app/gauge.ts:1:2)\n    at async node:internal/x:3:4";
    const stable = stabiliser()({
      said: `broken\n\n${stack}`,
      url: "http://127.0.0.1:2024/runs",
      at: "2026-11-30T15:39:46.123Z",
      metadata: { langgraph_version: "1.7.3", "user-agent": "node/20", langgraph_node: "act" },
      versions: { "@langchain/core": "1.4.0" },
    });
    expect(stable).toEqual({
      said: "broken",
      url: "http://host/runs",
      at: "2000-01-01T00:00:00.000Z",
      metadata: {
        langgraph_version: "<langgraph_version>",
        "user-agent": "<user-agent>",
        langgraph_node: "act",
      },
      versions: "<versions>",
    });
    expect(traceOfMachine(JSON.stringify(stable))).toBeUndefined();
  });
});

it.each([
  ["/home/me/app/x.ts"],
  ["file:///x"],
  ["C:\\app\\x.ts"],
  ["Error: a\n    at b"],
  ["http://localhost:3000"],
])("a trace of the machine is found: %j", (text) => {
  expect(traceOfMachine(JSON.stringify({ text }))).toBeDefined();
});
