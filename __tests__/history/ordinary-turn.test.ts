import fc from "fast-check";
import { guardContext, idsOf } from "../../src/history/context";
import { joinAndGuard } from "../../src/history/join-and-guard";
import { ordinaryTurn } from "../../src/history/ordinary-turn";
import { readAll } from "../../src/history/roles";
import { checkHistory } from "../../src/history/rules";
import { langchainMessagesToAgui } from "../../src/messages/to-agui";
import { aguiMessagesToLangChain } from "../../src/messages/to-langchain";
import type { AguiMessage, HistoryRepair } from "../../src/types";
import { clientHistory, meeting, orderlyMeeting, TOOLS, validHistory } from "./arbitrary-history";
import { ai, answered, called, human, said, user } from "./messages";

const RUNS = Number(process.env.HISTORY_RUNS ?? 5000);

const settings = fc.record({
  danglingCalls: fc.constantFrom("answer" as const, "demote" as const),
  toolErrorContent: fc.constantFrom("legible" as const, "as-is" as const),
  allowedToolNames: fc.constantFrom([], TOOLS),
  openCallIds: fc.constantFrom([], ["c1", "c2"]),
  keepLiveEnd: fc.boolean(),
});
/** A valid history, and the same with one thing that may be wrong. */
const almostValid = fc
  .record({
    history: validHistory.filter((history) => history.length > 0),
    others: clientHistory,
    how: fc.constantFrom("replace", "insert", "remove", "repeat", "again", "swap"),
    dice: fc.infiniteStream(fc.nat(1000)),
  })
  .map(({ history, others, how, dice }) => {
    const at = dice.next().value % history.length;
    const other = others[0] ?? ({ id: "r", role: "reasoning", content: "hm" } as AguiMessage);
    const picked = history.slice(at, at + 1);
    const changed = [...history];
    if (how === "replace") changed.splice(at, 1, other);
    else if (how === "insert") changed.splice(at, 0, other);
    else if (how === "remove") changed.splice(at, 1);
    else if (how === "repeat") changed.push(...picked);
    else if (how === "again") changed.push(...picked.map((message) => ({ ...message, id: "again" })));
    else changed.unshift(...changed.splice(at, 1));
    return { history, changed };
  });

type Settings = typeof settings extends fc.Arbitrary<infer T> ? T : never;

/** The same run by the short way and by the long one. */
function bothWays(
  stored: readonly unknown[],
  input: readonly AguiMessage[],
  options: Partial<Settings> = {},
) {
  const repairs: HistoryRepair[] = [];
  const onRepair = (repair: HistoryRepair) => repairs.push(repair);
  const read = readAll(stored, undefined);
  const context = () =>
    guardContext(
      { ...options, onRepair },
      { keepLiveEnd: options.keepLiveEnd ?? true, storedIds: idsOf(read) },
    );
  const short = ordinaryTurn(read, input, context());
  expect(repairs).toEqual([]);
  const { toolErrorContent } = options;
  return { short, long: joinAndGuard(read, input, context()), repairs, toolErrorContent };
}

/** Where the short way is taken, the long one comes to the same, and finds nothing to repair. */
function expectSame({ short, long, repairs, toolErrorContent }: ReturnType<typeof bothWays>) {
  if (!short) return;
  expect(short).toEqual(long);
  // Both ways tell what is in order by the same walk, so that has to be told by something else.
  expect(checkHistory(short, { liveEnd: true, anyCallId: true, toolErrorContent })).toEqual([]);
  expect(repairs).toEqual([]);
}

describe("the short way of an ordinary turn comes to what the long one does", () => {
  test("with a whole history on a new thread, and takes it", () => {
    fc.assert(
      fc.property(validHistory, settings, (history, options) => {
        const ways = bothWays([], history, options);
        expect(ways.short).toBeDefined();
        expectSame(ways);
      }),
      { numRuns: RUNS / 5 },
    );
  });

  test("with one new message on a known thread, and takes it", () => {
    fc.assert(
      fc.property(validHistory, settings, (history, options) => {
        const { long: stored } = bothWays([], history);
        const ways = bothWays(stored, [...history, user("new", "more")], options);
        expect(ways.short).toBeDefined();
        expectSame(ways);
      }),
      { numRuns: RUNS / 5 },
    );
  });

  test("with anything that a client sends on a new thread", () => {
    fc.assert(
      fc.property(clientHistory, settings, (history, options) => {
        expectSame(bothWays([], history, options));
      }),
      { numRuns: RUNS },
    );
  });

  test("with a valid history in which one message is another, is missing, comes twice, or comes first", () => {
    fc.assert(
      fc.property(almostValid, settings, ({ history, changed }, options) => {
        expectSame(bothWays([], changed, options));
        expectSame(bothWays(aguiMessagesToLangChain(history), changed, options));
      }),
      { numRuns: RUNS },
    );
  });

  test("with any checkpoint", () => {
    fc.assert(
      fc.property(fc.oneof(meeting, orderlyMeeting), settings, ({ stored, input }, options) => {
        expectSame(bothWays(stored, input, options));
      }),
      { numRuns: RUNS },
    );
  });
});

describe("the short way of a new thread", () => {
  const turn = [user("u", "hi"), called("a", "c1"), answered("t", "c1", "ok"), said("b", "done")];
  const takes = (...history: AguiMessage[]) => {
    const ways = bothWays([], history);
    expectSame(ways);
    return ways.short !== undefined;
  };

  test("is taken with a leading system message, and with reasoning", () => {
    const reasoning = { id: "r", role: "reasoning", content: "hm" } as AguiMessage;
    const system = { id: "s", role: "system", content: "be kind" } as AguiMessage;
    expect(takes(system, ...turn.slice(0, 1), reasoning, ...turn.slice(1), user("v", "more"))).toBe(true);
    expect(takes(...turn, reasoning)).toBe(true);
  });

  test("is taken with a call that the client still answers at the end", () => {
    expect(takes(...turn, user("v", "more"), called("x", "c2"))).toBe(true);
  });

  test("is not taken with anything that is not in order", () => {
    const system = { id: "s", role: "system", content: "be kind" } as AguiMessage;
    expect(takes({ id: "r", role: "reasoning", content: "hm" }, system, ...turn)).toBe(false);
    expect(takes(...turn, user("u", "hi again"))).toBe(false);
    expect(takes(...turn, called("x", "c1"))).toBe(false);
    expect(takes(...turn, answered("t2", "c1", "again"))).toBe(false);
    expect(takes(user("u", "hi"), called("a", "c1"), user("v", "?"))).toBe(false);
    expect(takes(...turn, said("e", ""), user("v", "more"))).toBe(false);
    expect(takes({ ...user("", "hi") }, ...turn.slice(1))).toBe(false);
  });
});

test("a checkpoint of plain messages is the client's history for both ways", () => {
  const stored = [human("u", "hi"), ai("b", "yes")];
  const ways = bothWays(stored, [...langchainMessagesToAgui(stored), user("v", "more")]);
  expect(ways.short).toHaveLength(3);
  expectSame(ways);
});
