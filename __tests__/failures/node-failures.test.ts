import * as fc from "fast-check";
import { checkpointErrors } from "../../src/failures/checkpoint-errors";
import { createNodeFailures, type RunFacts, type RunFailure } from "../../src/failures/node-failures";
import type { StreamRow } from "../../src/types";

const nothing: RunFacts = { openCalls: [], isHidden: () => false };
const refused: RunFailure = { name: "RefusedError", message: "refused" };

/** A task of the graph in which `path` leads to: each segment is `node:id`, or a counter. */
const ended = (path: string, error: unknown = null): StreamRow => {
  const segments = path.split("|");
  const [name, id] = (segments.at(-1) ?? "").split(":");
  return {
    event: ["tasks", ...segments.slice(0, -1)].join("|"),
    data: { id, name, result: [], interrupts: [], error },
  };
};
const started = (path: string, tags = ["graph:step:1"], runId = "run"): StreamRow => {
  const [name] = (path.split("|").at(-1) ?? "").split(":");
  const metadata = { langgraph_node: name, langgraph_checkpoint_ns: path };
  return { event: "events", data: { event: "on_chain_start", name, run_id: runId, tags, metadata } };
};

function recordsOf(rows: StreamRow[], error: RunFailure = refused, facts = nothing) {
  const failures = createNodeFailures();
  for (const row of rows) failures.note(row);
  return failures.records(error, facts).map(({ value }) => value);
}
const pathsOf = (rows: StreamRow[], error?: RunFailure) =>
  recordsOf(rows, error).map(({ path }) => path.join(" "));

describe("attempts", () => {
  it("are those of the node, not of what runs in it under its name", () => {
    const rows = [started("a:1"), started("a:1", []), started("a:1"), started("a:1", ["seq:step:1"])];
    expect(recordsOf([...rows, ended("a:1", refused)])).toMatchObject([{ attemptCount: 2 }]);
  });

  it("are counted by name where no run is marked as a node's", () => {
    expect(recordsOf([started("a:1", []), started("a:1", []), ended("a:1", refused)])).toMatchObject([
      { attemptCount: 2 },
    ]);
  });

  it("start again where the node around is tried again under the same id", () => {
    const attempt = [started("a:1"), started("a:1|b:2"), started("a:1|b:2"), ended("a:1|b:2", refused)];
    const rows = [...attempt, ...attempt, ended("a:1", refused)];
    expect(recordsOf(rows)).toMatchObject([{ path: ["a", "b"], attemptCount: 2 }]);
  });

  it("are one where no row tells of them", () => {
    expect(recordsOf([ended("a:1", refused)])).toMatchObject([{ attemptCount: 1 }]);
  });
});

describe("a path that failed several times", () => {
  it("is told as it failed last; how it failed first is known as well", () => {
    const failures = createNodeFailures();
    for (const [at, message] of ["one", "two", "three"].entries())
      failures.note(ended(`a:${at}`, { name: "Error", message }));
    const records = failures.records({ name: "AggregateError", message: "" }, nothing);
    expect(records).toMatchObject([{ value: { errorMessage: "three" }, first: { errorMessage: "one" } }]);
  });
});

describe("which failures count", () => {
  it("the deepest ones, without the counters of their namespaces", () => {
    const rows = ["a:1|2|b:2|c:3", "a:1|2|b:2", "a:1"].map((path) => ended(path, refused));
    expect(pathsOf(rows)).toEqual(["a b c"]);
  });

  it("of a task that was cancelled, what had failed in it before", () => {
    const aborted = { name: "AbortError", message: "This operation was aborted" };
    const rows = [
      ended("a:1|x:3", refused),
      ended("b:2|y:4", { name: "Error", message: "too" }),
      ended("a:1", refused),
      ended("b:2", aborted),
      ended("c:5", aborted),
    ];
    expect(pathsOf(rows)).toEqual(["a x", "b y"]);
  });

  it("of an entrypoint that was cancelled, the task that the run failed of", () => {
    const aborted = { name: "AbortError", message: "This operation was aborted" };
    const other = { name: "Error", message: "was caught" };
    const rows = [ended("flow:1|a:2", other), ended("flow:1|b:3", refused), ended("flow:1", aborted)];
    expect(pathsOf(rows)).toEqual(["flow b"]);
  });

  it("a node whose words have those of a failure that it caught only by chance", () => {
    const own = { name: "Error", message: "quota of 1400 exceeded" };
    const rows = (message: string) => [ended("a:1|b:2", { name: "Error", message }), ended("a:1", own)];
    expect(pathsOf(rows("4"), own)).toEqual(["a"]);
    expect(pathsOf(rows("quota of 1400"), own)).toEqual(["a b"]);
  });

  it("the leaf whose row was lost, where this process tells what its attempt threw", () => {
    const thrown = Object.assign(new RangeError("too far"), { code: "E_FAR" });
    const failures = createNodeFailures();
    for (const row of [started("a:1"), started("a:1|b:2", ["graph:step:1"], "leaf"), started("c:3")])
      failures.note(row);
    failures.attemptFailed("leaf", thrown);
    const cause = Object.assign(thrown, { pregelTaskId: "1" });
    const records = failures.records({ name: "RangeError", message: "too far", cause }, nothing);
    expect(records.map(({ value }) => value)).toMatchObject([{ path: ["a", "b"], errorCode: "E_FAR" }]);
  });

  it("an abort of a node's own, where nothing else failed", () => {
    const aborted = { name: "AbortError", message: "This operation was aborted" };
    expect(pathsOf([ended("a:1", aborted)], aborted)).toEqual(["a"]);
  });

  it.each(["rollback", "interrupt", "Abort"])("none of a run that ends with %s", (message) => {
    const stopped = { name: "Error", message };
    expect(pathsOf([started("a:1")], stopped)).toEqual([]);
    expect(pathsOf([ended("a:1", { name: "Error", message: "the wait was aborted" })], stopped)).toEqual([]);
  });

  it("a node that throws the words of a stop itself", () => {
    const stopped = { name: "Error", message: "cancelled" };
    expect(pathsOf([ended("a:1", stopped)], stopped)).toEqual(["a"]);
  });

  it("what a server in Python tells as a text", () => {
    const rows = [ended("a:1|b:2", "RefusedError('refused')"), ended("a:1", "RefusedError('refused')")];
    expect(recordsOf(rows)).toMatchObject([
      { path: ["a", "b"], errorType: "Error", errorMessage: "RefusedError('refused')" },
    ]);
  });

  it("in a tick with several failures, those whose rows were lost too", () => {
    const lost = Object.assign(new RangeError("lost"), { pregelTaskId: "2", code: 7 });
    const cause = new AggregateError([Object.assign(new Error("first"), { pregelTaskId: "1" }), lost]);
    const rows = [started("a:1"), started("b:2"), ended("a:1", { name: "Error", message: "first" })];
    expect(recordsOf(rows, { name: "AggregateError", message: "Multiple errors", cause })).toMatchObject([
      { path: ["a"], errorCode: "UNKNOWN_ERROR" },
      { path: ["b"], errorType: "RangeError", errorMessage: "lost", errorCode: "7" },
    ]);
  });
});

