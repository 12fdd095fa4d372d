import fc from "fast-check";
import { guardContext, idsOf } from "../../src/history/context";
import { joinAndGuard } from "../../src/history/join-and-guard";
import { ordinaryTurn } from "../../src/history/ordinary-turn";
import { readAll } from "../../src/history/roles";
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
  return { short, long: joinAndGuard(read, input, context()), repairs };
}

/** Where the short way is taken, the long one comes to the same, and finds nothing to repair. */
function expectSame({ short, long, repairs }: ReturnType<typeof bothWays>) {
  if (!short) return;
  expect(short).toEqual(long);
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

  test("with a valid history in which one message is another, is missing, or comes twice", () => {
    const change = fc.constantFrom("replace", "remove", "repeat", "swap");
    fc.assert(
      fc.property(
        validHistory.filter((history) => history.length > 0),
        clientHistory.filter((history) => history.length > 0),
        change,
        fc.nat(),
        settings,
        (history, [other], how, dice, options) => {
          const at = dice % history.length;
          const changed = [...history];
          const picked = history.slice(at, at + 1);
          if (how === "replace") changed.splice(at, 1, other as AguiMessage);
          else if (how === "remove") changed.splice(at, 1);
          else if (how === "repeat") changed.push(...picked);
          else changed.unshift(...changed.splice(at, 1));
          expectSame(bothWays([], changed, options));
          expectSame(bothWays(aguiMessagesToLangChain(history), changed, options));
        },
      ),
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
    expect(takes(...turn, user("u", "hi again"))).toBe(false);
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
