import type { Client, ThreadState } from "@langchain/langgraph-sdk";
import type { RecordedRun, Recording } from "./recording";

/** What an adapter asked of the server that changes something there. */
export interface Asked {
  method: string;
  args: unknown[];
}

type LookUp =
  | "assistants.search"
  | "assistants.getSchemas"
  | "threads.get"
  | "threads.create"
  | "threads.getState";

/** The HTTP status with which the server answers a look-up, by its name; `"nothing"`: it finds nothing. */
export type Failing = { [method in LookUp]?: number | "nothing" };

export interface ScriptedServer {
  client: Client;
  asked: Asked[];
  /** What became of the run that was asked for. */
  fate: "finished" | "cancelled" | null;
  /** The end of the run that is going on. */
  idle(): Promise<void>;
  /** Told of look-ups, by their name, and of what has been read of a run's callback events. */
  onReached?: (what: string) => void;
}

/** A LangGraph client whose server plays a recording: its n-th run gives the recorded n-th run, whatever it is sent. */
export function scriptedServer(recording: Recording, failing: Failing = {}): ScriptedServer {
  const { schemas, graph, runs } = JSON.parse(JSON.stringify(recording)) as Recording;
  const asked: Asked[] = [];
  let next = 0;
  let playing: RecordedRun | undefined;
  let latest: ThreadState | undefined;
  let exists = false;
  let idle = Promise.resolve();
  const cancelled = new Set<unknown>();
  const server: ScriptedServer = { client: undefined as never, asked, fate: null, idle: () => idle };

  const upcoming = () => runs[next] ?? runs[runs.length - 1];
  const now = (): ThreadState => latest ?? (upcoming() as RecordedRun).before;
  const note = (method: string, ...args: unknown[]) => asked.push({ method, args: onTheWire(args) });
  /** @returns Whether there is something to find. */
  const lookUp = (method: LookUp): boolean => {
    server.onReached?.(method);
    const status = failing[method];
    if (typeof status === "number") throw Object.assign(new Error(`HTTP ${status}: refused`), { status });
    return status === undefined;
  };
  const thread = { thread_id: "thread" };
  const assistant = { assistant_id: "assistant", graph_id: "graph", config: {} };

  async function* play(run: RecordedRun, done: () => void) {
    playing = run;
    latest = run.before;
    server.fate = null;
    const isCancelled = () => cancelled.has(idOf(run));
    try {
      for (const row of run.rows) {
        if (isCancelled()) return;
        if (row.event === "values") latest = { ...latest, values: row.data as ThreadState["values"] };
        yield structuredClone(row);
        const { event } = row.data as { event?: string };
        if (row.event !== "events" || event === undefined) continue;
        server.onReached?.(event);
        // What the client asks for now is heard before the graph goes on.
        await new Promise(setImmediate);
      }
      latest = run.after;
      server.fate = "finished";
    } finally {
      // A server goes on with a run whose stream nobody reads, unless it is told not to.
      server.fate ??= isCancelled() ? "cancelled" : "finished";
      playing = undefined;
      done();
    }
  }

  const client = {
    assistants: {
      search: async () => {
        return lookUp("assistants.search") ? [assistant] : [];
      },
      get: async () => assistant,
      getSchemas: async () => {
        lookUp("assistants.getSchemas");
        return schemas;
      },
      getGraph: async () => graph,
    },
    threads: {
      get: async () => {
        lookUp("threads.get");
        if (!exists) throw Object.assign(new Error("Thread not found"), { status: 404 });
        return thread;
      },
      create: async (payload: unknown) => {
        lookUp("threads.create");
        note("threads.create", payload);
        exists = true;
        return thread;
      },
      getState: async (_thread: string, checkpoint?: string) => {
        lookUp("threads.getState");
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
        const run = runs[next++] as RecordedRun;
        const { onRunCreated } = payload as { onRunCreated?: (created: { run_id: string }) => void };
        onRunCreated?.({ run_id: idOf(run) });
        let done = () => {};
        idle = new Promise((resolve) => {
          done = resolve;
        });
        return play(run, done);
      },
      joinStream: async function* () {},
      cancel: async (_thread: string, run: unknown) => {
        note("runs.cancel", run);
        cancelled.add(run);
      },
      list: async () => [],
    },
  };
  return Object.assign(server, { client: client as unknown as Client });
}

/** Under which id the server knows a run. */
function idOf({ rows }: RecordedRun): string {
  const { data } = rows.find(({ event }) => event === "metadata") ?? {};
  return (data as { run_id?: string } | undefined)?.run_id ?? "run";
}

/** Functions and signals do not travel. */
function onTheWire(args: unknown[]): unknown[] {
  return JSON.parse(JSON.stringify(args, (key, value) => (key === "signal" ? undefined : value)) ?? "[]");
}
