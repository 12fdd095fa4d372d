import { Client } from "@langchain/langgraph-sdk";
import { aguiMessagesToLangChain, langchainMessagesToAgui } from "ag-ui-langgraph";
import fc from "fast-check";
import { arbitraryToolMessage, fingerprint } from "../support/arbitrary-tool-message";
import { type DevServer, startDevServer } from "../support/dev-server";

let server: DevServer;
beforeAll(async () => {
  server = await startDevServer();
});
afterAll(() => server.stop());

it("tool results come back from a LangGraph server as they were sent", async () => {
  const client = new Client({ apiUrl: server.url });
  await fc.assert(
    fc.asyncProperty(fc.array(arbitraryToolMessage, { minLength: 20, maxLength: 60 }), async (drawn) => {
      // The reducer keeps the last message of an id.
      const sent = drawn.map((message, index) => ({ ...message, id: `${message.id}-${index}` }));
      const { thread_id } = await client.threads.create();
      await client.runs.wait(thread_id, "keeps", { input: { messages: aguiMessagesToLangChain(sent) } });
      const { values } = await client.threads.getState<{ messages: unknown[] }>(thread_id);
      return (
        langchainMessagesToAgui(values.messages).map(fingerprint).join() === sent.map(fingerprint).join()
      );
    }),
    { numRuns: 15, endOnFailure: true },
  );
});
