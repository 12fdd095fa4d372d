/**
 * An application that uses the package: compiled and run as an ES module and as CommonJS, against the packed package.
 * It writes the messages that its client has after a run.
 */
import { AbstractAgent, type Message } from "@ag-ui/client";
import { AIMessage } from "@langchain/core/messages";
import { FakeListChatModel } from "@langchain/core/utils/testing";
import { END, MemorySaver, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import {
  type AgentToolMessage,
  aguiMessagesToLangChain,
  LangGraphAgent,
  type LangGraphAgentConfig,
  langchainMessagesToAgui,
  type ProcessedEvents,
} from "ag-ui-langgraph";
import {
  frontendToolsMiddleware,
  pendingFrontendCalls,
  stateItem,
  stateStreamingMiddleware,
  toolFailureMiddleware,
} from "ag-ui-langgraph/middlewares";
import { createAgent } from "langchain";

class Watched extends LangGraphAgent {
  types: string[] = [];

  override dispatchEvent(event: ProcessedEvents): boolean {
    this.types.push(event.type);
    return super.dispatchEvent(event);
  }
}

export const remoteConfig: LangGraphAgentConfig = { deploymentUrl: "http://127.0.0.1:9", graphId: "graph" };

// @ts-expect-error: an agent has a graph, here or at a deployment
export const nowhere = () => new LangGraphAgent({ agentName: "nowhere" });

const failed: AgentToolMessage = { id: "t", role: "tool", toolCallId: "c", content: "", error: "boom" };

const hello: Message = { id: "u", role: "user", content: "Hi" };

const graph = new StateGraph(MessagesAnnotation)
  .addNode("speak", async () => ({ messages: [new AIMessage("Hello")] }))
  .addEdge(START, "speak")
  .addEdge("speak", END)
  .compile({ checkpointer: new MemorySaver() });

const withMiddleware = createAgent({
  model: new FakeListChatModel({ responses: ["Hello"] }),
  tools: [],
  middleware: [
    frontendToolsMiddleware(),
    toolFailureMiddleware(),
    stateStreamingMiddleware(stateItem({ stateKey: "note", tool: "write", toolArgument: "text" })),
  ],
});

async function play(agent: LangGraphAgent): Promise<unknown[]> {
  if (!(agent instanceof AbstractAgent)) throw new Error("there is a second copy of @ag-ui/client");
  agent.addMessage(hello);
  await agent.runAgent();
  return agent.messages.map(({ role, content }) => ({ role, content }));
}

async function main() {
  const watched = new Watched({ graph });
  const byHand = await play(watched);
  const byAgent = await play(new LangGraphAgent({ graph: withMiddleware }));
  const [roundTrip] = langchainMessagesToAgui(aguiMessagesToLangChain([failed]));
  console.log(
    JSON.stringify({
      byHand,
      byAgent,
      last: watched.types.at(-1),
      roundTrip,
      pending: pendingFrontendCalls({ messages: [] }),
    }),
  );
}

void main();
