import type { Assistant } from "@langchain/langgraph-sdk";
import { mergeConfigs, shapeConfig } from "../../src/run/config";

const assistant = (config: object) => ({ config }) as Assistant;
const schemaKeys = { input: null, output: null, config: ["model"], context: ["user"] };
const constantKeys = ["messages", "tools"];

describe("mergeConfigs", () => {
  it("lets the last configuration win over the assistant's", () => {
    const merged = mergeConfigs({
      configs: [{ tags: ["a"] }, { tags: ["b"], recursion_limit: 7 }],
      assistant: assistant({ tags: ["z"], configurable: { model: "m" } }),
      schemaKeys,
      constantKeys,
    });
    expect(merged).toEqual({ tags: ["b"], recursion_limit: 7, configurable: { model: "m" } });
  });

  it("keeps the configurable keys that the graph's schemas have", () => {
    const configs = [{ configurable: { model: "m", user: "u", stray: 1 } }];
    expect(
      mergeConfigs({ configs, assistant: assistant({}), schemaKeys, constantKeys }).configurable,
    ).toEqual({
      model: "m",
      user: "u",
    });
  });

  it("keeps every configurable key where the schema is not known", () => {
    const configs = [{ configurable: { stray: 1 } }];
    const merged = mergeConfigs({ configs, assistant: assistant({}), schemaKeys: null, constantKeys });
    expect(merged.configurable).toEqual({ stray: 1 });
  });

  it("takes LangGraph's default recursion limit for no change, and any other for one", () => {
    const merge = (limit: number, base: object) =>
      mergeConfigs({
        configs: [{ recursion_limit: limit }],
        assistant: assistant(base),
        schemaKeys,
        constantKeys,
      });
    expect(merge(25, {})).toEqual({});
    expect(merge(40, {})).toEqual({ recursion_limit: 40 });
    expect(merge(25, { recursion_limit: 40 })).toEqual({ recursion_limit: 25 });
  });
});

describe("shapeConfig", () => {
  const shape = (configurable: Record<string, unknown>, headers: Record<string, string> = {}) => {
    const warnings: string[] = [];
    const config = { tags: ["t"], configurable };
    const shaped = shapeConfig({ config, schemaKeys, headers, warn: (message) => warnings.push(message) });
    return { ...shaped, warnings };
  };

  it("sends keys of the context schema as context, and warns of those that are dropped for it", () => {
    const { config, context, warnings } = shape({ user: "u", model: "m" });
    expect(config).toEqual({ tags: ["t"] });
    expect(context).toEqual({ user: "u" });
    expect(warnings).toEqual([expect.stringContaining("model")]);
  });

  it("sends the others as configurable where there is no context", () => {
    expect(shape({ model: "m" })).toEqual({
      config: { tags: ["t"], configurable: { model: "m" } },
      warnings: [],
    });
  });

  it("forwards x-* headers and no others, also next to a context", () => {
    const { config } = shape({ user: "u" }, { "X-Trace": "1", authorization: "Bearer secret" });
    expect(config?.configurable).toEqual({ copilotkit_forwarded_headers: { "X-Trace": "1" } });
  });

  it("says nothing where there is nothing to say", () => {
    expect(shapeConfig({ config: undefined, schemaKeys: null, headers: {}, warn: fail })).toEqual({});
  });
});

function fail(): never {
  throw new Error("no warning was expected");
}
