import type { StreamRow } from "../types";
import { RowQueue } from "./row-queue";

interface RunIds {
  runId: string;
  threadId: string;
  assistantId: string;
  /** Aborting it stops the graph; the stream then ends without an error. */
  abort: AbortController;
}

/** A run that is going on in this process. */
export interface LiveRun extends RunIds {
  startedAt: string;
  /** Settles when the run is over. */
  finished: Promise<void>;
  push(row: StreamRow): void;
  end(): void;
  /** The rows from now on, until the signal says that no more are wanted. */
  read(signal?: AbortSignal): AsyncGenerator<StreamRow, void>;
}

const byGraph = new WeakMap<object, LiveRuns>();

/** The same for every client of a graph, as agents are cloned for each request and must find each other's runs. */
export function liveRunsOf(graph: object): LiveRuns {
  let runs = byGraph.get(graph);
  if (!runs) {
    runs = new LiveRuns();
    byGraph.set(graph, runs);
  }
  return runs;
}

/** The runs of one graph that are going on: to cancel them by id, to list them, to read along. */
export class LiveRuns {
  private readonly runs = new Map<string, LiveRun>();

  get(threadId: string, runId: string): LiveRun | undefined {
    const run = this.runs.get(runId);
    return run?.threadId === threadId ? run : undefined;
  }

  onThread(threadId: string): LiveRun[] {
    return [...this.runs.values()].filter((run) => run.threadId === threadId);
  }

  add(ids: RunIds): LiveRun {
    const readers = new Set<RowQueue>();
    let settle = () => {};
    const finished = new Promise<void>((resolve) => {
      settle = resolve;
    });
    const run: LiveRun = {
      ...ids,
      startedAt: new Date().toISOString(),
      finished,
      push(row) {
        for (const reader of readers) reader.push(row);
      },
      end: () => {
        this.runs.delete(ids.runId);
        for (const reader of readers) reader.end();
        settle();
      },
      read(signal) {
        const reader = new RowQueue();
        const end = () => reader.end();
        readers.add(reader);
        signal?.addEventListener("abort", end);
        return reader.read(() => {
          readers.delete(reader);
          signal?.removeEventListener("abort", end);
        });
      },
    };
    this.runs.set(ids.runId, run);
    return run;
  }
}
