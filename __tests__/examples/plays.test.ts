import { EXAMPLES, type ExampleName } from "../../examples/examples";
import { graphs } from "../../examples/langgraph.json";
import { agentFor, loadExample } from "../../examples/play/home";
import { type DevServer, startDevServer } from "../support/dev-server";
import { EXPECTED } from "./expected";
import { see } from "./seen";

const names = Object.keys(EXAMPLES) as ExampleName[];

let server: DevServer;
beforeAll(async () => {
  const served = names.map((name) => [name, `examples/${graphs[name]}`]);
  server = await startDevServer({ graphs: Object.fromEntries(served) });
});
afterAll(() => server.stop());

test.each(names)("%s, in process", async (name) => {
  const { graph } = await loadExample(name);
  expect(await see(name, agentFor({ graph }))).toEqual(EXPECTED[name]);
});

test.each(names)("%s, on a LangGraph server", async (name) => {
  expect(await see(name, agentFor({ deploymentUrl: server.url, graphId: name }))).toEqual(EXPECTED[name]);
});
