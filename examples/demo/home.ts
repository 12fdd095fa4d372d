import { MemorySaver } from "@langchain/langgraph";
import { LangGraphAgent } from "ag-ui-langgraph";
import { startDevServer } from "../dev-server";
import { chatModel, type ModelSettings, settingsToEnv } from "../model";
import { frontendToolFailure } from "./graph";
import type { DemoOptions } from "./options";

const GRAPH = "frontend-tool-failure";

export interface Home {
  agent: LangGraphAgent;
  close(): Promise<void>;
}

/** The graph behind an agent: in this process, or on a dev server. */
export async function openHome(
  { server, withoutMiddleware }: DemoOptions,
  settings: ModelSettings,
  signal: AbortSignal,
): Promise<Home> {
  if (!server) {
    const model = chatModel(settings);
    const graph = frontendToolFailure({
      model,
      checkpointer: new MemorySaver(),
      showFailures: !withoutMiddleware,
    });
    return { agent: new LangGraphAgent({ graph }), close: async () => {} };
  }
  const env = { ...settingsToEnv(settings), EXAMPLE_SHOW_FAILURES: String(!withoutMiddleware) };
  const graphs = { [GRAPH]: "examples/demo/graph.ts:graph" };
  const devServer = await startDevServer({ graphs, env, signal });
  return {
    agent: new LangGraphAgent({ deploymentUrl: devServer.url, graphId: GRAPH }),
    close: () => devServer.stop(),
  };
}

/** The result of a tool call in the thread's checkpoint, as a plain object. */
export async function storedResult(
  agent: LangGraphAgent,
  toolCallId: string,
): Promise<Record<string, unknown> | null> {
  const state = await agent.client.threads.getState<{ messages?: unknown[] }>(agent.threadId);
  const messages = (state?.values.messages ?? []).map(plain);
  return messages.findLast((message) => message.tool_call_id === toolCallId) ?? null;
}

/** A graph in this process holds instances, a server gives plain objects. */
function plain(message: unknown): Record<string, unknown> {
  const instance = message as { toDict?(): { type: string; data: object } };
  if (typeof instance.toDict !== "function") return message as Record<string, unknown>;
  const { type, data } = instance.toDict();
  return { type, ...data };
}
