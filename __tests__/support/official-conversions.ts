import type { Message } from "@ag-ui/client";
import { LangGraphAgent } from "@ag-ui/langgraph";
import { lastValueFrom, toArray } from "rxjs";

/** What the official adapter makes of messages, seen from outside: it exports no converter. */
export interface OfficialConversions {
  /** The messages that reach the graph. */
  toLangChain: unknown[];
  /** The messages of the last MESSAGES_SNAPSHOT. */
  toAgui: Message[];
}

/** One run of the official adapter on a client that has only scripted answers. */
export async function officialConversions(
  sent: Message[],
  stored: unknown[] = [],
): Promise<OfficialConversions> {
  let toLangChain: unknown[] = [];
  let started = false;
  const state = () => ({
    values: { messages: started ? stored : [] },
    next: [],
    tasks: [],
    metadata: { writes: {} },
    checkpoint: {},
  });
  const client = {
    assistants: {
      search: async () => [{ assistant_id: "a", graph_id: "g", config: {} }],
      get: async () => ({ assistant_id: "a", graph_id: "g", config: {} }),
      getSchemas: async () => ({ input_schema: { properties: { messages: {} } } }),
      getGraph: async () => ({ nodes: [], edges: [] }),
    },
    threads: {
      get: async () => ({ thread_id: "t" }),
      create: async () => ({ thread_id: "t" }),
      getState: async () => state(),
      getHistory: async () => [],
      updateState: async () => ({}),
    },
    runs: {
      stream: async function* (
        _thread: string,
        _assistant: string,
        payload: { input: { messages: unknown[] } },
      ) {
        toLangChain = payload.input.messages;
        started = true;
        yield { event: "values", data: { messages: stored } };
      },
      joinStream: async function* () {},
      cancel: async () => {},
      list: async () => [],
    },
  };
  const agent = new LangGraphAgent({
    client: client as never,
    graphId: "g",
    deploymentUrl: "http://localhost",
  });
  const events = await lastValueFrom(
    agent
      .run({
        threadId: "t",
        runId: "r",
        messages: sent,
        tools: [],
        context: [],
        state: {},
        forwardedProps: {},
      } as never)
      .pipe(toArray()),
  );
  const snapshot = events.filter((event) => event.type === "MESSAGES_SNAPSHOT").at(-1) as
    | { messages: Message[] }
    | undefined;
  return { toLangChain, toAgui: snapshot?.messages ?? [] };
}
