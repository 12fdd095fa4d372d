import { randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import type { BaseEvent } from "@ag-ui/client";
import { Client } from "@langchain/langgraph-sdk";
import { z } from "zod";
import type { DevServer } from "../../examples/dev-server";
import { startAnthropicStub } from "../../examples/providers/anthropic";
import type { ScriptedTurn } from "../../examples/providers/script";
import type { ProviderStub } from "../../examples/providers/server";
import { type RecordingProxy, startRecordingProxy } from "../support/recording-proxy";
import { type Application, installApplication, type Runtime } from "./copilotkit/application";
import { openPage, type Page, type PageOptions, type PageTool } from "./copilotkit/page";
import { openWorkshop, type Workshop } from "./scratch";

let workshop: Workshop;
let application: Application;
let provider: ProviderStub;
let graphs: DevServer;
/** What the runtime asks the LangGraph server. */
let asked: RecordingProxy;
let runtime: Runtime;

/** What the model says next. */
let script: ScriptedTurn[] = [];

const graphNames = [
  "assistant",
  "copilotkitAssistant",
  "discreet",
  "writer",
  "writerAgent",
  "herald",
  "asks",
  "waits",
];

beforeAll(async () => {
  workshop = await openWorkshop();
  application = await installApplication(join(dirname(workshop.tarball), "copilotkit"), workshop.tarball);
  provider = await startAnthropicStub({
    script: () => script.shift() ?? { refusal: { status: 400, message: "the script is at its end" } },
  });
  graphs = await application.startGraphs(graphNames, provider.url);
  asked = await startRecordingProxy(graphs.url);
  runtime = await application.startRuntime(asked.url);
});

afterAll(async () => {
  await runtime?.stop();
  await asked?.close();
  await graphs?.stop();
  await provider?.close();
  await workshop?.remove();
});

function open(agentId: string, options: Partial<PageOptions> = {}): Promise<Page> {
  return openPage({
    app: application.folder,
    runtimeUrl: runtime.url,
    agentId,
    threadId: randomUUID(),
    ...options,
  });
}

beforeEach(() => {
  script = [];
  provider.requests.length = 0;
  asked.requests.length = 0;
});

/** A conversation as it is drawn. */
function chat({ messages }: Page): string[] {
  return messages.map((message) => {
    if (message.role === "assistant" && message.toolCalls?.length)
      return `calls ${message.toolCalls.map((call) => call.function.name).join(", ")}`;
    const failed = "error" in message && message.error ? ` (failed: ${message.error})` : "";
    return `${message.role}: ${message.content}${failed}`;
  });
}

/** The results of tools that the model was sent in its newest request. */
function resultsSent(): unknown[] {
  const { messages } = provider.requests.at(-1) as { messages: { content: unknown }[] };
  return messages
    .flatMap(({ content }) => (Array.isArray(content) ? content : []))
    .filter(({ type }) => type === "tool_result")
    .map(({ cache_control: _, ...result }) => result);
}

const texts = (page: Page) =>
  page.events
    .flatMap((event: BaseEvent & { delta?: string }) =>
      event.type === "TEXT_MESSAGE_CONTENT" ? [event.delta] : [],
    )
    .join("");

const toolsCalled = (page: Page) =>
  page.events.flatMap((event: BaseEvent & { toolCallName?: string }) =>
    event.type === "TOOL_CALL_START" ? [event.toolCallName] : [],
  );

const custom = (page: Page, name: string) =>
  page.events.flatMap((event: BaseEvent & { name?: string; value?: unknown }) =>
    event.type === "CUSTOM" && event.name === name ? [event.value] : [],
  );

const book: PageTool = {
  name: "book",
  description: "Books a table",
  parameters: z.object({ restaurant: z.string() }),
  handler: async ({ restaurant }) => `A table at ${restaurant}`,
};

const broken: PageTool = {
  ...book,
  handler: async ({ restaurant }) => {
    throw new Error(`${restaurant} is closed`);
  },
};

const callsBook = { toolCalls: [{ id: "toolu_1", name: "book", args: { restaurant: "Da Enzo" } }] };

describe("the application", () => {
  it("has this package's agent beneath the runtime's, and its middlewares in CopilotKit's SDK", async () => {
    expect(await application.ask("wiring.cjs")).toEqual({
      runtime: "ag-ui-langgraph",
      sdk: "ag-ui-langgraph",
      runtimeExtendsIt: true,
      oneClient: true,
      sdkExportsIt: true,
      sdkExportsItAsModule: true,
    });
  });

  it("compiles as well as with the official adapter, with all declarations checked", async () => {
    const projects = ["tsconfig.json", "tsconfig.official.json"];
    const [ours = [], official = []] = await Promise.all(projects.map(application.compile));
    expect(ours.filter((error) => !official.includes(error))).toEqual([]);
    // The declarations of all that the runtime can use are many.
  }, 600_000);
});

describe.each(["assistant", "copilotkitAssistant"])("an agent whose graph is %s", (agentId) => {
  it("chats", async () => {
    script = [{ text: "Hello there." }, { text: "Bye." }];
    const page = await open(agentId);
    await page.say("Hi");
    await page.say("Bye");
    expect(chat(page)).toEqual(["user: Hi", "assistant: Hello there.", "user: Bye", "assistant: Bye."]);
    expect(texts(page)).toBe("Hello there.Bye.");
    expect(page.errors).toEqual([]);
  });

  it("uses a tool of the page", async () => {
    script = [callsBook, { text: "Booked." }];
    const page = await open(agentId, { tools: [book] });
    await page.say("Book");
    expect(chat(page)).toEqual([
      "user: Book",
      "calls book",
      "tool: A table at Da Enzo",
      "assistant: Booked.",
    ]);
    expect(resultsSent()).toEqual([
      { type: "tool_result", tool_use_id: "toolu_1", content: "A table at Da Enzo" },
    ]);
    expect(provider.requests[0]).toMatchObject({
      tools: [{ name: "book", input_schema: { properties: { restaurant: { type: "string" } } } }],
    });
    expect(page.errors).toEqual([]);
  });

  it("is told that a tool of the page threw", async () => {
    script = [callsBook, { text: "It is closed." }];
    const page = await open(agentId, { tools: [broken] });
    await page.say("Book");
    expect(chat(page)).toEqual(["user: Book", "calls book", "tool: Error: Da Enzo is closed"]);
    await page.say("And?");
    expect(resultsSent()).toEqual([
      {
        type: "tool_result",
        tool_use_id: "toolu_1",
        content: "Error: Da Enzo is closed",
        is_error: true,
      },
    ]);
    expect(chat(page)).toEqual([
      "user: Book",
      "calls book",
      "tool: Error: Da Enzo is closed (failed: Da Enzo is closed)",
      "user: And?",
      "assistant: It is closed.",
    ]);
  });

  it("is told which one of two tools of the page threw", async () => {
    const call = { id: "toolu_2", name: "look", args: {} };
    script = [{ toolCalls: [...callsBook.toolCalls, call] }, { text: "Closed, but sunny." }];
    const look = { ...book, name: "look", parameters: z.object({}), handler: async () => "sunny" };
    const page = await open(agentId, { tools: [broken, look] });
    await page.say("Book and look");
    expect(resultsSent()).toEqual([
      {
        type: "tool_result",
        tool_use_id: "toolu_1",
        content: "Error: Da Enzo is closed",
        is_error: true,
      },
      { type: "tool_result", tool_use_id: "toolu_2", content: "sunny" },
    ]);
    expect(chat(page).at(-1)).toBe("assistant: Closed, but sunny.");
  });

  it("goes on after the page was reloaded in the middle of a tool", async () => {
    script = [callsBook, { text: "Never mind." }];
    const threadId = randomUUID();
    const endless: PageTool = { ...book, handler: () => new Promise(() => {}) };
    const left = await open(agentId, { threadId, tools: [endless] });
    void left.say("Book");
    await left.until(({ type }) => type === "RUN_FINISHED");

    const page = await open(agentId, { threadId, tools: [book] });
    await page.connect();
    expect(chat(page)).toEqual(["user: Book", "calls book"]);
    await page.say("Stop that");
    expect(chat(page).slice(-2)).toEqual(["user: Stop that", "assistant: Never mind."]);
    expect(resultsSent()).toMatchObject([{ tool_use_id: "toolu_1", is_error: true }]);
  });
});

describe("the runtime of version 1, with actions of the server", () => {
  const version1 = (tools: PageTool[]) =>
    open("copilotkitAssistant", {
      runtimeUrl: runtime.url.replace("copilotkit", "v1"),
      transport: "single",
      tools,
    });

  it("gives the graph the tools of the page, and those alone, as with the official adapter", async () => {
    script = [callsBook, { text: "Booked." }];
    const page = await version1([book]);
    await page.say("Book");
    expect(chat(page)).toEqual([
      "user: Book",
      "calls book",
      "tool: A table at Da Enzo",
      "assistant: Booked.",
    ]);
    const [run] = asked.requests.filter(({ route }) => route.endsWith("/runs/stream"));
    const { actions } = JSON.parse(run?.body ?? "{}").input.copilotkit as { actions: { name: string }[] };
    expect(actions.map(({ name }) => name)).toEqual(["book"]);
    expect((provider.requests[0] as { tools: { name: string }[] }).tools.map(({ name }) => name)).toEqual([
      "book",
    ]);
    expect(page.errors).toEqual([]);
  });

  it("tells the graph that a tool of the page threw", async () => {
    script = [callsBook, { text: "It is closed." }];
    const page = await version1([broken]);
    await page.say("Book");
    await page.say("And?");
    expect(resultsSent()).toMatchObject([{ content: "Error: Da Enzo is closed", is_error: true }]);
    expect(chat(page).at(-1)).toBe("assistant: It is closed.");
  });
});

describe("the headers of the page's requests", () => {
  it("go with all that is asked of the LangGraph server, each with its own, and not into the events", async () => {
    script = [{ text: "Hello there." }, { text: "Hello you." }];
    const headersOf = (name: string) => ({
      authorization: `Bearer secret-${name}`,
      "x-trace": `secret-${name}`,
    });
    const say = async (name: string) => {
      const page = await open("assistant", { headers: headersOf(name) });
      asked.requests.length = 0;
      await page.say("Hi");
      expect(asked.requests.map(({ route }) => route)).toContain("POST /threads/:id/runs/stream");
      for (const { headers } of asked.requests) expect(headers).toMatchObject(headersOf(name));
      const run = asked.requests.find(({ route }) => route.endsWith("/runs/stream"));
      expect(JSON.parse(run?.body ?? "{}").config.configurable.copilotkit_forwarded_headers).toEqual({
        "x-trace": `secret-${name}`,
      });
      expect(chat(page)).toHaveLength(2);
      expect(JSON.stringify(page.events)).not.toContain("secret");
    };
    await say("one");
    await say("two");
  });
});

describe("what a graph shows of its models", () => {
  const written = { id: "toolu_w", name: "write_document", args: { document: "Once upon a time" } };

  it("is what its filters let through", async () => {
    script = [{ text: "Hmm, let me think." }, { toolCalls: [written] }, { text: "Good morning." }];
    const page = await open("discreet");
    await page.say("Hi");
    expect(texts(page)).toBe("Good morning.");
    expect(toolsCalled(page)).toEqual([]);
    expect(chat(page)).toEqual(["user: Hi", "assistant: Good morning."]);
    expect(page.errors).toEqual([]);
  });

  const predicted = { tool: "write_document", tool_argument: "document", state_key: "document" };

  it("is a state that a tool's arguments foretell, by CopilotKit's configuration", async () => {
    script = [{ toolCalls: [written] }];
    const page = await open("writer");
    await page.say("Write");
    const order = page.events.map(({ type }) => type).filter((type) => /^CUSTOM|TOOL_CALL_/.test(type));
    expect(order.indexOf("CUSTOM" as never)).toBeLessThan(order.indexOf("TOOL_CALL_ARGS" as never));
    expect(custom(page, "PredictState")[0]).toEqual([predicted]);
    expect(page.state).toMatchObject({ document: "Once upon a time" });
  });

  it("is a state that a tool's arguments foretell, by the middleware", async () => {
    script = [{ toolCalls: [written] }, { text: "There it is." }];
    const page = await open("writerAgent");
    await page.say("Write");
    expect(custom(page, "PredictState")).toEqual([[predicted]]);
    expect(chat(page)).toEqual([
      "user: Write",
      "calls write_document",
      "tool: Written.",
      "assistant: There it is.",
    ]);
  });

  it("is a message and a state that it emits by itself, and that it is done", async () => {
    const page = await open("herald");
    await page.say("Go");
    expect(texts(page)).toBe("Still at work.Done.");
    const documents = page.states.map(({ document }) => document).filter(Boolean);
    expect([documents[0], documents.at(-1)]).toEqual(["half of it", "all of it"]);
    expect(custom(page, "Exit")).toEqual([true]);
    expect(chat(page)).toEqual(["user: Go", "assistant: Done."]);
  });
});

describe.each(["asks", "asksInTheProtocol"])("an interrupt of %s", (agentId) => {
  it.each([[{ approved: true }], ["yes"], [false], [""], [0]])("is answered with %j", async (answer) => {
    const page = await open(agentId);
    await page.say("Book");
    expect(JSON.stringify(page.question)).toContain("Book it?");
    await page.answer(answer);
    expect(chat(page)).toEqual(["user: Book", `assistant: The answer was ${JSON.stringify(answer)}.`]);
    expect(page.question).toBeUndefined();
    expect(page.errors).toEqual([]);
  });
});

describe("a run that the user stops", () => {
  it("is stopped on the server", async () => {
    const threadId = randomUUID();
    const page = await open("waits", { threadId });
    const said = page.say("Wait");
    await page.until(({ type }) => type === "TEXT_MESSAGE_CONTENT");
    page.stop();
    await said;
    const { runs } = new Client({ apiUrl: graphs.url });
    const [{ run_id: runId } = { run_id: "" }] = await runs.list(threadId);
    await runs.join(threadId, runId).catch(() => undefined);
    expect(await runs.get(threadId, runId)).toMatchObject({ status: "interrupted" });
  });
});
