import type { Client, ThreadState } from "@langchain/langgraph-sdk";
import type { State } from "../types";

/** How a run was left whose stream ended without an error: it goes on, it has failed, or it is over. */
export type LeftRun = "going on" | "failed" | "over";

/**
 * A stream that ends does not say that its run has ended: a proxy or a server that shuts down may have closed it, and a
 * server cannot write every error. Where the thread has nodes to run, the server is asked.
 */
export async function leftRun(
  client: Client,
  threadId: string,
  runId: string | undefined,
  { next }: Pick<ThreadState<State>, "next">,
): Promise<LeftRun> {
  if (runId === undefined || !next?.length) return "over";
  try {
    const { status } = await client.runs.get(threadId, runId);
    if (status === "running" || status === "pending") return "going on";
    return status === "error" || status === "timeout" ? "failed" : "over";
  } catch {
    return "over";
  }
}
