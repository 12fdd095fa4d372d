import type { BaseMessage } from "@langchain/core/messages";
import { Annotation, MessagesZodState, START, StateGraph } from "@langchain/langgraph";
import { createAgent } from "langchain";
import type { RunnableGraph } from "../../src/graphs/local";
import { usesMessageReducer } from "../../src/graphs/message-reducer";
import { chat, concatenating, configured, counter, nested } from "../support/graphs";
import { ScriptedModel } from "../support/scripted-model";

function reducing(reducer: (left: BaseMessage[], right: BaseMessage[]) => BaseMessage[]): RunnableGraph {
  const State = Annotation.Root({ messages: Annotation<BaseMessage[]>({ reducer, default: () => [] }) });
  return new StateGraph(State)
    .addNode("n", async () => ({}))
    .addEdge(START, "n")
    .compile();
}

test.each([
  ["MessagesAnnotation", chat],
  ["MessagesAnnotation with more keys", counter],
  ["subgraphs", nested],
  ["createAgent", createAgent({ model: new ScriptedModel([]), tools: [] })],
  [
    "MessagesZodState",
    new StateGraph(MessagesZodState)
      .addNode("n", async () => ({}))
      .addEdge(START, "n")
      .compile(),
  ],
])("repairs work with %s", (_, graph) => {
  expect(usesMessageReducer(graph as RunnableGraph)).toBe(true);
});

test.each<[string, RunnableGraph]>([
  ["appends", concatenating],
  [
    "throws",
    reducing(() => {
      throw new Error("no");
    }),
  ],
  ["keeps the last one of all, the marker among them", reducing((_, right) => right)],
  ["gives no list", reducing(() => 7 as never)],
  ["has no messages", configured],
])("repairs do not work with a graph that %s", (_, graph) => {
  expect(usesMessageReducer(graph)).toBe(false);
});
