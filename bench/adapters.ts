import { join } from "node:path";
import type { AbstractAgent } from "@ag-ui/client";
import { LangGraphAgent as OfficialAgent } from "@ag-ui/langgraph";
import type { Client } from "@langchain/langgraph-sdk";
import { build } from "tsup";

export const SIDES = ["ours", "official"] as const;
export type Side = (typeof SIDES)[number];

/** What the benches need of an agent: both adapters are made and driven the same way. */
export type MakeAgent = (home: { client: unknown } | { deploymentUrl: string }) => AbstractAgent;
export type Adapters = Record<Side, MakeAgent>;

const root = join(__dirname, "..");

/**
 * Both adapters as an application gets them: the official one from its package, ours as a fresh build. The sources as
 * they are would run through a development loader, which slows down every function that is made.
 */
export async function loadAdapters(): Promise<Adapters> {
  const outDir = join(root, "node_modules/.cache/ag-ui-langgraph-bench");
  const options = { format: "cjs", config: false, silent: true, clean: true, target: "node20" } as const;
  await build({ ...options, entry: [join(root, "src/index.ts")], outDir });
  const { LangGraphAgent } = require(join(outDir, "index.js")) as typeof import("../src");
  return {
    ours: (home) => new LangGraphAgent({ ...configOf(home), logger: false }),
    official: (home) => new OfficialAgent(configOf(home)) as unknown as AbstractAgent,
  };
}

function configOf(home: Parameters<MakeAgent>[0]) {
  const graphId = "graph";
  return "client" in home
    ? { client: home.client as Client, deploymentUrl: "", graphId }
    : { deploymentUrl: home.deploymentUrl, graphId };
}
