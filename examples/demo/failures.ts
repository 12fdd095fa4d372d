import { type BaseEvent, EventType } from "@ag-ui/client";
import { LangGraphAgent, renderFailures } from "ag-ui-langgraph";
import { startDevServer } from "../dev-server";
import type { Paint } from "../terminal/paint";
import * as failures from "./failing-graphs";
import { FAILURE_KINDS, type FailureKind } from "./failing-graphs";

/** What a client is told of one kind of failure. */
export interface PlayedFailure {
  title: string;
  /** The events that tell of failures, and the end of the run. */
  events: BaseEvent[];
  /** What `renderFailures` makes of the run. */
  tree: string;
}

export interface FailuresHome {
  agentFor(kind: FailureKind): LangGraphAgent;
  close(): Promise<void>;
}

/** Where the graphs of `examples/demo/failing-graphs.ts` run: in this process, or on a dev server. */
export async function openFailures(server: boolean, signal?: AbortSignal): Promise<FailuresHome> {
  const options = { nodeRetries: true, rawEvents: "off", logger: false } as const;
  if (!server) {
    const graphs = { ...failures };
    return {
      agentFor: ({ name }) => new LangGraphAgent({ graph: graphs[name], ...options }),
      close: async () => {},
    };
  }
  const file = (name: string) => `examples/demo/failing-graphs.ts:${name}`;
  const served = Object.fromEntries(FAILURE_KINDS.map(({ name }) => [name, file(name)]));
  const devServer = await startDevServer({ graphs: served, signal });
  return {
    agentFor: ({ name: graphId }) =>
      new LangGraphAgent({ deploymentUrl: devServer.url, graphId, ...options }),
    close: () => devServer.stop(),
  };
}

const ENDS = new Set<string>([EventType.RUN_ERROR, EventType.RUN_FINISHED, EventType.SUBAGENT_ERROR]);

/** Plays one kind of failure. */
export async function playFailure(kind: FailureKind, { agentFor }: FailuresHome): Promise<PlayedFailure> {
  const agent = agentFor(kind);
  const all: BaseEvent[] = [];
  agent.addMessage({ id: "question", role: "user", content: "Where is my order?" });
  await agent.runAgent(
    {},
    {
      onEvent: ({ event }) => void all.push(event),
      onCustomEvent: ({ event }) => void (kind.stops && event.name === "custom" && agent.abortRun()),
    },
  );
  return { title: kind.title, events: all.filter(tellsOfFailure), tree: renderFailures(all) };
}

function tellsOfFailure(event: BaseEvent): boolean {
  const { name, metadata } = event as BaseEvent & { name?: string; metadata?: { status?: string } };
  if (ENDS.has(event.type) || name === "node_error" || name === "node_retry") return true;
  return event.type === EventType.TOOL_CALL_RESULT && metadata?.status === "error";
}

/** The failure for a person. */
export function failureReport({ title, tree }: PlayedFailure, paint: Paint): string {
  const [first = "", ...rest] = (tree || "nothing failed").split("\n");
  const end = first.startsWith("run failed") ? paint.red(first) : first;
  return [paint.bold(title), ...[end, ...rest].map((line) => `  ${line}`)].join("\n");
}
