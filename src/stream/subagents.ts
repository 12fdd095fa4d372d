import { EventType } from "@ag-ui/client";
import { idOf, textOrNothing } from "../messages/json";
import { nodeOf, parentOf, taskOf } from "../namespace";
import { isWayOut, presentable, textField } from "../thrown";
import type { ProcessedEvents } from "../types";
import { createCallers } from "./callers";
import type { StreamError, TranslationContext } from "./context";
import type { Origin, Place } from "./row";

/** A graph that a task of another graph runs, once. */
interface Subagent {
  /** Its namespace: the same when a later run resumes it. */
  id: string;
  parent?: Subagent;
  /** What `createAgent` calls the agents that it makes; graphs within an agent have its name too. */
  agent?: string;
  state: "new" | "open" | "closed";
  isHidden?: boolean;
  interruptIds: string[];
  /** Those that are open: there may be thousands side by side, so nothing looks through all of them. */
  children: Set<Subagent>;
  /** What its last step failed of. */
  failure?: { message?: string };
}

type RunFailure = Pick<StreamError, "message" | "code">;

export interface Subagents {
  /** What a row says of the graphs themselves. */
  note(origin: Origin, data: Record<string, unknown>): ProcessedEvents[];
  /** The `subagentRunId` of what a place produces; nothing for the run itself. */
  of(place: Place): string | undefined;
  /** Whether the client is to see nothing of the place. */
  isHidden(place: Pick<Place, "invocation">): boolean;
  /** The innermost subagent around a graph that can be told of: one that has not come to its end. */
  openIn(invocation: string): string | undefined;
  /** What a row of the `tasks` mode says: a task of a graph has begun or ended, with an error if it failed. */
  taskTold(place: Place, data: Record<string, unknown>): void;
  /** A subagent is about to produce something. */
  opening(id: string): ProcessedEvents[];
  /** A graph interrupts its run. */
  interrupted(place: Place, interrupts: unknown): void;
  /** A graph tells what its node gave; `undefined` for all of its nodes of a step. */
  stepped(place: Place, node: string | undefined): ProcessedEvents[];
  end(error: RunFailure | undefined): ProcessedEvents[];
  /** Which subagent raised an interrupt. */
  interruptedBy(interruptId: string): string | undefined;
}

/** Rows that come later than the callbacks of what they tell. */
const LAGGING = ["message", "updates", "values"];

/**
 * Nested graphs and agents as subagents: each is announced when it first produces something, and finished when its task
 * has ended and its last rows have come.
 *
 * @param hasSeen Whether rows of a mode come in this stream.
 * @param onClose The events that close what a subagent has left open.
 */
