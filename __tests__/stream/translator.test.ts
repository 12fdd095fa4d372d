import type { RunMetadata } from "../../src/types";
import { translateRun } from "../support/fold";
import { at, brief, chunk, event, startsCall, streams, tuple, values } from "./rows";

const steps = (events: readonly { type: string }[]) =>
  events
    .filter(({ type }) => type.startsWith("STEP"))
    .map((one) => `${one.type} ${(one as unknown as { stepName: string }).stepName}`);

describe("steps", () => {
  const visit = (node: string, task = node, rest = {}) =>
    event(
      "on_chain_start",
      {},
      { name: node, metadata: { langgraph_node: node, langgraph_checkpoint_ns: task, ...rest } },
    );

  it("follow the nodes, one at a time, and each is finished", () => {
    const run: RunMetadata = { id: "run" };
    const { translator } = translateRun([], { run });
    const rows = [visit("__start__"), visit("a"), streams({}, { metadata: at("a", 1) }), visit("b")];
    const events = rows.flatMap((row) => translator.translate(row));
    expect(run.nodeName).toBe("b");
    expect(steps([...events, ...translator.end()])).toEqual([
      "STEP_STARTED a",
      "STEP_FINISHED a",
      "STEP_STARTED b",
      "STEP_FINISHED b",
    ]);
    expect(run.nodeName).toBeUndefined();
  });

  it("of nodes side by side do not take turns with every token", () => {
    const left = { metadata: at("left"), run_id: "l" };
    const right = { metadata: at("right"), run_id: "r" };
    const rows = Array.from({ length: 20 }, (_, turn) =>
      streams({ id: turn % 2 ? "l" : "r", content: "x" }, turn % 2 ? left : right),
    );
    expect(steps(translateRun(rows).events)).toHaveLength(4);
  });

  it("of a node that the run starts at are entered once", () => {
    const { translator } = translateRun([]);
    const entered = [
      ...translator.enterNode("a"),
      ...translator.enterNode("a"),
      ...translator.translate(visit("a")),
    ];
    expect(steps(entered)).toEqual(["STEP_STARTED a"]);
    expect(steps(translator.enterNode("__end__"))).toEqual(["STEP_FINISHED a"]);
  });
});

describe("custom events", () => {
  const custom = (name: string, data: unknown) => event("on_custom_event", data, { name });

  it.each([[{ a: 1 }], ["text"], [0], [null], [undefined]])("come with their value: %p", (value) => {
    const { events } = translateRun([custom("progress", value)]);
    expect(events).toContainEqual({ type: "CUSTOM", name: "progress", value: value ?? null });
  });

  it("by hand give messages and calls", () => {
    const { events } = translateRun([
      custom("manually_emit_message", { message_id: "x", message: "hi" }),
      custom("manually_emit_tool_call", { id: "c1", name: "search", args: { q: 1 } }),
      custom("manually_emit_tool_call", { id: "c2", name: "search", args: "{}" }),
    ]);
    expect(brief(events)).toEqual([
      "TEXT_MESSAGE_START x",
      "TEXT_MESSAGE_CONTENT x hi",
      "TEXT_MESSAGE_END x",
      "TOOL_CALL_START c1 search",
      'TOOL_CALL_ARGS c1 {"q":1}',
      "TOOL_CALL_END c1",
      "TOOL_CALL_START c2 search",
      "TOOL_CALL_ARGS c2 {}",
      "TOOL_CALL_END c2",
    ]);
  });

  it("by hand that name nothing are no crash", () => {
    const { events, debug } = translateRun([
      custom("manually_emit_message", null),
      custom("manually_emit_tool_call", "x"),
    ]);
    expect(brief(events)).toEqual([]);
    expect(debug).toEqual([]);
  });

  it("named exit ask for the end of the run", () => {
    const { events, translator } = translateRun([custom("exit", true)]);
    expect(translator.exitRequested).toBe(true);
    expect(brief(events)).toEqual(["CUSTOM exit true"]);
  });

  it("of CopilotKit's names pass as they are, for its subclass", () => {
    const value = { id: "c1", name: "search", args: {} };
    expect(brief(translateRun([custom("copilotkit_manually_emit_tool_call", value)]).events)).toEqual([
      `CUSTOM copilotkit_manually_emit_tool_call ${JSON.stringify(value)}`,
    ]);
  });

  it("come of what a graph writes with the stream writer, whatever it is", () => {
    const rows = [{ a: 1 }, "x", null].map((data) => ({ event: "custom", data }));
    expect(brief(translateRun(rows).events)).toEqual([
      'CUSTOM custom {"a":1}',
      "CUSTOM custom x",
      "CUSTOM custom null",
    ]);
  });
});

