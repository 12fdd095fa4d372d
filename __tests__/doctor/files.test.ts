import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { runDoctorProcess } from "../support/run-doctor";

const folder = mkdtempSync(join(tmpdir(), "doctor-"));
afterAll(() => rmSync(folder, { recursive: true }));

function fileWith(content: unknown): string {
  const path = join(folder, `${crypto.randomUUID()}.json`);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

const secret = "nobody else is to read this";
const call = (id: string, name = "look", args = "{}") => ({
  id,
  type: "function",
  function: { name, arguments: args },
});
const broken = [
  { id: "u1", role: "user", content: secret },
  { id: "a1", role: "assistant", toolCalls: [call("call_1", "book", '{"at":'), call("call_2")] },
  { id: "u2", role: "user", content: "Hello?" },
  { id: "t2", role: "tool", toolCallId: "call_2", content: secret },
  { id: "t9", role: "tool", toolCallId: "call_9", content: secret },
  { id: "t3", role: "tool", toolCallId: "call_2", content: "again" },
  { id: "u3", role: "user", content: "Are you there?" },
  { id: "a3", role: "assistant", toolCalls: [call("call_3", "map")] },
];
const healthy = [
  { id: "u1", role: "user", content: "Hello" },
  { id: "a1", role: "assistant", content: "", toolCalls: [call("call_1")] },
  { id: "t1", role: "tool", toolCallId: "call_1", content: "", error: "boom" },
  { id: "x1", role: "activity", activityType: "plan", content: {} },
  { id: "a2", role: "assistant", content: "It failed." },
];

test("a broken history is told as a table, and the exit code is 1", async () => {
  const file = fileWith(broken);
  const { code, stdout, stderr } = await runDoctorProcess(["doctor", file]);
  expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
  const [title, verdict, , ...table] = stdout.split("\n");
  expect(title).toMatch(/: 8 AG-UI messages$/);
  expect(verdict).toBe("5 repairs needed:");
  expect(table[0]).toMatch(/^# {2}message +rule +repair$/);
  const rows = table.filter((line) => /^\d/.test(line)).map((line) => line.split(/ {2,}/).slice(0, 2));
  expect(rows).toEqual([
    ["2", "assistant a1, call call_1"],
    ["2", "assistant a1, call call_1"],
    ["4", "tool t2, call call_2"],
    ["5", "tool t9, call call_9"],
    ["6", "tool t3, call call_2"],
  ]);
  expect(stdout).toContain("Not wrong: 1 call at the end may still be answered (call_3).");
  expect(stdout).not.toContain(secret);
  expect(Math.max(...table.map((line) => line.length))).toBeLessThanOrEqual(120);
});

test("a healthy history is told in two lines, and the exit code is 0", async () => {
  const { code, stdout } = await runDoctorProcess(["doctor", fileWith(healthy)]);
  expect(code).toBe(0);
  expect(stdout.split("\n").slice(1)).toEqual([
    "Nothing is wrong: the history keeps all the rules.",
    "Not wrong: 1 message for the client only, never sent to a model.",
    "",
  ]);
});

const langchain = [
  { type: "human", id: "u1", content: "Hello" },
  { type: "ai", id: "a1", content: "", tool_calls: [{ id: "call_1", name: "look", args: {} }] },
  { type: "human", id: "u2", content: secret },
];
const instances = [
  new HumanMessage({ id: "u1", content: "Hello" }),
  new AIMessage({ id: "a1", content: "", tool_calls: [{ id: "call_1", name: "look", args: {} }] }),
  new HumanMessage({ id: "u2", content: secret }),
];
const openai = [
  { role: "user", id: "u1", content: "Hello" },
  { role: "assistant", id: "a1", content: "", tool_calls: [{ id: "call_1", name: "look", args: {} }] },
  { role: "user", id: "u2", content: secret },
];
const agui = [broken[0], { id: "a1", role: "assistant", toolCalls: [call("call_1")] }, broken[2]];

test.each<[string, unknown, string]>([
  ["a list of AG-UI messages", agui, "AG-UI"],
  ["a run's input", { threadId: "t", messages: agui }, "AG-UI"],
  ["a list of LangChain messages", langchain, "LangChain"],
  ["serialised instances", instances, "LangChain"],
  ["messages with LangChain's keys and a role", openai, "LangChain"],
  ["a state", { messages: langchain }, "LangChain"],
  ["a thread's state", { values: { messages: langchain }, next: [], tasks: [] }, "LangChain"],
  ["a thread's states, the newest first", [{ values: { messages: langchain } }, { values: {} }], "LangChain"],
])("reads %s from standard input and says what it found", async (_, value, format) => {
  const { code, stdout } = await runDoctorProcess(
    ["doctor", "-", "--json"],
    `\uFEFF${JSON.stringify(value)}`,
  );
  expect(code).toBe(1);
  const { findings, ...rest } = JSON.parse(stdout);
  expect(rest).toEqual({ source: { file: "-" }, format, messages: 3, clientOnly: 0, openCalls: [] });
  expect(findings).toEqual([
    {
      kind: "dangling-call",
      index: 1,
      role: format === "AG-UI" || value === openai ? "assistant" : "ai",
      messageId: "a1",
      toolCallId: "call_1",
      rule: 2,
      ruleText: expect.stringContaining("followed at once by a result"),
      repair: "The unanswered call was given a failed result.",
      onlyForModel: false,
    },
  ]);
  expect(stdout).not.toContain(secret);
});

test("says what stays in a stored history and is mended only for the model", async () => {
  const strange = "functions.look:0";
  const history = [
    new HumanMessage({ id: "u1", content: "Hello" }),
    new AIMessage({ id: "a1", content: "", tool_calls: [{ id: strange, name: "look", args: {} }] }),
    new ToolMessage({ id: "t1", tool_call_id: strange, name: "look", content: "seen", status: "success" }),
  ];
  const { code, stdout } = await runDoctorProcess(["doctor", fileWith(history), "--json"]);
  expect(code).toBe(1);
  expect(JSON.parse(stdout).findings).toMatchObject([
    { kind: "call-id-mapped", rule: 1, toolCallId: strange, onlyForModel: true },
  ]);
});

test("the guards are set as on the agent", async () => {
  const args = ["--dangling-calls", "demote", "--allowed-tool-names", "look"];
  const history = [...langchain, { type: "ai", id: "a2", content: "[look()]" }];
  const answered = [...history, { type: "tool", id: "t", tool_call_id: "x", name: "look", content: "1" }];
  const { stdout } = await runDoctorProcess(["doctor", "-", "--json", ...args], JSON.stringify(answered));
  expect(
    JSON.parse(stdout).findings.map(({ kind, repair }: Record<string, string>) => [kind, repair]),
  ).toEqual([
    ["dangling-call", "The unanswered call was taken out of its message."],
    ["text-call-promoted", "The call was written as text and became a native call."],
  ]);
});

test.each<[string, string[], string]>([
  ["no such file", ["doctor", join(folder, "none.json")], "It cannot be read (ENOENT)."],
  ["no JSON", ["doctor", fileWith(`{"messages": "${secret}`)], "It is not JSON."],
  ["no messages", ["doctor", fileWith({ hello: secret })], "There is no list of messages in it."],
  ["nothing to look at", ["doctor"], "Name a file, or --url and --thread."],
  ["two files", ["doctor", "a", "b"], "One history at a time."],
  ["a file to write to", ["doctor", "a", "--write"], "--write is for threads on a server, not for a file."],
  ["another command", ["nurse", "a"], "There is no command nurse."],
  ["a wrong choice", ["doctor", "a", "--dangling-calls", "x"], "--dangling-calls takes answer or demote."],
  ["an unknown option", ["doctor", "a", "--force"], "Unknown option '--force'. See --help.\n"],
  ["a header without a server", ["doctor", "a", "--header", "a: b"], "--header is for threads on a server"],
  [
    "a header that is none",
    ["doctor", "--url", "http://127.0.0.1:9", "--thread", "t", "--header", "a b: c"],
    '--header takes "name: value".',
  ],
])("the exit code is 2 for %s", async (_, args, said) => {
  const { code, stdout, stderr } = await runDoctorProcess(args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(said);
  expect(stderr).not.toContain(secret);
});

test("a program is told as JSON what could not be read", async () => {
  const file = fileWith("{");
  const { code, stdout } = await runDoctorProcess(["doctor", file, "--json"]);
  expect(code).toBe(2);
  expect(JSON.parse(stdout)).toEqual({ source: { file }, error: "It is not JSON." });
});

test("a reader that has seen enough, such as `head`, changes nothing", async () => {
  expect(await runDoctorProcess(["doctor", "-"], JSON.stringify(broken), false)).toMatchObject({
    code: 1,
    stderr: "",
  });
});

test("--help tells how it is called", async () => {
  const { code, stdout } = await runDoctorProcess(["--help"]);
  expect(code).toBe(0);
  expect(stdout).toContain("ag-ui-langgraph doctor <history.json | ->");
});

test("ids that would steer a terminal are shown without it, and long ones cut", async () => {
  const history = [
    { type: "tool", id: `\u001b[2J${"x".repeat(500)}`, tool_call_id: "\u0007c", name: "n", content: "y" },
    null,
    { type: "human", id: "__proto__", content: "" },
  ];
  const { code, stdout } = await runDoctorProcess(["doctor", fileWith(history)]);
  expect(code).toBe(1);
  for (const character of ["\u001b", "\u0007"]) expect(stdout).not.toContain(character);
  expect(stdout).toContain(`tool ·[2J${"x".repeat(35)}…, call ·c`);
  expect(stdout).toMatch(/^3 +human __proto__/m);
});
