import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import type { Run } from "@langchain/langgraph-sdk";
import type { StreamRow } from "../types";
import { AwaitedMessages } from "./awaited-messages";
import { type CompiledGraph, hasCheckpointer } from "./compiled-graph";
import { errorRow } from "./error-row";
import { graphInput } from "./graph-input";
import { type LiveRun, type LiveRuns, liveRunsOf } from "./live-runs";
import { graphOptions, type LocalRunPayload } from "./local-run-payload";
import { graphStreamModes, streamRow } from "./stream-rows";

/** The SDK's `runs` over a compiled graph: a server's rows, with message instances in them. */
export class LocalRuns {
  private readonly live: LiveRuns;

  constructor(
    private readonly graph: CompiledGraph,
    private readonly graphId: string,
  ) {
    this.live = liveRunsOf(graph);
  }

  /**
   * Runs the graph. Nothing happens before the first row is asked for; `return()`, `throw()`, an abort of
   * `payload.signal` and `cancel` stop the graph at once, and the stream ends without an error row.
   */
  stream(
    threadId: string | null,
    assistantId: string,
    payload: LocalRunPayload = {},
  ): AsyncGenerator<StreamRow, void> {
    const abort = new AbortController();
    const rows = this.rows(threadId ?? crypto.randomUUID(), assistantId, payload, abort);
    // A generator answers `return()` only after the `next()` that is pending, which may wait for a model.
    return Object.assign(Object.create(rows) as typeof rows, {
      next: () => rows.next(),
      return: () => {
        abort.abort();
        return rows.return();
      },
      throw: (error: unknown) => {
        abort.abort();
        return rows.throw(error);
      },
    });
  }

  /** Rows of a run from now on; a run that is over or unknown has none. Leaving does not stop the run. */
  async *joinStream(
    threadId: string | null | undefined,
    runId: string,
    options?: { signal?: AbortSignal } | AbortSignal,
  ): AsyncGenerator<StreamRow, void> {
    const signal = options && "aborted" in options ? options : options?.signal;
    const run = threadId == null ? undefined : this.live.get(threadId, runId);
    if (run && !signal?.aborted) yield* run.read(signal);
  }

  /** Stops a run; `wait` also waits until the graph has stopped. A run that is over is nothing to complain about. */
  async cancel(threadId: string, runId: string, wait = false): Promise<void> {
    const run = this.live.get(threadId, runId);
    run?.abort.abort();
    if (wait) await run?.finished;
  }

  /** The runs of the thread that are going on; what is over is not kept. */
  async list(threadId: string): Promise<Run[]> {
    return this.live.onThread(threadId).map(asRun);
  }

  busy(threadId: string): boolean {
    return this.live.onThread(threadId).length > 0;
  }

  private async *rows(
    threadId: string,
    assistantId: string,
    payload: LocalRunPayload,
    abort: AbortController,
  ): AsyncGenerator<StreamRow, void> {
    const cancel = () => abort.abort();
    if (payload.signal?.aborted || abort.signal.aborted) return;
    payload.signal?.addEventListener("abort", cancel);
    let run: LiveRun | undefined;
    try {
      while (this.isTaken(threadId)) {
        await this.makeRoom(threadId, payload.multitaskStrategy);
        if (abort.signal.aborted) return;
      }
      // In the same step as the look: two runs that start at once must not both find room.
      run = this.live.add({ runId: crypto.randomUUID(), threadId, assistantId, abort });
      const rows = run.read();
      void this.runGraph(run, payload);
      payload.onRunCreated?.({ run_id: run.runId, thread_id: threadId });
      yield* rows;
    } finally {
      payload.signal?.removeEventListener("abort", cancel);
      abort.abort();
      await run?.finished;
    }
  }

  /**
   * Takes the graph's events as fast as they come: when a graph fails, LangGraph's stream drops what it holds
   * and nobody has read, so a reader that takes its time would miss the rows before the error.
   */
  private async runGraph(run: LiveRun, payload: LocalRunPayload): Promise<void> {
    const { runId, threadId, assistantId, abort } = run;
    const modes = new Set([payload.streamMode ?? "values"].flat());
    const selection = { runId, modes, subgraphs: payload.streamSubgraphs ?? false };
    const ids = { run_id: runId, thread_id: threadId, graph_id: this.graphId, assistant_id: assistantId };
    run.push({ event: "metadata", data: { run_id: runId, attempt: 1 } });
    try {
      const options = {
        ...graphOptions(payload, ids),
        runId,
        streamMode: graphStreamModes(modes),
        signal: abort.signal,
        callbacks: callbacksOf(payload),
      };
      for await (const event of this.graph.streamEvents(graphInput(payload), { version: "v2", ...options })) {
        const row = streamRow(event, selection);
        if (row) run.push(row);
      }
    } catch (thrown) {
      if (!abort.signal.aborted) run.push(errorRow(thrown));
    } finally {
      run.end();
    }
  }

  /** Two runs at once would mix their checkpoints, so a thread has one, as on a server. */
  private isTaken(threadId: string): boolean {
    return hasCheckpointer(this.graph) && this.busy(threadId);
  }

  private async makeRoom(
    threadId: string,
    strategy: LocalRunPayload["multitaskStrategy"] = "reject",
  ): Promise<void> {
    const others = this.live.onThread(threadId);
    const stopping = others.every((run) => run.abort.signal.aborted);
    if (strategy === "reject" && !stopping) throw new ThreadBusyError();
    if (strategy !== "enqueue") for (const run of others) run.abort.abort();
    await Promise.all(others.map((run) => run.finished));
  }
}

function callbacksOf({ onChainError }: LocalRunPayload): AwaitedMessages {
  const callbacks = new AwaitedMessages();
  if (onChainError) {
    const handler = BaseCallbackHandler.fromMethods({
      handleChainError: (error, runId) => onChainError(runId, error),
    });
    // Told before what comes next, not from LangChain's queue.
    handler.awaitHandlers = true;
    callbacks.addHandler(handler);
  }
  return callbacks;
}

class ThreadBusyError extends Error {
  override name = "ThreadBusyError";
  status = 422;

  constructor() {
    super(
      "Thread is already running a task. Wait for it to finish or choose a different multitask strategy.",
    );
  }
}

function asRun({ runId, threadId, assistantId, startedAt }: LiveRun): Run {
  return {
    run_id: runId,
    thread_id: threadId,
    assistant_id: assistantId,
    created_at: startedAt,
    updated_at: startedAt,
    status: "running",
    metadata: {},
    multitask_strategy: "reject",
  };
}
