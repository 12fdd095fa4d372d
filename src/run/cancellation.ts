import type { Client } from "@langchain/langgraph-sdk";

/**
 * Stops one run, whenever it is asked to: before the run is sent (then it never is), before the server has
 * named it (then as soon as it does), or in mid stream.
 */
export interface Cancellation {
  /** Whether somebody asked. */
  readonly requested: boolean;
  /** Aborted when nothing of the run is waited for any more. */
  readonly signal: AbortSignal;
  request(): void;
  /** Tells the id under which the graph's home knows the run. */
  runIs(threadId: string, runId: string): void;
  /** Stops reading and lets the run go on: it is not this client's. */
  leave(): void;
  /** Stops the run on the server and waits until it is stopped: another one takes its place. */
  replaceRun(): Promise<void>;
  /** The run has ended: nothing is left to cancel. */
  over(): void;
}

export function createCancellation(options: {
  client: Client;
  /** Called when the client can be told: the server knows, or has nothing to know yet. */
  onCancelled(): void;
  debug(message: string): void;
}): Cancellation {
  const { client, onCancelled, debug } = options;
  const reading = new AbortController();
  let requested = false;
  let sent = false;
  let ended = false;
  let run: { threadId: string; runId: string } | undefined;

  const cancelRun = async (threadId: string, runId: string): Promise<void> => {
    sent = true;
    try {
      // The server is told before the stream closes: it takes a closed stream for a client that comes back.
      await client.runs.cancel(threadId, runId);
    } catch (error) {
      debug(`Run ${runId} could not be cancelled: ${(error as Error | undefined)?.name}`);
    }
    reading.abort();
    onCancelled();
  };

  return {
    get requested() {
      return requested;
    },
    signal: reading.signal,
    request() {
      if (requested || ended) return;
      requested = true;
      if (run) void cancelRun(run.threadId, run.runId);
      else onCancelled();
    },
    runIs(threadId, runId) {
      run = { threadId, runId };
      if (requested && !sent) void cancelRun(threadId, runId);
    },
    leave() {
      if (requested || ended) return;
      ended = true;
      reading.abort();
    },
    async replaceRun() {
      const replaced = run;
      run = undefined;
      if (replaced) await client.runs.cancel(replaced.threadId, replaced.runId, true);
    },
    over() {
      ended = true;
      if (!requested) reading.abort();
    },
  };
}
