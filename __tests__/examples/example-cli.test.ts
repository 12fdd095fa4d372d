import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { EXAMPLES } from "../../examples/examples";
import { graphs } from "../../examples/langgraph.json";
import { startAnthropicStub } from "../../examples/providers/anthropic";
import { runCommand } from "../support/run-command";

const runExample = (args: readonly string[], env?: Record<string, string>) =>
  runCommand("examples/play/main.ts", args, env);
const root = resolve(__dirname, "../..");
const names = Object.keys(EXAMPLES);

test("--list names every file of examples/graphs, and every one is a graph of langgraph.json", async () => {
  const { code, stdout, stderr } = await runExample(["--list"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const listed = stdout.trimEnd().split("\n");
  const files = readdirSync(resolve(root, "examples/graphs")).map((file) => file.replace(/\.ts$/, ""));
  expect(listed.toSorted()).toEqual(files.toSorted());
  expect(graphs).toEqual(Object.fromEntries(listed.map((name) => [name, `./graphs/${name}.ts:graph`])));
});

test("the list for a person tells what each one shows, as README.md does", async () => {
  const { code, stdout } = await runExample([]);
  expect(code).toBe(0);
  const shown = [...stdout.matchAll(/^ {2}(\S+) +(.*)$/gm)].map(([, name, idea]) => [name, idea]);
  expect(shown).toEqual(Object.entries(EXAMPLES));
  const readme = readFileSync(resolve(root, "README.md"), "utf8");
  const rows = [...readme.matchAll(/^\| `([^`]+)` \| ([^|]+) \| [\d.]+ s \| [\d.]+ s \|$/gm)];
  expect(rows.map(([, name, idea]) => [name, idea])).toEqual(Object.entries(EXAMPLES));
});

test("a play is a timeline, without colours where the output is no terminal", async () => {
  const { code, stdout, stderr } = await runExample(["frontend-tool-retry"], { TERM: "xterm-256color" });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const lines = stdout.split("\n");
  expect(lines[0]).toBe(
    `frontend-tool-retry  ${EXAMPLES["frontend-tool-retry"]} (in process, scripted models)`,
  );
  for (const shown of [
    /^ +\d\.\d{3}s {2}user +A table for two/,
    /^ +\d\.\d{3}s {2}call +book_table \{.*"20:00"/,
    /^ +\d\.\d{3}s {2}browser +book_table failed: Da Enzo is full/,
    /^ +\d\.\d{3}s {2}text +Done: Da Enzo expects you at 21:00\.$/,
    /^It went as it should\.$/,
  ])
    expect(lines).toContainEqual(expect.stringMatching(shown));
  expect(stdout).not.toContain("\u001b");
});

test("--json is one event a line and nothing else, on a LangGraph server too", async () => {
  for (const where of [[], ["--server"]]) {
    const { code, stdout, stderr } = await runExample(["interrupt", "--json", ...where]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const events = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(events.filter(({ type }) => type.startsWith("RUN_"))).toMatchObject([
      { type: "RUN_STARTED" },
      { type: "RUN_FINISHED", outcome: { interrupts: [{ message: "Refund 40 € for A-1?" }] } },
      { type: "RUN_STARTED" },
      { type: "RUN_FINISHED" },
    ]);
  }
});

test("with a key the model is the provider's, and a play that does not go as it should ends with 1", async () => {
  const provider = await startAnthropicStub({ script: () => ({ text: "I would rather not." }) });
  try {
    const { code, stdout, stderr } = await runExample(["frontend-tools"], {
      ANTHROPIC_API_KEY: "key",
      ANTHROPIC_BASE_URL: provider.url,
      EXAMPLE_MODEL: "claude-of-a-kind",
    });
    expect(stdout).toContain("(in process, claude-of-a-kind of anthropic)");
    expect(stdout).toMatch(/text +I would rather not\./);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: "It did not go as it should: the model should have coloured the page\n",
    });
    expect(provider.requests).toMatchObject([{ model: "claude-of-a-kind" }]);
  } finally {
    await provider.close();
  }
});

test.each([
  [["frontend-tool"], /^There is no example "frontend-tool"; did you mean .*frontend-tools.*\?\n$/],
  [["bogus"], /^There is no example "bogus"; npm run example lists them\.\n$/],
  [["interrupt", "a2ui"], /^One example at a time: interrupt or a2ui\?\n$/],
  [["--server"], /^Name an example to play; npm run example lists them\.\n$/],
  [["interrupt", "--bogus"], /^Unknown option '--bogus'; npm run example -- --help lists the options\.\n$/],
])("%j is refused in one line that says what to do", async (args, complaint) => {
  const { code, stdout, stderr } = await runExample(args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(complaint);
});

test("--help shows the usage and is no mistake", async () => {
  const { code, stdout, stderr } = await runExample(["--help"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain("Usage: npm run example -- [name] [options]");
  for (const name of names) expect(stdout).not.toContain(name);
});
