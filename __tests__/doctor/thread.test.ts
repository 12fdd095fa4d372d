import { Client } from "@langchain/langgraph-sdk";
import { runDoctor } from "../../src/doctor/run-doctor";
import { type DevServer, startDevServer } from "../support/dev-server";
import { runDoctorProcess } from "../support/run-doctor";

type GraphName = "chat" | "concatenating" | "nestedInterrupt" | "twoVoices";
const NODES: Record<GraphName, string> = {
  chat: "speak",
  concatenating: "speak",
  nestedInterrupt: "team",
  twoVoices: "left",
};

let server: DevServer;
let client: Client;
beforeAll(async () => {
  const graphs = Object.keys(NODES).map((name) => [name, `__tests__/support/graphs/index.ts:${name}`]);
  server = await startDevServer({ graphs: Object.fromEntries(graphs) });
  client = new Client({ apiUrl: server.url });
});
afterAll(() => server.stop());

const human = (id: string) => ({ type: "human", id, content: `text of ${id}` });
const calls = { type: "ai", id: "calls", content: "", tool_calls: [{ id: "call", name: "look", args: {} }] };
const orphan = { type: "tool", id: "orphan", tool_call_id: "nobody", name: "look", content: "seen" };
const broken = [human("one"), calls, human("two"), orphan];

async function threadWith(messages: object[], graphId: GraphName = "chat"): Promise<string> {
  const { thread_id } = await client.threads.create({ graphId });
  await client.threads.updateState(thread_id, { values: { messages }, asNode: NODES[graphId] });
  return thread_id;
}

const stored = async (thread: string) => {
  const { values } = await client.threads.getState<{ messages: { type: string; id: string }[] }>(thread);
  return values.messages.map(({ type, id }) => `${type} ${id}`);
};
const asBroken = broken.map(({ type, id }) => `${type} ${id}`);
const asMended = ["human one", "ai calls", expect.stringMatching(/^tool ./), "human two"];

const at = (thread: string, ...rest: string[]) => [
  "doctor",
  "--url",
  server.url,
  "--thread",
  thread,
  ...rest,
];

/** The doctor in this process, with a person at the terminal who answers. */
async function withPerson(args: readonly string[], answer: (question: string) => Promise<string>) {
  const said: string[] = [];
  const say = (text: string) => void said.push(text);
  const readInput = async () => "";
  const code = await runDoctor({ args, out: say, err: say, readInput, ask: answer, width: 100 });
  return { code, said: said.join("\n") };
}

test("a thread is looked at and left as it is", async () => {
  const thread = await threadWith(broken);
  const { code, stdout } = await runDoctorProcess(at(thread, "--graph", "chat"));
  expect(code).toBe(1);
  expect(stdout).toMatch(`thread ${thread} of graph chat: 4 LangChain messages\n2 repairs needed:\n`);
  expect(await stored(thread)).toEqual(asBroken);
});

test("--write --yes mends it, once, and leaves nothing behind", async () => {
  const thread = await threadWith(broken);
  const before = await client.threads.search({ limit: 1000 });
  const first = await runDoctorProcess(at(thread, "--write", "--yes"));
  expect({ code: first.code, stderr: first.stderr }).toEqual({ code: 0, stderr: "" });
  expect(first.stdout).toContain(`Mended: thread ${thread} of graph chat now has 4 messages.`);
  expect(await stored(thread)).toEqual(asMended);
  expect(await client.threads.search({ limit: 1000 })).toHaveLength(before.length);

  const states = await client.threads.getHistory(thread);
  const again = await runDoctorProcess(at(thread, "--write", "--yes", "--json"));
  expect(again.code).toBe(0);
  expect(JSON.parse(again.stdout)).toEqual({
    source: { url: server.url, thread, graph: "chat" },
    format: "LangChain",
    messages: 4,
    clientOnly: 0,
    openCalls: [],
    findings: [],
    written: false,
  });
  expect(await client.threads.getHistory(thread)).toHaveLength(states.length);
});

test("without a terminal and without --yes nothing is written", async () => {
  const thread = await threadWith(broken);
  const { code, stderr } = await runDoctorProcess(at(thread, "--write"));
  expect(code).toBe(1);
  expect(stderr).toBe("Not mended. There is no terminal to ask at: --write needs --yes here.\n");
  expect(await stored(thread)).toEqual(asBroken);
});

