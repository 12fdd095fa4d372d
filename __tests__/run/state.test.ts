import fc from "fast-check";
import { changedByClient, enrichState, filterByInputSchema, sameJson } from "../../src/run/state";
import type { LangChainMessage } from "../../src/types";

const human = (id: string): LangChainMessage => ({ type: "human", id, content: id });

describe("enrichState", () => {
  it("hands the client's tools over under tools, ag-ui and copilotkit", () => {
    const tool = { name: "book", description: "Books", parameters: { type: "object" } };
    const state = enrichState({ lang: "en", copilotkit: { context: [1] } }, [human("u")], {
      tools: [tool],
      context: [{ description: "d", value: "v" }],
      forwardedProps: { injectA2UITool: true },
    });
    const mapped = { type: "function", name: "book", function: tool };
    expect(state).toEqual({
      lang: "en",
      messages: [human("u")],
      tools: [mapped],
      "ag-ui": { tools: [mapped], context: [{ description: "d", value: "v" }], inject_a2ui_tool: true },
      copilotkit: { context: [1], actions: [mapped] },
    });
  });

  it("prefers the client's tool over one of the state with the same name", () => {
    const old = {
      type: "function",
      name: "book",
      function: { name: "book", description: "old", parameters: {} },
    };
    const { tools } = enrichState({ tools: [old] }, [], {
      tools: [{ name: "book", description: "new", parameters: {} }],
    });
    expect(tools).toEqual([
      expect.objectContaining({ function: expect.objectContaining({ description: "new" }) }),
    ]);
  });

  it("leaves out a leading system message and what the state already has", () => {
    const system: LangChainMessage = { type: "system", id: "s", content: "be kind" };
    expect(enrichState({ messages: [human("a")] }, [system, human("a"), human("b")], {}).messages).toEqual([
      human("b"),
    ]);
  });
});

describe("changedByClient", () => {
  it("drops what the client only echoes, whatever the order of keys", () => {
    const checkpoint = { counter: 3, nested: { a: 1, b: [1, 2] }, lang: "en" };
    expect(
      changedByClient({ counter: 3, nested: { b: [1, 2], a: 1 }, lang: "de", fresh: null }, checkpoint),
    ).toEqual({
      lang: "de",
      fresh: null,
    });
  });

  it("holds for any state that is echoed", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (state) => {
        const echoed = JSON.parse(JSON.stringify(state));
        expect(Object.keys(changedByClient(echoed, state))).toEqual(
          Object.keys(echoed).filter((key) => key === "tools" || key === "copilotkit"),
        );
      }),
    );
  });
});

describe("sameJson", () => {
  it("tells arrays from objects, and null from missing", () => {
    expect(sameJson([], {})).toBe(false);
    expect(sameJson({ a: null }, {})).toBe(false);
    expect(sameJson({ a: undefined }, {})).toBe(true);
  });
});

describe("filterByInputSchema", () => {
  it("keeps everything while the schema is not known, and the client's tools in any case", () => {
    const state = { a: 1, b: 2, messages: [], "ag-ui": {} };
    expect(filterByInputSchema(state, null)).toBe(state);
    expect(filterByInputSchema(state, { input: ["a"], output: null, config: null, context: null })).toEqual({
      a: 1,
      messages: [],
      "ag-ui": {},
    });
  });
});
