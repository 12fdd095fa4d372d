import { pendingInterrupts, threadMessages, waitsInSubgraph } from "../../src/run/under-way";

const message = (id: string, type = "ai") => ({ id, type, content: id });
const asks = [{ id: "question", value: "sure?" }];

function task(name: string, fields: object) {
  return { id: name, name, path: ["__pregel_pull", name], interrupts: [], ...fields };
}

function read(messages: unknown, ...tasks: object[]) {
  const { settled, underWay } = threadMessages({ values: { messages }, tasks: tasks as never });
  return {
    settled: settled.map((one) => one?.id),
    underWay: underWay.map(({ message: { id }, subgraphs }) => [...subgraphs, id].join("/")),
  };
}

const state = (messages: unknown, ...tasks: object[]) => ({ values: { messages }, tasks });
const user = message("user", "human");

describe("the messages of a thread", () => {
  it("are those that it holds, where no subgraph waits", () => {
    const done = task("done", { result: { messages: [message("said")] } });
    const plain = task("plain", { interrupts: asks });
    expect(read([user, message("said")], done, plain)).toEqual({ settled: ["user", "said"], underWay: [] });
    expect(read(undefined)).toEqual({ settled: [], underWay: [] });
  });

  it("are followed by those of a subgraph that waits, however deep", () => {
    const inner = task("inner", {
      interrupts: asks,
      state: state([user, message("outer"), message("deep")]),
    });
    const outer = task("outer", { interrupts: asks, state: state([user, message("outer")], inner) });
    expect(read([user], outer)).toEqual({ settled: ["user"], underWay: ["outer/outer", "outer/inner/deep"] });
  });

  it("come in the order of the tasks, also where a later one has ended", () => {
    const waiting = task("b", { interrupts: asks, state: state([user, message("b1")]) });
    const done = task("c", {
      result: { messages: [user, message("c1")] },
      state: state([user, message("c1")]),
    });
    const first = task("a", { result: { messages: message("a1") } });
    expect(read([user, message("c1"), message("a1")], done, waiting, first)).toEqual({
      settled: ["user"],
      underWay: ["a1", "b/b1", "c/c1"],
    });
  });

  it("come in the order of the sent tasks, by number", () => {
    const sent = (at: number) =>
      task("sent", {
        path: ["__pregel_push", at, false],
        interrupts: asks,
        state: state([user, message(`m${at}`)]),
      });
    expect(read([user], sent(10), sent(9)).underWay).toEqual(["sent/m9", "sent/m10"]);
  });

  it("have none of a subgraph whose messages the graph has no place for", () => {
    const waiting = task("own", { interrupts: asks, state: state([message("own")]) });
    expect(read(undefined, waiting)).toEqual({ settled: [], underWay: [] });
  });

  it("are read whatever a server makes of its tasks", () => {
    const odd = [
      { name: "a" },
      { name: "b", interrupts: "x", state: 7 },
      { name: "c", result: 1, state: {} },
    ];
    const waiting = task("w", { interrupts: asks, state: state([user, null, 3, message("w1")]) });
    expect(read([user, null], ...odd, waiting)).toEqual({ settled: ["user", undefined], underWay: ["w/w1"] });
  });
});

it("a task with a result waits for nothing any more", () => {
  const answered = task("a", { interrupts: asks, result: {}, checkpoint: {} });
  const open = task("b", { interrupts: asks, checkpoint: null });
  expect(pendingInterrupts({ tasks: [answered, open] as never })).toEqual(asks);
  expect(waitsInSubgraph({ tasks: [answered, open] as never })).toBe(false);
  expect(waitsInSubgraph({ tasks: [{ ...open, checkpoint: {} }] as never })).toBe(true);
});
