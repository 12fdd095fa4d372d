import { comparable, fold, protocol1, translateRun } from "../support/fold";
import {
  ai,
  at,
  brief,
  event,
  human,
  startsCall,
  streams,
  toolEnds,
  toolMessage,
  tuple,
  updates,
  values,
} from "./rows";

const tools = at("tools", 2);
const call = (id: string) => ({ id, name: "search", args: {} });
const announced = (...ids: string[]) =>
  streams({ tool_call_chunks: ids.map((id, index) => startsCall(index, id, "search", "{}")) });
const resultsIn = (events: readonly { type: string }[]) =>
  events.filter(({ type }) => type === "TOOL_CALL_RESULT");
const withoutId = ({ id: _, ...message }: Record<string, unknown>) => message;
const before = [{ id: "u1", role: "user" as const, content: "hi" }];

describe("the result of a tool call", () => {
  it("has the id of the checkpoint, live, and stands before the answer", async () => {
    const messages = [human("u1"), ai("m1", "", call("a")), toolMessage("a", "found"), ai("m2", "So")];
    const { events } = translateRun([
      values(messages.slice(0, 1)),
      announced("a"),
      toolEnds(withoutId(toolMessage("a", "found"))),
      tuple(toolMessage("a", "found"), tools),
      updates("tools", { messages: [toolMessage("a", "found")] }),
      streams({ id: "m2", content: "So" }, { run_id: "model-2", metadata: at("model", 3) }),
      values(messages.slice(0, 3)),
      values(messages),
    ]);
    expect(resultsIn(events)).toMatchObject([{ messageId: "result-a", toolCallId: "a", content: "found" }]);
    const folded = await fold(events, before);
    expect(folded.messages.map(({ id }) => id)).toEqual(["u1", "m1", "result-a", "m2"]);
  });

  it("waits for the row that tells its id", () => {
    const { translator } = translateRun([]);
    translator.translate(values([human("u1")]));
    translator.translate(announced("a"));
    expect(resultsIn(translator.translate(toolEnds(withoutId(toolMessage("a", "found")))))).toEqual([]);
    const row = values([human("u1"), ai("m1", "", call("a")), toolMessage("a", "found")]);
    expect(resultsIn(translator.translate(row))).toMatchObject([{ messageId: "result-a" }]);
  });

  it("comes at once, under an id of ours, where no row will tell one", () => {
    const { translator } = translateRun([]);
    translator.translate(announced("a"));
    const events = translator.translate(toolEnds(withoutId(toolMessage("a", "found"))));
    expect(resultsIn(events)).toMatchObject([{ messageId: "minted-1", content: "found" }]);
  });

  it.each([
    ["thrown", "Error: boom\n Please fix your mistakes."],
    ["an unknown name", "Error: nope is not a valid tool"],
    ["arguments against the schema", "Error: did not match"],
  ])("that failed (%s) says so, live and once", (_why, content) => {
    const failed = toolMessage("a", content, { status: "error" });
    const { events } = translateRun([
      values([human("u1")]),
      announced("a"),
      event(
        "on_tool_error",
        { error: "Error: boom\n at /home/me/tool.ts" },
        { name: "search", metadata: tools },
      ),
      event(
        "on_chain_end",
        { output: { messages: [withoutId(failed)] } },
        { name: "tools", metadata: tools },
      ),
      tuple(failed, tools),
      updates("tools", { messages: [failed] }),
      values([human("u1"), ai("m1", "", call("a")), failed]),
    ]);
    expect(resultsIn(events)).toMatchObject([{ content, metadata: { status: "error", error: "error" } }]);
    expect(JSON.stringify(events)).not.toContain("/home/me");
  });

  it("that failed with a recorded text tells the text, and the content as it was", () => {
    const failed = toolMessage("a", "no route\n", {
      status: "error",
      additional_kwargs: { error: "no route", "ag-ui": JSON.stringify({ content: "" }) },
    });
    const { events } = translateRun([announced("a"), tuple(failed, tools)]);
    expect(resultsIn(events)).toMatchObject([{ metadata: { status: "error", error: "no route" } }]);
  });

  it.each([
    ["", ""],
    [null, ""],
    [undefined, ""],
  ])("with the content %p is an empty text", (content, expected) => {
    const { events } = translateRun([announced("a"), tuple(toolMessage("a", content), tools)]);
    expect(resultsIn(events)).toMatchObject([{ content: expected }]);
  });

  it("of parts stays parts where the client takes them", () => {
    const content = [{ type: "image_url", image_url: { url: "https://x/y.png" } }];
    const [result] = resultsIn(
      translateRun([announced("a"), tuple(toolMessage("a", content), tools)]).events,
    );
    const { content: shown } = result as unknown as { content: unknown };
    expect(Array.isArray(shown)).toBe(protocol1);
    expect(JSON.stringify(shown)).toContain("https://x/y.png");
  });

  it.each([null, undefined, "", 0])("with the name %p has the name of its call", (name) => {
    const { events } = translateRun([announced("a"), tuple(toolMessage("a", "found", { name }), tools)]);
    expect(brief(events).at(-1)).toBe("TOOL_CALL_RESULT a found");
  });
});

