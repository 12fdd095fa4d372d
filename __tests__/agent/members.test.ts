import { EventType, type Message, type RunAgentInput } from "@ag-ui/client";
import type { BaseMessage } from "@langchain/core/messages";
import { MemorySaver, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { LangGraphAgent, type ProcessedEvents } from "ag-ui-langgraph";
import { Observable, toArray } from "rxjs";
import { play, user } from "../support/play";

/** A graph that answers with all that it was told, and the histories that it saw. */
function echo() {
  const seen: string[][] = [];
  const told = ({ messages }: { messages: BaseMessage[] }) => messages.map(({ content }) => String(content));
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("echo", async (state) => {
      seen.push(told(state));
      return { messages: [{ type: "ai", content: `#${seen.length}` }] };
    })
    .addEdge(START, "echo")
    .compile({ checkpointer: new MemorySaver() });
  return { graph, seen };
}

/** The client takes a part of an answer, of which the checkpoint knows nothing, and its last question again. */
const again = ([first, , third]: Message[]): Message[] => [
  first as Message,
  { id: "given-up", role: "assistant", content: "#" },
  third as Message,
];

describe("a run that starts again", () => {
  it("leaves out what is left of the run that was given up", async () => {
    const { graph, seen } = echo();
    const agent = new LangGraphAgent({ graph });
    await play(agent, [user("Hi")]);
    const { messages } = await play(agent, [user("And?")]);
    agent.setMessages(again(messages));
    const played = await play(agent, []);
    expect(seen.at(-1)).toEqual(["Hi", "#1", "And?"]);
    expect(played.messages.map(({ content }) => content).sort()).toEqual(["#1", "#3", "And?", "Hi"]);
  });

  it("says the message that an override of prepareRegenerateStream gives it", async () => {
    class Polite extends LangGraphAgent {
      override prepareRegenerateStream(
        ...[input, mode]: Parameters<LangGraphAgent["prepareRegenerateStream"]>
      ) {
        const messageCheckpoint = { ...input.messageCheckpoint, content: "And, please?" } as never;
        return super.prepareRegenerateStream({ ...input, messageCheckpoint }, mode);
      }
    }
    const { graph, seen } = echo();
    const agent = new Polite({ graph });
    await play(agent, [user("Hi")]);
    const { messages } = await play(agent, [user("And?")]);
    agent.setMessages(again(messages));
    await play(agent, []);
    expect(seen.at(-1)).toEqual(["Hi", "#1", "And, please?"]);
  });
});

it("getCheckpointByMessage looks back from a given checkpoint", async () => {
  const { graph } = echo();
  const agent = new LangGraphAgent({ graph, threadId: "thread" });
  await play(agent, [user("Hi", "u1")]);
  const { checkpoint } = await agent.client.threads.getState("thread");
  await play(agent, [user("And?", "u2")]);
  const now = await agent.getCheckpointByMessage("u1", "thread");
  expect(await agent.getCheckpointByMessage("u1", "thread", checkpoint as never)).toEqual(now);
  await expect(agent.getCheckpointByMessage("u2", "thread", checkpoint as never)).rejects.toThrow("u2");
});

it("runAgentStream runs on its own, with a subscriber of the caller's", async () => {
  const agent = new LangGraphAgent({ graph: echo().graph });
  const input: RunAgentInput = {
    threadId: "thread",
    runId: "run",
    messages: [user("Hi")],
    tools: [],
    context: [],
    state: {},
    forwardedProps: {},
  };
  const events = await new Promise<ProcessedEvents[]>((resolve, reject) => {
    new Observable<ProcessedEvents>((subscriber) => {
      agent.runAgentStream(input, subscriber).catch(reject);
    })
      .pipe(toArray())
      .subscribe(resolve);
  });
  expect(events[0]?.type).toBe(EventType.RUN_STARTED);
  expect(events.at(-1)?.type).toBe(EventType.RUN_FINISHED);
});
