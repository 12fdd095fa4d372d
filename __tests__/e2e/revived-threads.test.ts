import { type BaseEvent, EventType, type Message, type RunErrorEvent } from "@ag-ui/client";
import { LangGraphAgent as OfficialAgent } from "@ag-ui/langgraph";
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph";
import { Client } from "@langchain/langgraph-sdk";
import { LangGraphAgent } from "ag-ui-langgraph";
import { lastValueFrom, toArray } from "rxjs";
import { startAnthropicStub } from "../../examples/providers/anthropic";
import { startOpenAIStub } from "../../examples/providers/openai";
import type { ProviderStub } from "../../examples/providers/server";
import { checkHistory } from "../../src/history/rules";
import { readMessage } from "../../src/messages/read-message";
import { type DevServer, startDevServer } from "../support/dev-server";
import { play, user } from "../support/play";
import { asksModel, STRICT_PROVIDERS, type StrictProvider } from "../support/strict-graphs";

const calls = (...ids: string[]) =>
  new AIMessage({
    id: "calls",
    content: "",
    tool_calls: ids.map((id) => ({ id, name: "look", args: {}, type: "tool_call" as const })),
  });
const result = (id: string, call: string, content = `what ${call} saw`) =>
  new ToolMessage({ id, tool_call_id: call, name: "look", content, status: "success" });
const asks = new HumanMessage({ id: "asks", content: "What is there?" });
const says = new AIMessage({ id: "says", content: "Wait." });
const presses = new HumanMessage({ id: "presses", content: "And?" });
const INTERRUPTED = "Tool call 'look' with id 'a' was interrupted before completion.";

/** What a thread holds, and what the provider must be shown of it: speakers, calls and results. */
const THREADS: Record<string, { stored: BaseMessage[]; shown: string[] }> = {
  "a call that nothing answered": {
    stored: [asks, calls("a")],
    shown: ["user: What is there?", "calls a", "a: failed"],
  },
  "a result without its call": {
    stored: [asks, says, result("r", "gone")],
    shown: ["user: What is there?", "assistant: Wait."],
  },
  "two results for one call": {
    stored: [asks, calls("a"), result("r1", "a"), result("r2", "a", "something else")],
    shown: ["user: What is there?", "calls a", "a: what a saw"],
  },
  "a placeholder, and the real result too late": {
    stored: [asks, calls("a"), result("r1", "a", INTERRUPTED), says, result("r2", "a")],
    shown: ["user: What is there?", "calls a", "a: what a saw", "assistant: Wait."],
  },
  "results out of place": {
    stored: [asks, calls("a", "b"), result("r2", "b"), presses, result("r1", "a")],
    shown: ["user: What is there?", "calls a b", "a: what a saw", "b: what b saw", "user: And?"],
  },
};

/** What the providers say of broken pairs. */
const REFUSAL =
  /without `?tool_result|unexpected `?tool_use_id|must have a single result|must be followed by tool messages|must be a response to a prece|Duplicate value for .tool_call_id/;
const PROVIDERS = Object.keys(STRICT_PROVIDERS) as StrictProvider[];
const answers = { script: () => ({ text: "I am back." }) };

let stubs: Record<StrictProvider, ProviderStub>;
let server: DevServer;
beforeAll(async () => {
  stubs = { anthropic: await startAnthropicStub(answers), openai: await startOpenAIStub(answers) };
  for (const provider of PROVIDERS) process.env[STRICT_PROVIDERS[provider]] = stubs[provider].url;
  const graphs = PROVIDERS.map((name) => [name, `__tests__/support/strict-graphs.ts:${name}`]);
  server = await startDevServer({ graphs: Object.fromEntries(graphs) });
});
afterAll(async () => {
  await server.stop();
  await Promise.all(PROVIDERS.map((provider) => stubs[provider].close()));
});

interface DeadThread {
  /** What the user was told when the thread died. */
  refusal: string | undefined;
  /** What the client has. */
  messages: Message[];
  ours: LangGraphAgent;
}

/** The server makes schemas from a graph's source, which takes it many seconds; they are no part of the story. */
function clientOf(): Client {
  const client = new Client({ apiUrl: server.url });
  const properties = { messages: {} };
  client.assistants.getSchemas = async (id) => ({
    graph_id: id,
    state_schema: null,
    config_schema: null,
    context_schema: null,
    input_schema: { properties },
    output_schema: { properties },
  });
  return client;
}

