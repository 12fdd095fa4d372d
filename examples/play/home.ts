import { LangGraphAgent, type LocalLangGraphAgentConfig } from "ag-ui-langgraph";
import type { ExampleName } from "../examples";
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