describe("a result whose call no message has", () => {
  it("is announced with the tool's input, and a name of some kind", () => {
    const { events } = translateRun([toolEnds(withoutId(toolMessage("x", "found", { name: null })))]);
    expect(brief(events)).toEqual([
      "TOOL_CALL_START x search",
      'TOOL_CALL_ARGS x {"q":1}',
      "TOOL_CALL_END x",
      "TOOL_CALL_RESULT x found",
    ]);
    expect(brief(translateRun([tuple(toolMessage("x", "found", { name: null }), tools)]).events)[0]).toBe(
      "TOOL_CALL_START x tool",
    );
  });
});

describe("what a tool gives", () => {
  const found = withoutId(toolMessage("a", "found"));
  it.each([
    ["a message", found],
    ["a list of messages", [found]],
    ["a Command with a message", { lg_name: "Command", update: { note: 1, messages: [found] } }],
    ["a Command that is plain", { update: { messages: [found] } }],
    ["a list with a Command", [{ lg_name: "Command", update: { messages: [found] } }]],
    ["a serialised message", { lc: 1, type: "constructor", id: ["x", "ToolMessage"], kwargs: found }],
  ])("%s: its result comes", (_what, output) => {
    expect(resultsIn(translateRun([announced("a"), toolEnds(output)]).events)).toMatchObject([
      { content: "found" },
    ]);
  });

  it.each([
    ["nothing", undefined],
    ["null", null],
    ["a text", "found"],
    ["a Command with only state", { lg_name: "Command", update: { note: 1 } }],
    ["a message of the model", ai("x", "hm")],
    ["a message without a call", withoutId(toolMessage("", "found"))],
  ])("%s: nothing comes, and the node's output delivers the result", (_what, output) => {
    const rows = [announced("a"), toolEnds(output)];
    expect(resultsIn(translateRun(rows).events)).toEqual([]);
    const { events } = translateRun([...rows, tuple(toolMessage("a", "found"), tools)]);
    expect(resultsIn(events)).toMatchObject([{ content: "found" }]);
  });
});

describe("results of parallel calls", () => {
  const message = (id: string) => tuple(toolMessage(id, `found ${id}`), tools);

  it("come in the order of the calls, however the tools end", async () => {
    const all = [human("u1"), ai("m1", "", call("a"), call("b"), call("c"))];
    const results = ["a", "b", "c"].map((id) => toolMessage(id, `found ${id}`));
    const { events } = translateRun([
      values(all.slice(0, 1)),
      announced("a", "b", "c"),
      values(all),
      message("c"),
      message("a"),
      message("b"),
      values([...all, ...results]),
    ]);
    const { messages } = await fold(events, before);
    expect(messages.map(({ id }) => id)).toEqual(["u1", "m1", "result-a", "result-b", "result-c"]);
    expect(messages.map(comparable)).toHaveLength(5);
  });

  it("do not wait for a call that the client has to answer, once the step is over", () => {
    const { translator } = translateRun([]);
    translator.translate(values([human("u1")]));
    translator.translate(announced("frontend", "backend"));
    expect(resultsIn(translator.translate(message("backend")))).toEqual([]);
    const step = [
      human("u1"),
      ai("m1", "", call("frontend"), call("backend")),
      toolMessage("backend", "found backend"),
    ];
    expect(resultsIn(translator.translate(values(step)))).toMatchObject([{ toolCallId: "backend" }]);
  });

  it("of a tool that ran in vain, since its node was stopped, are not told", () => {
    const { events } = translateRun([
      values([human("u1")]),
      announced("a"),
      toolEnds(withoutId(toolMessage("a", "found"))),
      { event: "values", data: { __interrupt__: [{ id: "i1", value: "sure?" }] } },
    ]);
    expect(resultsIn(events)).toEqual([]);
  });
});
