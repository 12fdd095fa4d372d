import { Annotation, START, StateGraph } from "@langchain/langgraph";
import { createLocalClient } from "../../src/graphs/local";
import { chat, configured, counter } from "../support/graphs";
import { allowNoUnhandledRejection } from "../support/local-runs";

allowNoUnhandledRejection();

describe("assistants", () => {
  test("there is one, named as the graph or as one says", async () => {
    const unnamed = createLocalClient(chat);
    expect(await unnamed.assistants.search()).toMatchObject([
      { assistant_id: "chat", graph_id: "chat", config: {} },
    ]);
    const named = createLocalClient(chat, { graphId: "support" });
    expect(await named.assistants.get("whatever")).toMatchObject({
      assistant_id: "support",
      name: "support",
    });
  });

  test("its schemas have the keys of the graph's channels and of its context", async () => {
    const { assistants } = createLocalClient(configured);
    const schemas = await assistants.getSchemas("configured");
    expect(Object.keys(schemas.input_schema?.properties ?? {})).toEqual(["seen"]);
    expect(Object.keys(schemas.output_schema?.properties ?? {})).toEqual(["seen"]);
    expect(Object.keys(schemas.context_schema?.properties ?? {})).toEqual(["user"]);
  });

  test("input and output of their own are told apart, what is not known is left out", async () => {
    const graph = new StateGraph({
      state: Annotation.Root({
        a: Annotation<string>(),
        b: Annotation<string>(),
        secret: Annotation<string>(),
      }),
      input: Annotation.Root({ a: Annotation<string>() }),
      output: Annotation.Root({ b: Annotation<string>() }),
    })
      .addNode("n", async () => ({ b: "x" }))
      .addEdge(START, "n")
      .compile();
    const schemas = await createLocalClient(graph).assistants.getSchemas("x");
    expect(Object.keys(schemas.input_schema?.properties ?? {})).toEqual(["a"]);
    expect(Object.keys(schemas.output_schema?.properties ?? {})).toEqual(["b"]);
    expect(schemas.context_schema).toBeUndefined();
  });

  test("its graph has nodes and edges", async () => {
    const { nodes, edges } = await createLocalClient(counter).assistants.getGraph("counter");
    expect(nodes.map(({ id }) => id)).toEqual(["__start__", "first", "second", "__end__"]);
    expect(edges).toContainEqual(expect.objectContaining({ source: "first", target: "second" }));
  });
});
