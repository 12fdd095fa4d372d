/** The application's server: CopilotKit's runtime with its own LangGraphAgent, on a LangGraph server. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  copilotRuntimeNodeHttpEndpoint,
  ExperimentalEmptyAdapter,
  CopilotRuntime as RuntimeOfVersion1,
} from "@copilotkit/runtime";
import { LangGraphAgent } from "@copilotkit/runtime/langgraph";
import { CopilotRuntime, InMemoryAgentRunner } from "@copilotkit/runtime/v2";
import { createCopilotNodeListener } from "@copilotkit/runtime/v2/node";

const graphs = [
  "assistant",
  "copilotkitAssistant",
  "discreet",
  "writer",
  "writerAgent",
  "herald",
  "asks",
  "waits",
];

/** The runtime of before, with an action of the server: its agents are clones with a configuration that it has changed. */
function version1(agents: Record<string, LangGraphAgent>) {
  const runtime = new RuntimeOfVersion1({
    agents,
    actions: [
      { name: "book_on_server", description: "Books", parameters: [], handler: async () => "booked" },
    ],
  });
  return copilotRuntimeNodeHttpEndpoint({
    runtime,
    serviceAdapter: new ExperimentalEmptyAdapter(),
    endpoint: "/api/v1",
  });
}

/** @returns The address of the runtime; the one of version 1 is at `/api/v1`. */
export async function serve(deploymentUrl: string): Promise<{ url: string; close(): void }> {
  const agents = {
    ...Object.fromEntries(
      graphs.map((graphId) => [graphId, new LangGraphAgent({ deploymentUrl, graphId })] as const),
    ),
    asksInTheProtocol: new LangGraphAgent({ deploymentUrl, graphId: "asks", emitInterruptOutcome: true }),
  };
  const runtime = new CopilotRuntime({ agents, runner: new InMemoryAgentRunner() });
  const [now, before] = [
    createCopilotNodeListener({ runtime, basePath: "/api/copilotkit", cors: true }),
    version1(agents),
  ];
  const server = createServer((request, response) =>
    request.url?.startsWith("/api/v1") ? before(request, response) : now(request, response),
  );
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/api/copilotkit`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

if (process.send) {
  process.on("disconnect", () => process.exit());
  process.send(await serve(process.argv.at(-1) ?? "").then(({ url }) => url));
}