describe("the code", () => {
  it("is the error's own, never the name of its class", () => {
    const coded = (properties: object) => {
      const cause = Object.assign(new RangeError("refused"), properties);
      const failure = { name: "RangeError", message: "refused" };
      return recordsOf([ended("a:1", failure)], { ...failure, cause })[0]?.errorCode;
    };
    expect(coded({})).toBe("UNKNOWN_ERROR");
    expect(coded({ code: "" })).toBe("UNKNOWN_ERROR");
    expect(coded({ code: "E_CODE" })).toBe("E_CODE");
    expect(coded({ status: 429 })).toBe("429");
    expect(coded({ lc_error_code: "MODEL_NOT_FOUND", code: "E_CODE" })).toBe("MODEL_NOT_FOUND");
  });
});

describe("whatever comes", () => {
  const anyRow = fc.record({
    event: fc.oneof(fc.constantFrom("tasks", "events", "tasks|a:1|2|b:3", "tasks||"), fc.string()),
    data: fc.oneof(
      fc.jsonValue(),
      fc.record(
        { id: fc.jsonValue(), name: fc.jsonValue(), error: fc.jsonValue(), metadata: fc.jsonValue() },
        { requiredKeys: [] },
      ),
    ),
  });

  it("nothing throws, and a record has all its keys and no long text", () => {
    fc.assert(
      fc.property(fc.array(anyRow), fc.string(), (rows, message) => {
        for (const value of recordsOf(rows as StreamRow[], { name: "Error", message })) {
          expect(value).toEqual({
            node: expect.any(String),
            path: expect.any(Array),
            errorType: expect.stringMatching(/./),
            errorMessage: expect.stringMatching(/./),
            errorCode: "UNKNOWN_ERROR",
            attemptCount: expect.any(Number),
          });
          expect(value.errorMessage.length).toBeLessThanOrEqual(2001);
        }
      }),
    );
  });

  it("a namespace that is deeper than any graph is passed by", () => {
    const deep = Array.from({ length: 100_000 }, (_, at) => `n:${at}`).join("|");
    expect(recordsOf([ended(deep, refused), started(deep)])).toEqual([]);
  });

  it("an error that cannot be looked at is no crash", () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const causes: unknown[] = [
      proxy,
      { errors: proxy },
      { errors: [proxy, null, undefined], cause: proxy },
      "",
      null,
    ];
    for (const cause of causes) {
      expect(recordsOf([ended("a:1", {})], { ...refused, cause })).toMatchObject([{ path: ["a"] }]);
    }
  });
});

describe("what a checkpoint remembers", () => {
  it("is read as a server tells it, as this process does, and as Python writes it", () => {
    const errors = [JSON.stringify(refused), refused, "RefusedError('refused')", null, "{}"];
    const tasks = errors.map((error, at) => ({ name: `n${at}`, error }));
    expect(checkpointErrors(tasks).map(({ node, errorMessage }) => [node, errorMessage])).toEqual([
      ["n0", "refused"],
      ["n1", "refused"],
      ["n2", "RefusedError('refused')"],
      ["n4", "The node failed without saying why"],
    ]);
  });

  it("has no cancelled node, and may be anything", () => {
    const cancelled = { name: "n", error: '{"name":"AbortError","message":"aborted"}' };
    expect(checkpointErrors([cancelled, null, 7, {}, { name: 5, error: "x" }])).toEqual([]);
    expect(checkpointErrors(undefined)).toEqual([]);
  });
});
