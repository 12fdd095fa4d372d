import { renderFailures } from "ag-ui-langgraph";
import * as fc from "fast-check";

const started = { type: "RUN_STARTED", threadId: "t", runId: "r" };
const finished = { type: "RUN_FINISHED", threadId: "t", runId: "r" };
const failed = { type: "RUN_ERROR", message: "the order is refused", code: "E_REFUSED" };
const node = (path: string[], more: object = {}, name = "node_error") => ({
  type: "CUSTOM",
  name,
  value: {
    node: path.at(-1),
    path,
    errorType: "RefusedError",
    errorMessage: "the order is refused",
    errorCode: "UNKNOWN_ERROR",
    attemptCount: 1,
    ...more,
  },
});
const call = (id: string, name: string) => ({ type: "TOOL_CALL_START", toolCallId: id, toolCallName: name });
const result = (id: string, error?: string, more: object = {}) => ({
  type: "TOOL_CALL_RESULT",
  toolCallId: id,
  content: "Error: out of boxes\nPlease fix your mistakes.",
  ...(error !== undefined && { metadata: { status: "error", error } }),
  ...more,
});

it("shows where, what and how often", () => {
  const events = [
    started,
    call("c1", "look_up"),
    call("c2", "weigh"),
    call("c3", "pack"),
    result("c1", "no hits"),
    result("c2"),
    result("c3", "error", { subagentRunId: "shop:0af|1|order:1bc" }),
    node(["shop"], { attemptCount: 2, errorMessage: "not yet" }, "node_retry"),
    node(["shop", "order", "check"], { attemptCount: 3, errorCode: "E_REFUSED" }),
    node(["shop", "bill"], { errorType: "Error", errorMessage: "Error" }),
    node(["ship"]),
    failed,
  ];
  expect(renderFailures(events).split("\n")).toEqual([
    "run failed: the order is refused [E_REFUSED]",
    "├─ tool look_up (c1): no hits",
    "├─ shop: RefusedError: not yet, tried again",
    "│  ├─ order",
    "│  │  ├─ tool pack (c3): Error: out of boxes",
    "│  │  └─ check: RefusedError: the order is refused [E_REFUSED], tried 3 times",
    "│  └─ bill: Error",
    "└─ ship: RefusedError: the order is refused",
  ]);
});

it("takes a way without a fork as one line", () => {
  expect(renderFailures([started, node(["a", "b", "c"]), failed])).toBe(
    "run failed: the order is refused [E_REFUSED]\n└─ a › b › c: RefusedError: the order is refused",
  );
});

it("says how a run ended in which something failed all the same", () => {
  const healed = node(["a"], { attemptCount: 2 }, "node_retry");
  expect(renderFailures([started, healed, finished])).toBe(
    "run finished\n└─ a: RefusedError: the order is refused, tried again",
  );
  expect(renderFailures([started, result("c1", "no hits")])).toBe("run did not end\n└─ tool ? (c1): no hits");
});

it("is empty where nothing failed, and tells the last of several runs", () => {
  expect(renderFailures([])).toBe("");
  expect(renderFailures([started, call("c1", "look"), result("c1"), finished])).toBe("");
  expect(renderFailures([started, node(["a"]), failed, started, finished])).toBe("");
});

it("keeps each failure in one printable line, without stacks and what nobody reads", () => {
  const nasty = `first\u001b[31m\nsecond\n    at work (/host/path/a.js:1:2)${"x".repeat(10_000_000)}`;
  const lines = renderFailures([started, result(nasty, nasty), node([nasty]), { ...failed, message: nasty }]);
  expect(lines.split("\n")).toHaveLength(3);
  expect(lines).not.toContain("\u001b");
  expect(lines).not.toContain("host");
  expect(lines.length).toBeLessThan(2000);
});

it("takes as many failures within a failed node as there are", () => {
  const failed = (...path: string[]) => ({
    type: "CUSTOM",
    name: "node_error",
    value: { path, errorType: "E", errorMessage: "m" },
  });
  const within = Array.from({ length: 150_000 }, (_, at) => failed("a", `b${at}`));
  expect(renderFailures([failed("a"), ...within]).split("\n")).toHaveLength(150_002);
});

it("takes any JSON", () => {
  const field = fc.oneof(fc.jsonValue(), fc.constantFrom("node_error", "node_retry", "error"));
  const event = fc.record(
    {
      type: fc.constantFrom("RUN_STARTED", "RUN_ERROR", "CUSTOM", "TOOL_CALL_START", "TOOL_CALL_RESULT"),
      name: field,
      value: fc.oneof(field, fc.record({ path: fc.oneof(field, fc.array(field)), errorType: field })),
      message: field,
      code: field,
      metadata: fc.oneof(field, fc.record({ status: field, error: field })),
      toolCallId: field,
      toolCallName: field,
      subagentRunId: field,
    },
    { requiredKeys: ["type"] },
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(event, fc.jsonValue())), (events) => {
      expect(typeof renderFailures(events as object[])).toBe("string");
    }),
  );
});
