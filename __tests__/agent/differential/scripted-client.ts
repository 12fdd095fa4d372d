import type { Client, ThreadState } from "@langchain/langgraph-sdk";
import type { RecordedRun, Recording } from "./recording";

/** What an adapter asked of the server that changes something there. */
export interface Asked {
  method: string;
  args: unknown[];
}

/** The HTTP status with which the server answers a method, by its name. */
export type Failing = { [method in "assistants.search" | "threads.get"]?: number };

export interface ScriptedServer {
  client: Client;
  asked: Asked[];
}

/** A LangGraph client whose server plays a recording: its n-th run gives the recorded n-th run, whatever it is sent. */
export function scriptedServer(recording: Recording, failing: Failing = {}): ScriptedServer {
  const { schemas, graph, runs } = JSON.parse(JSON.stringify(recording)) as Recording;
  const asked: Asked[] = [];
  let next = 0;
  let playing: RecordedRun | undefined;
  let latest: ThreadState | undefined;
  let exists = false;

  const upcoming = () => runs[next] ?? runs[runs.length - 1];
  const now = (): ThreadState => latest ?? (upcoming() as RecordedRun).before;
  const note = (method: string, ...args: unknown[]) => asked.push({ method, args: onTheWire(args) });
  const refuse = (method: keyof Failing) => {
    const status = failing[method];
    if (status) throw Object.assign(new Error(`HTTP ${status}: refused`), { status });
  };
  const thread = { thread_id: "thread" };
  const assistant = { assistant_id: "assistant", graph_id: "graph", config: {} };

  async function* play(run: RecordedRun) {
    playing = run;
    latest = run.before;
    for (const row of run.rows) {
      if (row.event === "values") latest = { ...latest, values: row.data as ThreadState["values"] };
      yield structuredClone(row);
    }
    latest = run.after;
    playing = undefined;
  }

  const client = {
    assistants: {
      search: async () => {
        refuse("assistants.search");
        return [assistant];
      },
      get: async () => assistant,
      getSchemas: async () => schemas,
      getGraph: async () => graph,
    },
    threads: {
      get: async () => {
        refuse("threads.get");
        if (!exists) throw Object.assign(new Error("Thread not found"), { status: 404 });
        return thread;
      },
      create: async (payload: unknown) => {
        note("threads.create", payload);
        exists = true;
        return thread;
      },
      getState: async (_thread: string, checkpoint?: string) => {
        const known = (upcoming() as RecordedRun).history;
        return structuredClone(
          typeof checkpoint === "string"
            ? known.find((state) => state.checkpoint?.checkpoint_id === checkpoint)
            : now(),
        );
      },
      getHistory: async (_thread: string, options: { limit?: number; before?: unknown } = {}) => {
        const { history } = (playing ?? upcoming()) as RecordedRun;
        const { before } = options as { before?: { configurable: { checkpoint_id: string } } };
        const from = before
          ? history.findIndex(
              ({ checkpoint }) => checkpoint?.checkpoint_id === before.configurable.checkpoint_id,
            ) + 1
          : 0;
        return structuredClone(history.slice(from, from + (options.limit ?? 10)));
      },
      updateState: async (_thread: string, update: unknown) => {
        note("threads.updateState", update);
        return { checkpoint: { ...thread, checkpoint_ns: "", checkpoint_id: "fork" } };
      },
    },
    runs: {
      stream: (_thread: string, _assistant: string, payload: unknown) => {
        note("runs.stream", payload);
        return play(runs[next++] as RecordedRun);
      },
      joinStream: async function* () {},
      cancel: async (_thread: string, run: unknown) => void note("runs.cancel", run),
      list: async () => [],
    },
  };
  return { client: client as unknown as Client, asked };
}

/** Functions and signals do not travel. */
function onTheWire(args: unknown[]): unknown[] {
  return JSON.parse(JSON.stringify(args, (key, value) => (key === "signal" ? undefined : value)) ?? "[]");
}
