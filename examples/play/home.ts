import { LangGraphAgent, type LocalLangGraphAgentConfig } from "ag-ui-langgraph";
import { startDevServer } from "../dev-server";
import type { ExampleName } from "../examples";
import { graphs } from "../langgraph.json";
import type { Play } from "./client";

/** What a file of an example exports. */
interface Example {
  graph: LocalLangGraphAgentConfig["graph"];
  play: Play;
}

export const loadExample = (name: ExampleName): Promise<Example> => import(`../graphs/${name}`);

/** The agent of a play, on a thread of its own. It tells interrupts as AG-UI does, by the outcome of the run. */
export function agentFor(place: { graph: Example["graph"] } | { deploymentUrl: string; graphId: string }) {
  const settings = { threadId: crypto.randomUUID(), emitInterruptOutcome: true };
  return new LangGraphAgent({ ...place, ...settings });
}

/** The graph behind an agent, in this process or on a dev server. */
export async function openHome(name: ExampleName, server: boolean, signal: AbortSignal) {
  if (!server) return { agent: agentFor({ graph: (await loadExample(name)).graph }), close: async () => {} };
  const served = { [name]: `examples/${graphs[name]}` };
  const devServer = await startDevServer({ graphs: served, signal });
  return {
    agent: agentFor({ deploymentUrl: devServer.url, graphId: name }),
    close: () => devServer.stop(),
  };
}