/** A thread on the server that the official adapter could not bring an answer from. */
async function deadOnServer(provider: StrictProvider, stored: BaseMessage[]): Promise<DeadThread> {
  const client = clientOf();
  const { thread_id: threadId } = await client.threads.create({ graphId: provider });
  const values = { messages: stored.map((message) => readMessage(message)) };
  await client.threads.updateState(threadId, { values, asNode: "model" });
  const place = { client, deploymentUrl: server.url, graphId: provider, threadId };
  const official = new OfficialAgent(place as never);
  const messages = [user("Hello?")];
  const run = {
    threadId,
    runId: `dies-${threadId}`,
    messages,
    state: {},
    tools: [],
    context: [],
    forwardedProps: {},
  };
  // Without the client's verifier, which refuses that events follow RUN_ERROR there.
  const events = (await lastValueFrom(official.run(run as never).pipe(toArray()))) as BaseEvent[];
  const failed = events.find(({ type }) => type === EventType.RUN_ERROR) as RunErrorEvent | undefined;
  return { refusal: failed?.message, messages, ours: new LangGraphAgent(place) };
}

/** The same in this process, where the official adapter cannot run: the graph is asked directly. */
async function deadInProcess(provider: StrictProvider, stored: BaseMessage[]): Promise<DeadThread> {
  const graph = asksModel(provider, new MemorySaver());
  const config = { configurable: { thread_id: crypto.randomUUID() } };
  await graph.updateState(config, { messages: stored }, "model");
  const asked = new HumanMessage({ id: "user-Hello?", content: "Hello?" });
  const refusal = await graph.invoke({ messages: [asked] }, config).then(
    () => undefined,
    (error: Error) => error.message,
  );
  const ours = new LangGraphAgent({ graph, threadId: config.configurable.thread_id });
  return { refusal, messages: [user("Hello?")], ours };
}

type Request = { messages: Record<string, unknown>[] };

/** What a request shows of a history, in the same words for both providers. */
function shownBy(provider: StrictProvider, { messages }: Request): string[] {
  const tell = (content: unknown) => (/was never answered/.test(String(content)) ? "failed" : content);
  const blocks = (content: unknown) =>
    Array.isArray(content) ? (content as Record<string, unknown>[]) : [{ type: "text", text: content }];
  return messages.flatMap(({ role, content, tool_calls, tool_call_id }) => {
    if (role === "tool") return [`${tool_call_id}: ${tell(content)}`];
    const called = blocks(provider === "openai" ? (tool_calls ?? []) : content).filter(
      ({ type }) => type === "tool_use" || type === "function",
    );
    const others = blocks(content ?? "").flatMap((block) => {
      if (block.type === "tool_result") return [`${block.tool_use_id}: ${tell(block.content)}`];
      return block.type === "text" && block.text ? [`${role}: ${block.text}`] : [];
    });
    return [...others, ...(called.length > 0 ? [`calls ${called.map(({ id }) => id).join(" ")}`] : [])];
  });
}

const cases = PROVIDERS.flatMap((provider) =>
  Object.entries(THREADS).map(([name, thread]) => ({ provider, name, ...thread })),
);

interface RevivedThread extends DeadThread {
  error: unknown;
  answer: Message | undefined;
  request: Request;
  /** What the thread holds in the end. */
  checkpoint: unknown[];
}

describe.each([
  ["on a LangGraph server, broken with the official adapter", deadOnServer],
  ["in process", deadInProcess],
])("%s", (_, die) => {
  const played = new Map<object, Promise<RevivedThread>>();

  async function revive({ provider, stored }: (typeof cases)[number]): Promise<RevivedThread> {
    const dead = await die(provider, stored);
    const { ours } = dead;
    ours.setMessages(dead.messages);
    // Says in its words which thread it is, since all talk to one stub.
    const { error, messages } = await play(ours, [user(ours.threadId)]);
    const requests = stubs[provider].requests as Request[];
    const request = requests.findLast((each) => JSON.stringify(each).includes(ours.threadId)) ?? {
      messages: [],
    };
    const { values } = await ours.client.threads.getState<{ messages: unknown[] }>(ours.threadId);
    return { ...dead, error, answer: messages.at(-1), request, checkpoint: values.messages };
  }

  /** All threads at once. */
  beforeAll(() => {
    for (const each of cases) {
      const thread = revive(each);
      thread.catch(() => {});
      played.set(each, thread);
    }
  });

  test.each(cases.map((each) => [`${each.provider}: ${each.name}`, each] as const))(
    "%s",
    async (_name, each) => {
      const thread = await played.get(each);
      expect(thread?.refusal).toMatch(REFUSAL);
      expect(thread?.error).toBeUndefined();
      expect(thread?.answer).toMatchObject({ role: "assistant", content: "I am back." });
      expect(thread && shownBy(each.provider, thread.request)).toEqual([
        ...each.shown,
        "user: Hello?",
        `user: ${thread?.ours.threadId}`,
      ]);
      expect(checkHistory(thread?.checkpoint ?? [])).toEqual([]);
      expect(thread?.checkpoint).toHaveLength(
        each.shown.length + ["Hello?", "the thread's id", "the answer"].length,
      );
    },
  );
});
