import type { Message, ResumeEntry, RunAgentInput } from "@ag-ui/client";
import { EventType } from "@ag-ui/client";
import { AIMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { interrupt, MemorySaver, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import { LangGraphAgent, type LocalLangGraphAgentConfig, type ProcessedEvents } from "ag-ui-langgraph";
import { firstValueFrom, toArray } from "rxjs";
import { z } from "zod";
import { user } from "../support/play";

/** Runs without the client's own check of answers, as a runtime does that makes a fresh agent for each request. */
async function ask(agent: LangGraphAgent, messages: Message[], resume?: ResumeEntry[]) {
  const input: RunAgentInput = {
    threadId: "thread",
    runId: crypto.randomUUID(),
    messages,
    tools: [],
    context: [],
    ...(resume && { resume }),
  };
  const events: ProcessedEvents[] = await firstValueFrom(agent.run(input).pipe(toArray()));
  const snapshot = events.findLast(({ type }) => type === EventType.MESSAGES_SNAPSHOT) as {
    messages: Message[];
  };
  const end = events.at(-1) as { type: EventType; outcome?: { interrupts?: { id: string }[] } };
  return {
    messages: snapshot?.messages ?? [],
    end,
    pending: end.outcome?.interrupts?.map(({ id }) => id) ?? [],
  };
}

const yes = (interruptId: string, payload: unknown = true): ResumeEntry => ({
  interruptId,
  status: "resolved",
  payload,
});
const asks = (name: string) => async () => {
  const answer = interrupt({ name });
  return { messages: [new AIMessage({ id: name, content: `${name}: ${answer}` })] };
};
const texts = (messages: Message[]) => messages.map(({ content }) => content);
const agentOf = (graph: LocalLangGraphAgentConfig["graph"]) =>
  new LangGraphAgent({ graph, emitInterruptOutcome: true, logger: false });

describe("two questions after one another", () => {
  it("an answer that comes twice does not answer the second", async () => {
    const agent = agentOf(
      new StateGraph(MessagesAnnotation)
        .addNode("read", asks("read"))
        .addNode("delete", asks("delete"))
        .addEdge(START, "read")
        .addEdge("read", "delete")
        .compile({ checkpointer: new MemorySaver() }),
    );
    const { pending } = await ask(agent, [user("go")]);
    const answer = [yes(String(pending[0]))];
    await ask(agent, [user("go")], answer);
    const again = await ask(agent, [user("go")], answer);
    expect(texts(again.messages)).toEqual(["go", "read: true"]);
    expect(again.pending).toHaveLength(1);
    expect(again.pending).not.toEqual(pending);
  });
});

describe("two questions side by side", () => {
  const agent = agentOf(
    new StateGraph(MessagesAnnotation)
      .addNode("A", asks("A"))
      .addNode("B", asks("B"))
      .addEdge(START, "A")
      .addEdge(START, "B")
      .compile({ checkpointer: new MemorySaver() }),
  );

  it("an answer to neither leaves both open, and the one that was answered is not asked again", async () => {
    const { pending } = await ask(agent, [user("go")]);
    const stale = await ask(agent, [user("go")], [yes("old-id")]);
    expect(stale.pending.toSorted()).toEqual(pending.toSorted());
    const [one, two] = pending.map(String) as [string, string];
    expect((await ask(agent, [user("go")], [yes(one)])).pending).toEqual([two]);
    const done = await ask(agent, [user("go")], [yes(two)]);
    expect(texts(done.messages).toSorted()).toEqual(["A: true", "B: true", "go"]);
  });
});

describe("a tool call that waits for approval", () => {
  const pay = tool(async () => (interrupt("Pay?") ? "paid" : "refused"), {
    name: "pay",
    description: "Pays",
    schema: z.object({}),
  });
  const calls = new AIMessage({
    id: "calls",
    content: "",
    tool_calls: [{ id: "call", name: "pay", args: {} }],
  });
  const agent = agentOf(
    new StateGraph(MessagesAnnotation)
      .addNode("think", async ({ messages }) => ({
        messages:
          messages.at(-1)?.getType() === "tool" ? [new AIMessage({ id: "end", content: "Done." })] : [calls],
      }))
      .addNode("act", new ToolNode([pay]))
      .addEdge(START, "think")
      .addConditionalEdges("think", ({ messages }) => (messages.at(-1)?.id === "calls" ? "act" : "__end__"))
      .addEdge("act", "think")
      .compile({ checkpointer: new MemorySaver() }),
  );

  it("is left alone when the user says something meanwhile, and what was said is there afterwards", async () => {
    const { pending, messages } = await ask(agent, [user("pay")]);
    const meanwhile = await ask(agent, [...messages, user("hurry")]);
    expect(meanwhile.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
    const done = await ask(agent, meanwhile.messages, [yes(String(pending[0]))]);
    expect(done.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "user", "assistant"]);
    expect(texts(done.messages)).toEqual(["pay", "", "paid", "hurry", "Done."]);
  });
});
