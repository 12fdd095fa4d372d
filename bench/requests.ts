import { setImmediate as turn } from "node:timers/promises";
import { type Answer, json, startBrokenDeployment } from "../__tests__/support/broken-deployment";
import { type Adapters, SIDES } from "./adapters";
import { drive, user } from "./drive";
import { speaker } from "./graphs";
import type { Sides } from "./in-turns";
import { type Recording, record } from "./record";
import type { Row } from "./table";

const STREAM = "POST /threads/thread/runs/stream";

/** The HTTP requests of a second turn on an agent that knows its graph, against a server that counts. */
export async function requests(adapters: Adapters): Promise<Row[]> {
  const recording = await record(speaker(5), { messages: [{ type: "human", id: "u", content: "Hi" }] });
  const all = {} as Sides<number>;
  const inARow = {} as Sides<number>;
  for (const side of SIDES) {
    const server = await startServer(recording);
    const agent = adapters[side]({ deploymentUrl: server.url });
    await drive(agent, [user("first")]);
    server.reset();
    await drive(agent, [user("first"), user("second")]);
    all[side] = server.requests.length;
    inARow[side] = server.roundsUntilStream();
    await server.close();
  }
  return [
    { what: "requests of a second turn", unit: "count", ...all, limit: 1 },
    { what: "of them in a row before the first byte", unit: "count", ...inARow, limit: 1 },
  ];
}

/**
 * A server that answers in rounds: it waits until no more requests come, then answers all that are there. What was
 * asked for at once shares a round, what waited for an answer is in the next; so the rounds are the requests in a row.
 */
async function startServer(recording: Recording) {
  let waiting: (() => void)[] = [];
  let rounds = 0;
  let streamRound = 0;

  const inRounds =
    (answer: Answer, isStream = false): Answer =>
    async (request, response) => {
      const begins = waiting.length === 0;
      waiting.push(() => answer(request, response));
      if (isStream) streamRound = rounds + 1;
      if (!begins) return;
      await quiet(() => waiting.length);
      rounds += 1;
      const round = waiting;
      waiting = [];
      for (const reply of round) reply();
    };

  const state = json(JSON.parse(recording.before));
  const { close, url, requests } = await startBrokenDeployment({
    "POST /assistants/search": inRounds(json([{ ...recording.assistant, assistant_id: "assistant" }])),
    "GET /assistants/assistant/schemas": inRounds(json(recording.schemas)),
    "GET /assistants/assistant/graph": inRounds(json(recording.graph)),
    "GET /threads/thread": inRounds(json({ thread_id: "thread", metadata: {}, status: "idle", values: {} })),
    "GET /threads/thread/state": inRounds(state),
    [STREAM]: inRounds(streamOf(recording), true),
  });
  return {
    url,
    close,
    requests,
    roundsUntilStream: () => streamRound,
    reset() {
      requests.length = 0;
      rounds = 0;
    },
  };
}

const streamOf =
  ({ rows }: Recording): Answer =>
  (_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const parsed = rows.map((row) => JSON.parse(row) as { event: string; data: unknown });
    response.end(
      parsed.map(({ event, data }) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join(""),
    );
  };

/** Waits until a number has stayed the same for many turns of the event loop, which client and server share. */
async function quiet(count: () => number): Promise<void> {
  for (let same = 0, last = count(); same < 200; same += 1) {
    await turn();
    if (count() !== last) same = 0;
    last = count();
  }
}