describe("LangGraph's own events", () => {
  const metadata = {
    ...at("model"),
    ls_provider: "x",
    "copilotkit:emit-messages": true,
    system_prompt: "secret",
    headers: { key: "secret" },
  };
  const said = streams({ content: "hi", tool_call_chunks: [startsCall(0, "c1")] }, { metadata });
  const started = event("on_chat_model_start", { input: { messages: ["secret"] } }, { metadata });

  it("are slim: neither prompts nor state nor the rest of the metadata travel", () => {
    const { events } = translateRun([started, said], { rawEvents: "slim" });
    const [first, second] = events.filter(({ type }) => type === "RAW") as unknown as {
      event: Record<string, never>;
    }[];
    expect(first).toEqual({
      type: "RAW",
      event: {
        event: "on_chat_model_start",
        name: "Model",
        run_id: "model-1",
        metadata: { ...at("model"), ls_provider: "x", "copilotkit:emit-messages": true },
      },
    });
    expect(second?.event).toMatchObject({
      event: "on_chat_model_stream",
      data: { chunk: { content: "hi", tool_call_chunks: [{ name: "search" }] } },
    });
    expect(JSON.stringify(events)).not.toContain("secret");
  });

  it("stand on texts and calls with the metadata that subclasses decide by", () => {
    const { events } = translateRun([said], { rawEvents: "slim" });
    for (const { type, rawEvent } of events as { type: string; rawEvent?: unknown }[]) {
      if (/^(TEXT_MESSAGE_(START|CONTENT)|TOOL_CALL_START)/.test(type)) {
        expect(rawEvent).toMatchObject({
          event: "on_chat_model_stream",
          metadata: { "copilotkit:emit-messages": true },
        });
      }
    }
  });

  it("are whole with full, and absent with off", () => {
    const full = translateRun([started], { rawEvents: "full" }).events;
    expect(full).toContainEqual({ type: "RAW", event: started.data });
    const off = translateRun([started, said], { rawEvents: "off" }).events;
    expect(JSON.stringify(off)).not.toMatch(/RAW|rawEvent/);
  });

  it("of a graph in this process hold its chunks as plain objects", () => {
    const { AIMessageChunk } = jest.requireActual("@langchain/core/messages");
    const row = event("on_chat_model_stream", { chunk: new AIMessageChunk({ id: "m1", content: "hi" }) });
    const [raw] = translateRun([row], { rawEvents: "slim" }).events.filter(({ type }) => type === "RAW");
    expect(raw).toMatchObject({ event: { data: { chunk: { type: "ai", id: "m1", content: "hi" } } } });
  });
});

describe("the usage of tokens", () => {
  const usage = { input_tokens: 3, output_tokens: 5, total_tokens: 8 };
  const metadata = { ...at("model"), ls_provider: "openai", ls_model_name: "gpt" };

  it("is counted once per model run, also when two modes tell it", () => {
    const run: RunMetadata = { id: "run" };
    translateRun(
      [
        streams({ content: "a" }, { metadata }),
        streams({ usage_metadata: usage }, { metadata }),
        tuple(chunk({ usage_metadata: usage }), metadata),
        event("on_chat_model_end", { output: chunk({ content: "a", usage_metadata: usage }) }, { metadata }),
      ],
      { run },
    );
    expect(run.usage).toMatchObject([{ inputTokens: 3, outputTokens: 5, provider: "openai", model: "gpt" }]);
  });

  it("of a model that does not stream is counted too", () => {
    const run: RunMetadata = { id: "run" };
    translateRun(
      [
        values([]),
        event(
          "on_chat_model_end",
          { output: chunk({ content: "route", usage_metadata: usage }) },
          { metadata },
        ),
      ],
      { run },
    );
    expect(run.usage).toHaveLength(1);
  });
});

describe("the run", () => {
  it("keeps the client's id; the server's is noted for cancelling", () => {
    const run: RunMetadata = { id: "X" };
    const { events } = translateRun(
      [
        { event: "metadata", data: { run_id: "Y" } },
        streams({ content: "a" }, { metadata: { ...at("model"), run_id: "Y" } }),
      ],
      { run, rawEvents: "slim" },
    );
    expect(run).toMatchObject({ id: "X", serverRunId: "Y", serverRunIdKnown: true });
    expect(JSON.stringify(events)).not.toContain('"Y"');
  });

  it("notes the error row", () => {
    const cause = new Error("boom");
    const { translator, events } = translateRun([
      streams({ content: "a" }),
      { event: "error", data: { error: "TypeError", message: "boom", code: "E1", cause } },
    ]);
    expect(translator.error).toEqual({ name: "TypeError", message: "boom", code: "E1", cause });
    expect(events.at(-1)).toMatchObject({ type: "RUN_ERROR", message: "boom" });
  });

  it("of one agent knows nothing of another's", () => {
    const one = translateRun([]).translator;
    const two = translateRun([]).translator;
    one.translate(streams({ content: "a" }));
    expect(brief(two.translate(streams({ content: "b" })))).toEqual([
      "TEXT_MESSAGE_START m1",
      "TEXT_MESSAGE_CONTENT m1 b",
    ]);
    expect(brief(one.end())).toEqual(["TEXT_MESSAGE_END m1"]);
  });
});
