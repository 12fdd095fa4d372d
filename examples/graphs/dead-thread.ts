import assert from "node:assert/strict";
import { Annotation, MemorySaver, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { frontendTools } from "ag-ui-langgraph/middlewares";
import { type ExampleScript, exampleModel } from "../example-model";
import type { Play, PlayClient } from "../play/client";

const script: ExampleScript = ({ user }) =>
  user.includes("calendar")
    ? { text: "I will look.", toolCalls: [{ name: "read_calendar", args: {} }] }
    : { text: "I am here. The calendar did not answer; shall I try again?" };

const model = exampleModel(script);

/** A graph by hand, with nothing that guards it: what is in the thread goes to the provider. */
export const graph = new StateGraph(
  Annotation.Root({ ...MessagesAnnotation.spec, "ag-ui": Annotation<object>() }),
)
  .addNode("model", async (state) => ({
    messages: [await model.bindTools(frontendTools(state)).invoke(state.messages)],
  }))
  .addEdge(START, "model")
  .compile({ checkpointer: new MemorySaver(), name: "dead-thread" });

export const play: Play = async (client) => {
  // no handler: the user closes the tab before the browser has answered
  client.tools = {
    read_calendar: {
      description: "Reads the user's calendar in the browser.",
      parameters: { type: "object", properties: {} },
    },
  };
  await client.say("What is in my calendar?");

  const refusal = await sendUnguarded(client, "Hello?");
  assert.ok(refusal, "the provider should refuse a thread with a call that nobody answered");
  client.note({ kind: "unguarded", content: refusal, failed: true });

  await client.say("Are you still there?");
  assert.equal(client.agent.messages.at(-1)?.role, "assistant", "the thread should be back");
};

/** What an adapter without guards does: it sends what the user says, and leaves the thread as it is. */
async function sendUnguarded({ agent }: PlayClient, content: string): Promise<string | undefined> {
  const { assistant_id: assistantId } = await agent.getAssistant();
  const input = { messages: [{ type: "human", content }] };
  for await (const { event, data } of agent.client.runs.stream(agent.threadId, assistantId, { input }))
    if (String(event) === "error") return inProvidersWords(String((data as { message?: unknown }).message));
  return undefined;
}

/** The error of a provider's package has the whole answer in it. */
const inProvidersWords = (message: string) => /"message":"([^"]+)/.exec(message)?.[1] ?? message;
