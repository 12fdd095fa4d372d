import type { BaseMessage } from "@langchain/core/messages";
import { Annotation, MessagesZodState, START, StateGraph } from "@langchain/langgraph";
import { createAgent } from "langchain";
import type { RunnableGraph } from "../../src/graphs/local";
import { messageChannel } from "../../src/graphs/message-reducer";
import { chat, concatenating, counter, nested } from "../support/graphs";
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
  expect(messageChannel(graph as RunnableGraph)).toBe("merges");
});

test.each<[string, RunnableGraph]>([
  ["appends", concatenating],
  [
    "throws",
    reducing(() => {
      throw new Error("no");
    }),
  ],
  ["gives no list", reducing(() => 7 as never)],
])("a graph that %s is only sent what it can append", (_, graph) => {
  expect(messageChannel(graph)).toBe("appends");
});

test.each<[string, RunnableGraph]>([
  [
    "without a reducer",
    new StateGraph(Annotation.Root({ messages: Annotation<BaseMessage[]>() }))
      .addNode("n", async () => ({}))
      .addEdge(START, "n")
      .compile(),
  ],
  ["whose reducer takes what is new", reducing((_, right) => right)],
])("a channel %s has its messages replaced", (_, graph) => {
  expect(messageChannel(graph)).toBe("replaces");
});
