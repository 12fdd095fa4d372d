import type { Client, Config, Thread, ThreadState } from "@langchain/langgraph-sdk";
import type { State } from "../types";
import { waitsInSubgraph } from "./under-way";

/** The HTTP status of an error of the LangGraph client, whatever copy of the SDK threw it. */
export function httpStatus(error: unknown): number | undefined {
  const { status } = (error ?? {}) as { status?: unknown };
  return typeof status === "number" ? status : undefined;
}

/**
 * The thread, made where the server does not have it. Only a 404 says so: any other answer is an error
 * that creating a thread would hide.
 */
export async function getOrCreateThread(threads: {
  get(): Promise<Thread>;
  create(): Promise<Thread>;
}): Promise<Thread> {
  try {
    return await threads.get();
  } catch (error) {
    if (httpStatus(error) !== 404) throw error;
    return threads.create();
  }
}

/**
 * The thread's state, or `undefined` where the thread does not exist or its graph keeps no checkpoints. Where a
 * subgraph waits for an answer, it is read once more, with the states of the subgraphs.
 */
export async function readThreadState(
  client: Client,
  threadId: string,
): Promise<ThreadState<State> | undefined> {
  try {
    const state = (await client.threads.getState<State>(threadId)) ?? undefined;
    return waitsInSubgraph(state) ? await withSubgraphs(client, threadId, state) : state;
  } catch (error) {
    if (httpStatus(error) !== 404) throw error;
    return undefined;
  }
}

/** A run can do without what only the subgraphs' states tell. */
async function withSubgraphs(client: Client, threadId: string, known: ThreadState<State> | undefined) {
  try {
    return (await client.threads.getState<State>(threadId, undefined, { subgraphs: true })) ?? known;
  } catch {
    return known;
  }
}

/**
 * What a thread holds after a run: what was read of it, unless that lags behind what the stream has told, or there is
 * no checkpoint to read. The last values of a stream may have keys that live for one step only.
 */
export function latestValues(read: State | undefined, streamed: State): State {
  const last = Array.isArray(streamed.messages) ? streamed.messages.at(-1)?.id : undefined;
  const holdsLast = !last || read?.messages?.some((message: { id?: string } | null) => message?.id === last);
  return read && holdsLast ? read : { ...read, ...streamed };
}

/** The state of a thread that nothing has run on. */
export function emptyState(threadId: string): ThreadState<State> {
  const checkpoint = { thread_id: threadId, checkpoint_ns: "", checkpoint_id: null, checkpoint_map: null };
  return {
    values: {},
    next: [],
    checkpoint,
    metadata: {},
    created_at: null,
    parent_checkpoint: null,
    tasks: [],
  };
}

const PAGE_SIZE = 20;

/** A page of a thread's checkpoints, newest first. */
async function historyPage(
  client: Client,
  threadId: string,
  before: string | undefined,
): Promise<ThreadState<State>[]> {
  const ask = (from?: unknown) =>
    client.threads.getHistory<State>(threadId, {
      limit: PAGE_SIZE,
      ...(from !== undefined && { before: from as Config }),
    });
  if (before === undefined) return ask();
  const checkpoint = { thread_id: threadId, checkpoint_ns: "", checkpoint_id: before };
  try {
    return await ask({ ...checkpoint, configurable: checkpoint });
  } catch (error) {
    // Servers in JavaScript take the bare id only, servers in Python a checkpoint, the SDK says a config.
    if (httpStatus(error) !== 400 && httpStatus(error) !== 422) throw error;
    return ask(before);
  }
}

/**
 * The checkpoints that led to the thread's present one, or to a given one, newest first, read page by page; other
 * branches are passed over.
 */
export async function* ancestry(
  client: Client,
  threadId: string,
  newest?: string | null,
): AsyncGenerator<ThreadState<State>> {
  let expected = newest;
  let before: string | undefined;
  for (;;) {
    const page = await historyPage(client, threadId, before);
    for (const state of page) {
      const id = state.checkpoint?.checkpoint_id;
      if (expected && id !== expected) continue;
      yield state;
      expected = state.parent_checkpoint?.checkpoint_id;
      if (!expected) return;
    }
    const last = page.at(-1)?.checkpoint?.checkpoint_id ?? undefined;
    if (page.length < PAGE_SIZE || !last || last === before) return;
    before = last;
  }
}

const holds = (state: ThreadState<State>, messageId: string): boolean =>
  Array.isArray(state.values?.messages) && state.values.messages.some((message) => message?.id === messageId);

/**
 * The checkpoint right before the one in which a message first stood, however long the thread. Its values
 * have those that came together with the message laid over them, except messages.
 *
 * @param newest The checkpoint to look back from. Default: the thread's present one.
 * @throws Error when the thread has no such message.
 */
export async function checkpointBeforeMessage(
  client: Client,
  threadId: string,
  messageId: string,
  newest?: string | null,
): Promise<ThreadState<State>> {
  let first: ThreadState<State> | undefined;
  for await (const state of ancestry(client, threadId, newest)) {
    if (holds(state, messageId)) {
      first = state;
    } else if (first) {
      const { messages: _, ...arrivedWithIt } = first.values;
      return { ...state, values: { ...state.values, ...arrivedWithIt } };
    }
  }
  if (!first) {
    throw new Error(
      `Message ${messageId} is not in the checkpoints of thread ${threadId}, so the run cannot start again before it.`,
    );
  }
  return { ...first, values: {} };
}
