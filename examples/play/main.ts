import { startDevServer } from "../dev-server";
import { EXAMPLES, type ExampleName } from "../examples";
import { graphs } from "../langgraph.json";
import { type Command, runCommand } from "../terminal/command";
import { oneLine, type Paint, paintFor } from "../terminal/paint";
import { withProgress } from "../terminal/progress";
import { readWish, type Wish } from "./options";

const USAGE = `Usage: npm run example -- [name] [options]

Plays an example in the terminal. Without a name the examples are listed.

  --server   run the graph in a LangGraph dev server, which is started and stopped
  --json     every AG-UI event as one line of JSON (npm run --silent example -- NAME --json)
  --list     one name per line (npm run --silent example -- --list)
  --help     this text

The models are scripted. With ANTHROPIC_API_KEY or OPENAI_API_KEY in the environment the real ones play; EXAMPLE_MODEL
names the model.

Exit codes: 0 it went as it should, 1 it did not, 2 wrong usage.
`;

const names = Object.keys(EXAMPLES);

function overview(paint: Paint): string {
  const width = Math.max(...names.map((name) => name.length));
  const rows = Object.entries(EXAMPLES).map(
    ([name, idea]) => `  ${paint.cyan(name.padEnd(width))}  ${idea}\n`,
  );
  const hints = [
    ["npm run example -- frontend-tools", "plays one in the terminal"],
    ["npm run example -- frontend-tools --server", "on a LangGraph dev server"],
  ].map(([command = "", what]) => `${command.padEnd(45)}${paint.dim(what ?? "")}\n`);
  return `${rows.join("")}\n${hints.join("")}`;
}

async function playExample({ name, server, json }: Wish & { kind: "play" }, command: Command) {
  const paint = paintFor(process.stdout);
  const opening = server ? "Starting the LangGraph dev server" : "Loading the graph";
  const [url, { PlayClient, agentFor, createTimeline, graph, play, realModel }] = await withProgress(
    opening,
    // both take their time, so that they are done side by side
    () => Promise.all([server ? startServer(name, command) : undefined, load(name)]),
  );
  const agent = agentFor(url ? { deploymentUrl: url, graphId: name } : { graph });
  if (!json) {
    const real = realModel();
    const model = real ? `${real.model ?? "a model"} of ${real.provider}` : "scripted models";
    const where = `${server ? "on a LangGraph dev server" : "in process"}, ${model}`;
    process.stdout.write(`${paint.bold(name)}  ${EXAMPLES[name]} ${paint.dim(`(${where})`)}\n\n`);
  }
  await withProgress("The graph runs", async (clear) => {
    const write = (text: string) => {
      clear();
      process.stdout.write(text);
    };
    await play(new PlayClient(agent, createTimeline({ paint, json, write }))).catch((error) => {
      throw new Error(`It did not go as it should: ${oneLine(reason(error))}`);
    });
  });
  if (!json) process.stdout.write(`\n${paint.green("It went as it should.")}\n`);
  return 0;
}

async function startServer(name: ExampleName, { open, signal }: Command): Promise<string> {
  const served = { [name]: `examples/${graphs[name]}` };
  const starting = startDevServer({ graphs: served, signal });
  const { url } = await open(starting.then(({ url, stop }) => ({ url, close: stop })));
  return url;
}

/** What the list of the examples does not need. */
async function load(name: ExampleName) {
  const [home, client, model, timeline] = await Promise.all([
    import("./home"),
    import("./client"),
    import("../example-model"),
    import("../terminal/timeline"),
  ]);
  return { ...home, ...client, ...model, ...timeline, ...(await home.loadExample(name)) };
}

/** An assertion goes on about what differs. */
const reason = (error: unknown) => (error instanceof Error ? error.message : String(error)).split("\n")[0];

runCommand(async (command) => {
  const wish = readWish(process.argv.slice(2));
  if (wish.kind === "play") return playExample(wish, command);
  const texts = {
    help: () => USAGE,
    names: () => `${names.join("\n")}\n`,
    overview: () => overview(paintFor(process.stdout)),
  };
  process.stdout.write(texts[wish.kind]());
  return 0;
});
