import assert from "node:assert/strict";
import { dispatchCustomEvent } from "@langchain/core/callbacks/dispatch";
import {
  Annotation,
  type LangGraphRunnableConfig,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
} from "@langchain/langgraph";
import { exampleModel } from "../example-model";
import { failureOf, type Play } from "../play/client";

const model = exampleModel(({ system }) => ({ text: system }));

const State = Annotation.Root({ ...MessagesAnnotation.spec, rate: Annotation<number>() });

/** Worth another try, which other errors are not. */
class ServiceDown extends Error {}

/** A service that comes up with the third try, and that knows no gold. */
async function lookUp({ messages }: typeof State.State, config: LangGraphRunnableConfig) {
  if (messages.at(-1)?.text.includes("gold")) throw new Error("there is no rate for gold");
  const attempt = config.executionInfo?.nodeAttempt ?? 1;
  await dispatchCustomEvent("rate_service", { attempt, up: attempt > 2 }, config);
  if (attempt <= 2) throw new ServiceDown("the rate service is down");
  return { rate: 1.08 };
}

export const graph = new StateGraph(State)
  .addNode("look_up", lookUp, {
    retryPolicy: {
      maxAttempts: 3,
      initialInterval: 100,
      jitter: false,
      retryOn: (error: unknown) => error instanceof ServiceDown,
      logWarning: false,
    },
  })
  .addNode("tell", async ({ messages, rate }) => ({
    messages: [await model.invoke([{ type: "system", content: `A euro is ${rate} dollars.` }, ...messages])],
  }))
  .addEdge(START, "look_up")
  .addEdge("look_up", "tell")
  .compile({ checkpointer: new MemorySaver(), name: "rates" });

export const play: Play = async (client) => {
  await client.say("How much is a euro in dollars?");
  assert.equal(client.agent.state.rate, 1.08, "the third try should have brought the rate");

  const error = await failureOf(client.say("And in gold?"));
  assert.equal(error.message, "there is no rate for gold", "the user should be told what failed");

  await client.say("Then in dollars again.");
  assert.equal(client.agent.messages.at(-1)?.role, "assistant", "the thread should go on");
};
