import type { Client, ThreadState, ThreadTask } from "@langchain/langgraph-sdk";
import { idOf } from "../messages/json";
import { readMessage } from "../messages/read-message";
import type { AguiMessage, State } from "../types";
import { ancestry } from "./thread";

/** What is known of the messages of a thread's hidden subgraphs. */
export interface HiddenMessages {
  readonly ids: Set<string>;
  /** The thread's last message when it was last looked at: what comes after it may be of other processes. */
  seenUpTo?: string;
}

/** A subgraph's checkpoints of one task are few; where it keeps them from task to task, the newest count. */
const CHECKPOINTS_OF_SUBGRAPH = 100;

/**
 * Finds the messages of hidden subgraphs that another process has made, or this one before it was started again. No
 * message says where it comes from, but the thread's checkpoints tell what each of their tasks gave, and which tasks
 * were subgraphs. They are read back to the oldest message that is neither known nor the client's.
 */
export async function findHidden(args: {
  client: Client;
  threadId: string;
  hideSubgraphs: true | readonly string[];
  known: HiddenMessages;
  messages: readonly unknown[];
  /** What the client has was never hidden from it. */
  clientMessages: readonly AguiMessage[];
}): Promise<void> {
  const { client, threadId, known } = args;
  const { messages } = args;
  const seen = messages.findLastIndex((message) => readMessage(message)?.id === known.seenUpTo);
  const open = new Set(answerIds(messages.slice(known.seenUpTo === undefined ? 0 : seen + 1)));
  for (const id of known.ids) open.delete(id);
  for (const message of args.clientMessages) open.delete(message?.id);
  if (open.size > 0) {
    const find = finder(client, threadId, args.hideSubgraphs, (id) => known.ids.add(id));
    await find(ancestry(client, threadId), open);
  }
  noteSeen(known, messages);
}

/** All messages are known: this process has seen where they come from. */
export function noteSeen(known: HiddenMessages, messages: readonly unknown[]): void {
  const last = idOf(readMessage(messages.at(-1))?.id);
  if (last !== undefined) known.seenUpTo = last;
}

/** The ids of the models' messages. Results are hidden and shown with their calls. */
function answerIds(messages: unknown): string[] {
  return [messages ?? []].flat().flatMap((value) => {
    const message = readMessage(value);
    return message?.type === "ai" ? (idOf(message.id) ?? []) : [];
  });
}

type Checkpoints = Iterable<ThreadState<State>> | AsyncIterable<ThreadState<State>>;

function finder(
  client: Client,
  threadId: string,
  hideSubgraphs: true | readonly string[],
  hide: (id: string) => void,
) {
  const isHidden = ({ name, checkpoint }: ThreadTask) =>
    hideSubgraphs === true ? checkpoint != null : hideSubgraphs.includes(name);

  /** Takes what the checkpoints' tasks gave out of `open`. */
  return async function find(checkpoints: Checkpoints, open: Set<string>): Promise<void> {
    for await (const { tasks, values } of checkpoints) {
      // A subgraph gives back what it was given, too.
      const before = new Set(answerIds(values?.messages));
      for (const task of tasks ?? []) {
        const { result } = task as { result?: State | null };
        const given = answerIds(result?.messages).filter((id) => !before.has(id) && open.delete(id));
        if (given.length === 0) continue;
        if (isHidden(task)) given.forEach(hide);
        else if (task.checkpoint && hideSubgraphs !== true) {
          const { checkpoint } = task;
          const options = { limit: CHECKPOINTS_OF_SUBGRAPH, checkpoint };
          await find(await client.threads.getHistory<State>(threadId, options), new Set(given));
        }
      }
      if (open.size === 0) return;
    }
  };
}
