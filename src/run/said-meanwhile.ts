import type { Client, ThreadState } from "@langchain/langgraph-sdk";
import { planUpdate } from "../history/update-plan";
import { textOf } from "../messages/content";
import { placeBehind } from "../messages/place-behind";
import { readMessage, readMessages } from "../messages/read-message";
import { aguiMessagesToLangChain } from "../messages/to-langchain";
import type { AguiMessage, LangChainMessage, MessageChannel, State } from "../types";
import { readThreadState } from "./thread";

/** The ids of the messages that a thread has. */
type Stored = Pick<ReadonlySet<unknown>, "has">;

/** The user's messages that a thread does not have. */
export function saidByUser(messages: readonly AguiMessage[], thread: readonly unknown[]): AguiMessage[] {
  const stored = new Set(thread.map((message) => readMessage(message)?.id));
  return messages.filter((message) => message?.role === "user" && !stored.has(message.id));
}

/** What the user has just said, in words: the text of a new message at the end. */
export function justSaid(messages: readonly AguiMessage[], stored: Stored): string | undefined {
  const last = messages.at(-1);
  if (last?.role !== "user" || stored.has(last.id)) return undefined;
  const text = textOf(last.content);
  return text.trim() === "" ? undefined : text;
}

/**
 * What was said while some interrupts of a step were answered and others were not. LangGraph has put it beside the
 * checkpoint, where the next answer's messages take its place, so they have to bring it again.
 */
export function saidBesideAnswers(
  messages: readonly LangChainMessage[],
  tasks: readonly { result?: unknown }[],
): LangChainMessage[] {
  const given = tasks.flatMap(({ result }) => (result as { messages?: unknown } | null)?.messages ?? []);
  if (given.length === 0) return [];
  const ofAnswers = new Set(given.map((message) => readMessage(message)?.id));
  const before = messages.filter(({ id }) => !ofAnswers.has(id));
  return before.slice(before.findLastIndex(({ type }) => type !== "human") + 1);
}

/**
 * Puts what was said while calls waited for their results into the thread, behind these, where the client shows it.
 *
 * @param before The thread's messages as the run found them, with those under way.
 * @param after The thread with the results.
 * @returns The thread with what was said, or nothing where LangGraph does not take it: where it does not know behind
 *   which node it comes.
 */
export async function storeSaid(
  client: Client,
  said: readonly AguiMessage[],
  before: readonly unknown[],
  after: ThreadState<State>,
  channel: MessageChannel,
): Promise<ThreadState<State> | undefined> {
  const { thread_id: threadId, checkpoint_id: checkpointId } = after.checkpoint;
  if (!threadId) return undefined;
  const fresh = aguiMessagesToLangChain(said);
  const stored = readAllOf(after.values);
  const known = new Set(readMessages(before).map(({ id }) => id));
  const isResult = ({ type }: LangChainMessage) => type === "tool";
  const at = placeBehind(stored, ({ id }) => known.has(id), isResult);
  const expected = stored.toSpliced(at, 0, ...fresh);
  const put = async (messages: LangChainMessage[], from?: string | null) => {
    await client.threads.updateState(threadId, {
      values: { messages },
      ...(from && { checkpointId: from }),
    });
    return readThreadState(client, threadId);
  };
  try {
    if (channel === "appends") return await put(fresh);
    if (channel === "replaces") return await put(expected);
    const changed = await put(planUpdate(after.values.messages, stored, expected).update);
    const isPlaced = readAllOf(changed?.values).every((message, place) => message.id === expected[place]?.id);
    return isPlaced ? changed : await put(fresh, checkpointId);
  } catch {
    return undefined;
  }
}

const readAllOf = (values: State | undefined): LangChainMessage[] =>
  Array.isArray(values?.messages) ? readMessages(values.messages) : [];
