import { checkHistory } from "../../src/history/rules";
import { type PatchedCopy, patchedCopy } from "./patched-copy";
import { brokenThread, failure, failureOnTheWire, formats, type Scenario } from "./scenarios";

const INSTALLED = "0.0.43";
const forms = [
  `ag-ui-langgraph-${INSTALLED}.patch`,
  `patch-package/${INSTALLED}/@ag-ui+langgraph+${INSTALLED}.patch`,
];

const human = (id: string) => ({ id, type: "human", content: id });
const ai = (id: string, ...calls: string[]) => ({
  id,
  type: "ai",
  content: calls.length > 0 ? "" : "Done",
  tool_calls: calls.map((call) => ({ id: call, name: "book", args: {}, type: "tool_call" })),
});
const result = (id: string, call: string, content = "booked") => ({
  id,
  type: "tool",
  tool_call_id: call,
  name: "book",
  content,
  status: "success",
});
const user = (id: string) => ({ id, role: "user", content: id });
const lines = (messages: Record<string, unknown>[]) =>
  messages.map(({ id, type, status }) => [type, id, status].filter(Boolean).join(" "));

describe.each(forms)("%s", (patch) => {
  let patched: PatchedCopy;
  beforeAll(async () => {
    patched = await patchedCopy(patch);
  });
  afterAll(() => patched.remove());

  describe.each(formats)("in %s", (format) => {
    const play = (scenario: Scenario) => patched.play(format, scenario);

    it("carries a failure to the graph and back", async () => {
      const { payload, snapshot } = await play(failure);
      expect(payload.at(-1)).toEqual(failureOnTheWire);
      expect(snapshot).toEqual(failure.sent);
    });

    it("makes a broken thread acceptable to every provider", async () => {
      const { thread } = await play(brokenThread);
      expect(lines(thread)).toEqual(["human u", "ai a", "tool unanswered-c error", "human v", "human w"]);
      expect(checkHistory(thread)).toEqual([]);
    });
  });
});

describe("the patched agent", () => {
  let patched: PatchedCopy;
  let official: PatchedCopy;
  beforeAll(async () => {
    patched = await patchedCopy(forms[0]);
    official = await patchedCopy();
  });
  afterAll(() => Promise.all([patched.remove(), official.remove()]));

  const play = (scenario: Scenario) => patched.play("play.cjs", scenario);

  it("sends what the official package sends where nothing is wrong", async () => {
    const scenario = {
      stored: [human("u"), ai("a", "c"), result("t", "c"), ai("b")],
      sent: [user("u"), { id: "b", role: "assistant", content: "Done" }, user("v")],
      input: { tools: [{ name: "book", description: "", parameters: {} }] },
    };
    const [ours, theirs] = await Promise.all([play(scenario), official.play("play.cjs", scenario)]);
    expect(ours).toEqual(theirs);
    expect(lines(ours.payload)).toEqual(["human u", "ai a", "tool t success", "ai b", "human v"]);
  });

  it("puts a late result in the place of the one that stood for it", async () => {
    const { thread } = await play(brokenThread);
    const late = { id: "t", role: "tool", toolCallId: "c", content: "booked" };
    const again = await play({ stored: thread, sent: [...brokenThread.sent, late, user("x")] });
    expect(lines(again.thread)).toEqual([
      "human u",
      "ai a",
      "tool unanswered-c success",
      "human v",
      "human w",
      "human x",
    ]);
    expect(again.thread[2]).toMatchObject({ content: "booked", tool_call_id: "c" });
  });

  it("leaves a call alone that may still be answered", async () => {
    const { thread } = await play({
      stored: [human("u"), ai("a", "c", "d")],
      sent: [{ id: "t", role: "tool", toolCallId: "c", content: "booked" }],
    });
    expect(lines(thread)).toEqual(["human u", "ai a", "tool t success"]);
  });

  it("touches no history when an interrupt is answered", async () => {
    const scenario = {
      stored: [human("u"), ai("a", "c")],
      sent: [user("u"), user("v")],
      input: { forwardedProps: { command: { resume: "yes" } } },
    };
    expect(lines((await play(scenario)).payload)).toEqual(["human u", "ai a", "human v"]);
  });

  it("makes a native call of one that was written as text, where its result follows", async () => {
    const sent = [
      user("u"),
      { id: "a", role: "assistant", content: '[book(table="4")]' },
      { id: "t", role: "tool", toolCallId: "c", content: "booked" },
      user("v"),
    ];
    const { thread } = await play({
      sent,
      input: { tools: [{ name: "book", description: "", parameters: {} }] },
    });
    expect(thread[1]).toMatchObject({
      content: "",
      tool_calls: [{ id: "c", name: "book", args: { table: "4" } }],
    });
    expect(checkHistory(thread)).toEqual([]);
    const { thread: unknownTool } = await play({ sent });
    expect(lines(unknownTool)).toEqual(["human u", "ai a", "human v"]);
  });
});

it.each(["0.0.41", "0.0.42"])(
  "the patch for %s says at load that this is another version",
  async (version) => {
    const wrong = await patchedCopy(`ag-ui-langgraph-${version}.patch`);
    try {
      for (const format of formats) {
        await expect(wrong.play(format, failure)).rejects.toThrow(
          `ag-ui-langgraph-${version}.patch was applied to another version of @ag-ui/langgraph`,
        );
      }
    } finally {
      await wrong.remove();
    }
  },
);