export function createSubagents(
  context: TranslationContext,
  hasSeen: (mode: string) => boolean,
  onClose: (id: string, parentId: string | undefined) => ProcessedEvents[],
): Subagents {
  const known = new Map<string, Subagent>();
  const open = new Set<Subagent>();
  const openByTask = new Map<string, Set<Subagent>>();
  /** Tasks of a graph that have ended, until rows of other modes tell it, which they do in the same order. */
  const ended = new Map<string, Set<Place>>();
  const endedIds = new Set<string>();
  /** Graphs that have told their values: at first, before any of their nodes. */
  const begun = new Set<string>();
  const raisers = new Map<string, string>();
  const callers = createCallers();
  const { hideSubgraphs } = context;
  let rootAgent: string | undefined;

  const find = (invocation: string): Subagent | undefined => {
    if (invocation === "") return undefined;
    let subagent = known.get(invocation);
    if (!subagent) {
      const parent = find(parentOf(invocation));
      subagent = { id: invocation, parent, state: "new", interruptIds: [], children: new Set() };
      known.set(invocation, subagent);
    }
    return subagent;
  };

  const ownName = ({ agent, parent }: Subagent): string | undefined =>
    agent === (parent ? parent.agent : rootAgent) ? undefined : agent;

  const namesOf = (subagent: Subagent): string[] =>
    [ownName(subagent), callers.toolOf(taskOf(subagent.id)), nodeOf(subagent.id)].filter(
      (name) => name !== undefined,
    );

  const isHidden = (subagent: Subagent | undefined): boolean => {
    if (!subagent || !hideSubgraphs) return false;
    if (hideSubgraphs === true || subagent.isHidden) return true;
    // A row may tell its name later than others.
    subagent.isHidden =
      namesOf(subagent).some((name) => hideSubgraphs.includes(name)) || isHidden(subagent.parent);
    return subagent.isHidden;
  };

  const visible = (subagent: Subagent | undefined): Subagent | undefined =>
    isHidden(subagent) ? visible(subagent?.parent) : subagent;

  const start = (subagent: Subagent): ProcessedEvents[] => {
    if (subagent.state !== "new") return [];
    const before = subagent.parent ? start(subagent.parent) : [];
    subagent.state = "open";
    open.add(subagent);
    subagent.parent?.children.add(subagent);
    addTo(openByTask, taskOf(subagent.id), subagent);
    const started: ProcessedEvents = {
      type: EventType.SUBAGENT_STARTED,
      subagentRunId: subagent.id,
      name: namesOf(subagent)[0] ?? subagent.id,
      ...(subagent.parent && { parentSubagentRunId: subagent.parent.id }),
      ...callers.callOf(taskOf(subagent.id)),
    };
    return [...before, started];
  };

  const close = (subagent: Subagent, error?: RunFailure): ProcessedEvents[] => {
    const before = [...subagent.children].reverse().flatMap((child) => close(child, error));
    open.delete(subagent);
    subagent.parent?.children.delete(subagent);
    openByTask.get(taskOf(subagent.id))?.delete(subagent);
    subagent.state = "closed";
    return [...before, ...onClose(subagent.id, subagent.parent?.id), closing(subagent, error)];
  };

  const closing = (subagent: Subagent, error: RunFailure | undefined): ProcessedEvents => {
    const { id, interruptIds, failure } = subagent;
    if (failure || error) {
      const message =
        presentable(failure?.message ?? error?.message ?? "") || "The subagent failed without saying why.";
      // Only the run's own error has a code.
      const code = message === error?.message ? error.code : undefined;
      return { type: EventType.SUBAGENT_ERROR, subagentRunId: id, message, ...(code && { code }) };
    }
    const finished: ProcessedEvents = { type: EventType.SUBAGENT_FINISHED, subagentRunId: id };
    if (interruptIds.length > 0) return { ...finished, outcome: { type: "suspended", interruptIds } };
    const waitsForInner = [...raisers.values()].some((raiser) => isWithin(known.get(raiser), id));
    return waitsForInner ? { ...finished, outcome: { type: "suspended" } } : finished;
  };

  const isWithin = (inner: Subagent | undefined, id: string): boolean =>
    inner?.parent !== undefined && (inner.parent.id === id || isWithin(inner.parent, id));

  const closeTask = (task: string): ProcessedEvents[] =>
    [...(openByTask.get(task) ?? [])].flatMap((subagent) => close(subagent));

  const taskEnded = (place: Place): ProcessedEvents[] => {
    callers.taskEnded(place.task);
    if (!LAGGING.some(hasSeen)) return closeTask(place.task);
    // A graph that has the name of its node ends under it, too.
    if (!endedIds.has(place.task)) addTo(ended, place.invocation, place);
    endedIds.add(place.task);
    return [];
  };

  return {
    note(origin, data) {
      const { place, metadata, event, name } = origin;
      const agent = textOrNothing(metadata.lc_agent_name);
      if (agent !== undefined) {
        const subagent = find(place.invocation);
        if (subagent) subagent.agent ??= agent;
        else if (event === "messages" || name === place.node) rootAgent ??= agent;
      }
      if (event === "on_tool_start") callers.toolStarted(place.task, name);
      if (name === undefined || name !== place.node) return [];
      if (event === "on_chain_start") callers.taskStarted(place.task, data.input);
      return event === "on_chain_end" ? taskEnded(place) : [];
    },
    of: (place) => (context.protocol1 && context.subgraphs ? visible(find(place.invocation))?.id : undefined),
    isHidden: (place) => isHidden(find(place.invocation)),
    openIn(invocation) {
      if (!context.protocol1 || !context.subgraphs) return undefined;
      let subagent = visible(find(invocation));
      while (subagent?.state === "closed") subagent = subagent.parent;
      return subagent?.id;
    },
    taskTold({ invocation }, data) {
      const subagent = find(invocation);
      if (!subagent) return;
      const hasEnded = "result" in data || "error" in data;
      // A graph that goes on has handled what failed in it.
      if (!hasEnded) subagent.failure = undefined;
      const name = textField(data.error, "name");
      // What another failure cancelled has not failed.
      if (data.error == null || name === "AbortError" || isWayOut(name)) return;
      subagent.failure ??= { message: textField(data.error, "message") };
    },
    opening(id) {
      const subagent = known.get(id);
      return subagent ? start(subagent) : [];
    },
    interrupted(place, interrupts) {
      const subagent = visible(find(place.invocation));
      if (!subagent || !Array.isArray(interrupts)) return;
      for (const interrupt of interrupts) {
        const id = idOf(interrupt?.id);
        // The graph that raises it tells it first, then those around it.
        if (id === undefined || raisers.has(id)) continue;
        raisers.set(id, subagent.id);
        subagent.interruptIds.push(id);
      }
    },
    stepped({ invocation }, node) {
      const isFirst = node === undefined && !begun.has(invocation);
      if (isFirst) begun.add(invocation);
      const subagent = known.get(invocation);
      if (subagent && node === undefined) subagent.failure = undefined;
      if (isFirst || (node === undefined && hasSeen("updates"))) return [];
      const candidates = ended.get(invocation) ?? new Set();
      const told = node === undefined ? earliest([...candidates]) : firstOf(candidates, node);
      for (const task of told) candidates.delete(task);
      return told.flatMap(({ task }) => closeTask(task));
    },
    end(error) {
      return [...open]
        .filter(({ parent }) => !parent || !open.has(parent))
        .flatMap((outermost) => close(outermost, error));
    },
    interruptedBy: (interruptId) => (context.protocol1 ? raisers.get(interruptId) : undefined),
  };
}

function addTo<T>(sets: Map<string, Set<T>>, key: string, value: T): void {
  const set = sets.get(key);
  if (set) set.add(value);
  else sets.set(key, new Set([value]));
}

function firstOf(tasks: Iterable<Place>, node: string): Place[] {
  for (const task of tasks) if (task.node === node) return [task];
  return [];
}

/** Those of the first step: a graph tells its values after each. */
function earliest(tasks: readonly Place[]): Place[] {
  const steps = tasks.map(({ step }) => step ?? 0);
  const first = Math.min(...steps);
  return tasks.filter((_, at) => steps[at] === first);
}
