import { BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { createLocalClient } from "../../src/graphs/local";
import { chat, concatenating, configured, counter, endless, oneInterrupt } from "../support/graphs";
import { rowsOf } from "../support/home-rows";
import { allowNoUnhandledRejection, hello, last, newThread } from "../support/local-runs";

allowNoUnhandledRejection();

describe("a run's input", () => {
  test("plain messages are instances in the graph, with all that they carry", async () => {
    const client = createLocalClient(concatenating);
    const thread = newThread();
    const messages = [
      { type: "human", id: "h", content: [{ type: "text", text: "Hi" }], name: "Ada" },
      { type: "ai", id: "a", content: "", tool_calls: [{ id: "c", name: "f", args: { x: 1 } }] },
      {
        type: "tool",
        id: "t",
        tool_call_id: "c",
        name: "f",
        content: "boom",
        status: "error",
        additional_kwargs: { error: "boom", "ag-ui": '{"lc":1}' },
      },
    ];
    await rowsOf(client, thread, "concatenating", { input: { messages } });
    const values = (await client.threads.getState(thread)).values as { messages: BaseMessage[] };
    const [human, ai, result] = values.messages;
    expect(human).toBeInstanceOf(HumanMessage);
    expect(human).toMatchObject({ id: "h", name: "Ada", content: [{ type: "text", text: "Hi" }] });
    expect(ai).toMatchObject({ id: "a", tool_calls: [{ id: "c", name: "f", args: { x: 1 } }] });
    expect(result).toBeInstanceOf(ToolMessage);
    expect(result).toMatchObject({
      id: "t",
      name: "f",
      tool_call_id: "c",
      status: "error",
      content: "boom",
      additional_kwargs: { error: "boom", "ag-ui": '{"lc":1}' },
    });
    // The caller's own objects are left as they were.
    expect(messages[0]).not.toBeInstanceOf(BaseMessage);
  });

  test("remove markers replace the history", async () => {
    const client = createLocalClient(chat);
    const thread = newThread();
    await rowsOf(client, thread, "chat", { input: hello });
    const messages = [
      { type: "remove", id: "__remove_all__", content: "" },
      { type: "human", id: "h9", content: "Anew" },
    ];
    await rowsOf(client, thread, "chat", { input: { messages } });
    const values = (await client.threads.getState(thread)).values as { messages: BaseMessage[] };
    expect(values.messages.map(({ id }) => id)).toEqual(["h9", "said-1"]);
  });

  test("what is no message reaches the graph's reducer as it is, which says so in the error row", async () => {
    const rows = await rowsOf(createLocalClient(chat), newThread(), "chat", {
      input: { messages: [{ type: "odd" }] },
    });
    expect(last(rows)).toMatchObject({
      event: "error",
      data: { message: expect.stringContaining("coerce") },
    });
  });

  test("a command resumes and repairs in one call", async () => {
    const client = createLocalClient(oneInterrupt);
    const thread = newThread();
    await rowsOf(client, thread, "one_interrupt", { input: {} });
    const update = { answers: ["noted"] };
    await rowsOf(client, thread, "one_interrupt", { command: { resume: false, update } });
    expect((await client.threads.getState(thread)).values).toEqual({ answers: ["noted", false] });
  });

  test("a command with a destination that cannot be sent is told", async () => {
    const command = { goto: { node: "first", input: {} } };
    const rows = await rowsOf(createLocalClient(counter), newThread(), "counter", { command });
    expect(rows.map(({ event }) => event)).toEqual(["metadata", "error"]);
    expect(last(rows).data).toMatchObject({
      error: "TypeError",
      message: expect.stringContaining("command.goto"),
    });
  });

  test("a recursion limit that the graph was bound with counts, one of the run wins", async () => {
    const bound = createLocalClient(endless.withConfig({ recursionLimit: 3 }));
    const own = await rowsOf(bound, newThread(), "endless", { input: {} });
    expect(last(own).data).toMatchObject({ message: expect.stringContaining("limit of 3") });
    const given = await rowsOf(bound, newThread(), "endless", { input: {}, config: { recursion_limit: 5 } });
    expect(last(given).data).toMatchObject({ message: expect.stringContaining("limit of 5") });
  });

  test("the thread of the call wins over one in the configuration", async () => {
    const client = createLocalClient(configured);
    const thread = newThread();
    await rowsOf(client, thread, "configured", {
      input: {},
      config: { configurable: { thread_id: "other" } },
    });
    expect((await client.threads.getState(thread)).values).toMatchObject({ seen: { thread_id: thread } });
    expect((await client.threads.getState("other")).values).toEqual({});
  });
});
