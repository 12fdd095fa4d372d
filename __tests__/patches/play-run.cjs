const { lastValueFrom, toArray } = require("rxjs");

/** What LangGraph's message reducer does with the messages of a run's input. */
function reduce(stored, update) {
  const all = update.findLastIndex(({ id, type }) => type === "remove" && id === "__remove_all__");
  const messages = new Map((all === -1 ? stored : []).map((message) => [message.id, message]));
  for (const message of update.slice(all + 1)) {
    if (message.type !== "remove") messages.set(message.id, message);
    else if (!messages.delete(message.id)) throw new Error(`There is no message ${message.id}`);
  }
  return [...messages.values()];
}

/**
 * One run of an agent class against a scripted server, whose thread starts with the stored messages. Gives the messages
 * of the run's input as they are on the wire, those of the thread after it, and the client's last snapshot.
 */
module.exports = async function playRun(LangGraphAgent, { stored = [], sent, input = {} }) {
  const assistant = { assistant_id: "a", graph_id: "g", config: {} };
  let thread = stored;
  let payload = [];
  const state = () => ({
    values: { messages: thread },
    next: [],
    tasks: [],
    metadata: { writes: {} },
    checkpoint: {},
  });
  const client = {
    assistants: {
      search: async () => [assistant],
      get: async () => assistant,
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
      async *stream(_thread, _assistant, body) {
        payload = JSON.parse(JSON.stringify(body.input.messages));
        thread = reduce(thread, payload);
        yield { event: "values", data: { messages: thread } };
      },
      joinStream: async function* () {},
      cancel: async () => {},
      list: async () => [],
    },
  };
  const agent = new LangGraphAgent({ client, graphId: "g", deploymentUrl: "http://127.0.0.1:9" });
  const run = {
    threadId: "t",
    runId: "r",
    messages: sent,
    tools: [],
    context: [],
    state: {},
    forwardedProps: {},
  };
  const events = await lastValueFrom(agent.run({ ...run, ...input }).pipe(toArray()));
  const snapshot = events.findLast(({ type }) => type === "MESSAGES_SNAPSHOT").messages;
  return { payload, thread, snapshot };
};