test("a person is asked first, and anything but a yes is a no", async () => {
  const thread = await threadWith(broken);
  const questions: string[] = [];
  const answering = (answer: string) =>
    withPerson(at(thread, "--write"), async (question) => {
      questions.push(question);
      return answer;
    });
  for (const answer of ["", "n", "yesterday"]) expect((await answering(answer)).code).toBe(1);
  expect(await stored(thread)).toEqual(asBroken);
  expect((await answering("Y")).code).toBe(0);
  expect(await stored(thread)).toEqual(asMended);
  expect(questions.at(-1)).toMatch(`to thread ${thread}? [y/N] `);
});

test("a thread that changed while the person thought is not written to", async () => {
  const thread = await threadWith(broken);
  const { code, said } = await withPerson(at(thread, "--write"), async () => {
    await client.threads.updateState(thread, { values: { messages: [human("three")] }, asNode: "speak" });
    return "yes";
  });
  expect(code).toBe(1);
  expect(said).toContain("Not mended. The thread has changed in the meantime: look at it again.");
  expect(await stored(thread)).toEqual([...asBroken, "human three"]);
});

test("a graph that only appends is told, and its history is not doubled", async () => {
  const thread = await threadWith(broken, "concatenating");
  const { code, stderr } = await runDoctorProcess(at(thread, "--write", "--yes"));
  expect(code).toBe(1);
  expect(stderr).toMatch("Not mended. The graph does not use LangGraph's message reducer");
  expect(await stored(thread)).toEqual(asBroken);
  const threads = await client.threads.search({ metadata: { graph_id: "concatenating" } });
  expect(threads).toHaveLength(1);
});

test("a thread that waits for an answer is not written to", async () => {
  const { thread_id } = await client.threads.create({ graphId: "nestedInterrupt" });
  await client.runs.wait(thread_id, "nestedInterrupt", { input: { messages: broken } });
  const { code, stderr } = await runDoctorProcess(at(thread_id, "--write", "--yes"));
  expect(code).toBe(1);
  expect(stderr).toMatch("Not mended. The thread waits for the answer to an interrupt");
  const { tasks } = await client.threads.getState(thread_id);
  expect(tasks[0]?.interrupts).toMatchObject([{ value: "sure?" }]);
});

test("a graph of which two nodes ran last is mended in the name of one", async () => {
  const { thread_id } = await client.threads.create({ graphId: "twoVoices" });
  await client.runs.wait(thread_id, "twoVoices", { input: { messages: broken } });
  const before = await stored(thread_id);
  expect(before).toEqual([...asBroken, "ai left", "ai right"]);
  const { code, stderr } = await runDoctorProcess(at(thread_id, "--write", "--yes"));
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(await stored(thread_id)).toEqual([...asMended, "ai left", "ai right"]);
});

test("what LangGraph says against the write is told, and the thread stays", async () => {
  const thread = await threadWith(broken);
  const args = at(thread, "--write", "--yes", "--json", "--as-node", "nobody");
  const { code, stdout } = await runDoctorProcess(args);
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    written: false,
    reason: expect.stringContaining("answered 500"),
  });
  expect(await stored(thread)).toEqual(asBroken);
});

test("the next turn after the mending goes on where the thread was", async () => {
  const thread = await threadWith(broken);
  await runDoctorProcess(at(thread, "--write", "--yes"));
  await client.runs.wait(thread, "chat", { input: { messages: [human("three")] } });
  expect(await stored(thread)).toEqual([...asMended, "human three", expect.stringMatching(/^ai /)]);
});

test.each<[string, () => Promise<string[]>, RegExp]>([
  ["a thread that is not there", async () => at(crypto.randomUUID()), /answered 404/],
  [
    "a thread of another graph",
    async () => at(await threadWith(broken), "--graph", "concatenating"),
    /belongs to graph chat, not to concatenating/,
  ],
  [
    "a thread without messages",
    async () => at((await client.threads.create()).thread_id),
    /has no list of messages/,
  ],
  [
    "a server that is not there",
    async () => ["doctor", "--url", "http://127.0.0.1:9", "--thread", "t"],
    /cannot be reached/,
  ],
  [
    "an address with a password",
    async () => ["doctor", "--url", "http://user:secret@127.0.0.1:9", "--thread", "t"],
    /with no password/,
  ],
])("the exit code is 2 for %s", async (_, args, said) => {
  const { code, stdout, stderr } = await runDoctorProcess(await args());
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(said);
  expect(stderr).not.toContain("secret");
});
