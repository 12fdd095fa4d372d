import { type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { MemorySaver, MessagesAnnotation, StateGraph } from "@langchain/langgraph";
import { createAgent } from "langchain";
import { z } from "zod";
import { createLocalClient, type RunnableGraph } from "../../src/graphs/local";
import { rowsOf } from "../support/home-rows";
import { allowNoUnhandledRejection, hello, newThread } from "../support/local-runs";
import { ScriptedModel } from "../support/scripted-model";

allowNoUnhandledRejection();

describe("what is a graph", () => {
  test("an agent of createAgent runs, with its tools and its checkpointer", async () => {
    const model = new ScriptedModel((messages) =>
      ToolMessage.isInstance(messages.at(-1))
        ? { message: { content: "It is sunny." } }
        : { message: { content: "", tool_calls: [{ id: "c1", name: "weather", args: {} }] } },
    );
    const weather = tool(async () => "sunny", {
      name: "weather",
      description: "weather",
      schema: z.object({}),
    });
    const agent = createAgent({ model, tools: [weather], checkpointer: new MemorySaver() });
    const client = createLocalClient(agent, { graphId: "agent" });
    const thread = newThread();
    const rows = await rowsOf(client, thread, "agent", {
      input: hello,
      streamMode: ["values", "messages-tuple"],
    });
    expect(rows.some(({ event }) => event === "error")).toBe(false);
    const values = (await client.threads.getState(thread)).values as { messages: BaseMessage[] };
    expect(values.messages.map(({ type }) => type)).toEqual(["human", "ai", "tool", "ai"]);
    const { input_schema } = await client.assistants.getSchemas("agent");
    expect(Object.keys(input_schema?.properties ?? {})).toContain("messages");
  });

  test.each([
    ["a graph that was not compiled", new StateGraph(MessagesAnnotation)],
    ["nothing", undefined],
    ["a string", "chat"],
    ["an object", {}],
  ])("%s is refused", (_, graph) => {
    expect(() => createLocalClient(graph as unknown as RunnableGraph)).toThrow(
      "`graph` has to be a compiled graph",
    );
  });
});
