import type { Interrupt as LangGraphInterrupt, ThreadState, ThreadTask } from "@langchain/langgraph-sdk";
import { isRecord } from "../messages/json";
import { readMessage, readMessages } from "../messages/read-message";
import type { LangChainMessage, State } from "../types";

/** A thread's state, or a subgraph's. */
interface ReadState {
  values?: unknown;
  tasks?: readonly ThreadTask[];
}

/** A message of a step that waits for answers: the thread gets it when the step ends. */
export interface MessageUnderWay {
  message: LangChainMessage;
  /** The nodes whose subgraphs it comes from, outermost first. */
  subgraphs: readonly string[];
}

/** The messages of a thread: those that it holds, and those that it will hold behind them. */
export interface ThreadMessages {
  settled: LangChainMessage[];
  underWay: readonly MessageUnderWay[];
}

/** The interrupts that a thread waits for, from all of its tasks; one that was answered already keeps them beside its result. */
export function pendingInterrupts(
  state: Pick<ThreadState<State>, "tasks"> | undefined,
): LangGraphInterrupt[] {
  return (state?.tasks ?? []).filter(waits).flatMap((task) => task.interrupts as LangGraphInterrupt[]);
}

/** Whether a subgraph waits for an answer: what it has said so far is in a checkpoint of its own. */
export function waitsInSubgraph(state: Pick<ThreadState<State>, "tasks"> | undefined): boolean {
  return (state?.tasks ?? []).some((task) => waits(task) && task.checkpoint);
}

/**
 * The messages of a thread that was read with its subgraphs. A subgraph that waits has its own messages behind those that
 * it was given. LangGraph shows what other tasks of the step have given as if the thread had it, in the order in which
 * they ended; the thread gets all of it in the order of the tasks.
 *
 * A graph without messages does not get those of its subgraphs.
 */
export function threadMessages(state: ReadState | undefined): ThreadMessages {
  const settled = messagesOf(state) as LangChainMessage[];
  const tasks = inOrder(state?.tasks ?? []);
  const first = settled.length > 0 ? tasks.find(isOpen) : undefined;
  if (!first) return { settled, underWay: NOTHING };

  const ids = settled.map((message) => readMessage(message)?.id);
  const stored = new Set(ids);
  const before = new Set(messagesInside(first).map(({ message }) => message.id));
  const underWay = new Map<string, MessageUnderWay>();
  for (const task of tasks) {
    const isNew = isOpen(task)
      ? (id: string) => !stored.has(id)
      : (id: string) => stored.has(id) && !before.has(id);
    for (const found of isOpen(task) ? messagesInside(task) : messagesGiven(task)) {
      const { id } = found.message;
      if (id && isNew(id)) underWay.set(id, found);
    }
  }
  return {
    settled: settled.filter((_, at) => !underWay.has(ids[at] ?? "")),
    underWay: [...underWay.values()],
  };
}

/** The order in which LangGraph takes what the tasks of a step have given. */
function inOrder(tasks: readonly ThreadTask[]): ThreadTask[] {
  const key = (task: ThreadTask) => {
    const { path } = task as { path?: unknown };
    const parts: unknown[] = Array.isArray(path) ? path.flat(Number.POSITIVE_INFINITY) : [];
    return parts.map((part) => String(part).padStart(typeof part === "number" ? 10 : 0, "0")).join(", ");
  };
  const keys = new Map(tasks.map((task) => [task, key(task)]));
  return [...tasks].sort((one, other) => compare(keys.get(one) ?? "", keys.get(other) ?? ""));
}

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

const NOTHING: readonly MessageUnderWay[] = [];

function waits(task: ThreadTask): boolean {
  const { result, interrupts } = task as { result?: unknown; interrupts?: unknown };
  return result == null && Array.isArray(interrupts) && interrupts.length > 0;
}

/** Whether the task is a subgraph that waits and has messages. */
function isOpen(task: ThreadTask): boolean {
  return waits(task) && messagesOf(task.state).length > 0;
}

function messagesInside({ name, state }: ThreadTask): MessageUnderWay[] {
  const { settled, underWay } = threadMessages(state ?? undefined);
  return [
    ...readMessages(settled).map((message) => ({ message, subgraphs: [name] })),
    ...underWay.map(({ message, subgraphs }) => ({ message, subgraphs: [name, ...subgraphs] })),
  ];
}

/** What a task of the step has given. */
function messagesGiven(task: ThreadTask): MessageUnderWay[] {
  const { result, name, state } = task as ThreadTask & { result?: unknown };
  const given: unknown = isRecord(result) ? result.messages : undefined;
  const subgraphs = state ? [name] : [];
  return readMessages([given].flat()).map((message) => ({ message, subgraphs }));
}

function messagesOf(state: ReadState | null | undefined): unknown[] {
  const values = isRecord(state?.values) ? state.values : {};
  return Array.isArray(values.messages) ? values.messages : [];
}
