import type { BaseCheckpointSaver } from "@langchain/langgraph";
import { END, MemorySaver, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import fc from "fast-check";
import { langchainMessagesToAgui } from "../../src/messages/to-agui";
import { aguiMessagesToLangChain } from "../../src/messages/to-langchain";
import { arbitraryToolMessage, fingerprint } from "../support/arbitrary-tool-message";

const graphWith = (checkpointer: BaseCheckpointSaver) =>
  new StateGraph(MessagesAnnotation)
    .addNode("idle", () => ({}))
    .addEdge(START, "idle")
    .addEdge("idle", END)
    .compile({ checkpointer });

describe.each([
  ["MemorySaver", () => new MemorySaver()],
  ["SqliteSaver", () => SqliteSaver.fromConnString(":memory:")],
])("tool results through a graph with a %s", (_, makeSaver) => {
  it("come back to the client as they were sent", async () => {
    let thread = 0;
    const graph = graphWith(makeSaver());
    await fc.assert(
      fc.asyncProperty(fc.array(arbitraryToolMessage, { minLength: 1, maxLength: 8 }), async (drawn) => {
        // The reducer keeps the last message of an id.
        const sent = drawn.map((message, index) => ({ ...message, id: `${message.id}-${index}` }));
        const config = { configurable: { thread_id: String(thread++) } };
        await graph.invoke({ messages: aguiMessagesToLangChain(sent) as never }, config);
        const state = await graph.getState(config);
        const back = langchainMessagesToAgui(state.values.messages);
        const onceMore = langchainMessagesToAgui(JSON.parse(JSON.stringify(state.values.messages)));
        return [back, onceMore].every(
          (messages) => messages.map(fingerprint).join() === sent.map(fingerprint).join(),
        );
      }),
      { numRuns: 150 },
    );
  }, 120_000);
});
