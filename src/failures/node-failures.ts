import { textField } from "../thrown";
import type { StreamRow } from "../types";
import { errorFields, type Failure, isCancelled, type NodeError } from "./node-error";
import { codeOf, describeRunError, SEVERAL, severalOf } from "./run-error";
import { createTasks, type Task } from "./tasks";
import { codeFor, errorsIn, isSame, type ThrownError } from "./thrown-errors";

/** A record, and the graph that the failed node belongs to. */
export interface NodeRecord {
  value: NodeError;
  /** The first failure of the path, where it failed several times and the last one is told. */
  first?: NodeError;
  /** The graph's namespace, as LangGraph names it; empty for the root graph. */
  graph: string;
}

/** What is known of the run besides its rows. */
export interface RunFacts {
  /** The calls that have no result. */
  openCalls: readonly { id: string; name: string }[];
  /** Whether the client is to see nothing of a graph. */
  isHidden(graph: string): boolean;
}

export interface NodeFailures {
  /** Reads a row. Gives a record where the row tells that a node is tried again. */
  note(row: StreamRow): NodeRecord | undefined;
  /** What anything in the graph threw, under the run id of its callbacks: only this process can tell it. */
  attemptFailed(runId: string, error: unknown): void;
  /**
   * The run has failed: the failures that it failed of, the first one first. Whoever cancels a run, or the home of the
   * graph that takes it back, gives none.
   *
   * @param error What the `error` row says, with what was thrown as its `cause` where the graph ran in this process.
   */
  records(error: RunFailure, facts: RunFacts): NodeRecord[];
}

/** How a stream says that its run failed. */
export interface RunFailure {
  name: string;
  message: string;
  cause?: unknown;
}

/** What LangGraph and its servers say of a run that was stopped. */
const STOPPED = /^(abort(ed)?|interrupt(ed)?|rollback|cancel(l?ed)?)$/i;

const NO_REASON: Failure = {
  name: "Error",
  message: "The attempt failed, and LangGraph does not say why",
};

/**
 * Tells failed nodes from the rows of a run. Each failure is told where it happened, once: a node that passes on what
 * failed in a graph within it has not failed by itself, and what a node caught or tried again is no failure of the run.
 * So nothing is certain before the run has ended.
 */
export function createNodeFailures(): NodeFailures {
  const tasks = createTasks();
  const attempts = new Map<string, ThrownError>();

  const record = (task: Task, failure: Failure, code: string | undefined, facts?: RunFacts): NodeRecord => {
    const shown = facts ? lastVisible(task, facts) : task;
    const path = lineOf(shown).map(({ node }) => node);
    const toolCallIds = facts ? callsLeft(task, facts) : [];
    const value = {
      node: shown.node,
      path,
      ...errorFields(failure, code),
      attemptCount: Math.max(1, shown.attempts),
      ...(toolCallIds.length > 0 && { toolCallIds }),
    };
    return { value, graph: shown.graph };
  };

  return {
    note(row) {
      const again = tasks.note(row);
      if (!again) return undefined;
      const attempt = attempts.get(again.lastRunId ?? "");
      if (attempt) return record(again, attempt.failure, codeOf(attempt.error));
      // What failed within it may have told why.
      const within = tasks.childrenOf(again).filter(({ failure }) => failure && !isCancelled(failure));
      const latest = within.sort((a, b) => a.order - b.order).at(-1);
      return record(again, latest?.failure ?? NO_REASON, undefined);
    },
    attemptFailed(runId, error) {
      const [thrown] = errorsIn(error);
      attempts.set(runId, thrown ?? { failure: { message: describeRunError(error).message }, error });
    },
    records(error, facts) {
      const thrown = errorsIn(error.cause);
      for (const [runId, { failure }] of attempts) if (failure.message) tasks.attemptFailed(runId, failure);
      for (const { taskId, failure } of thrown) if (taskId) tasks.failed(taskId, failure);
      const failed = failedTasks(error, thrown);
      const byPath = new Map<string, NodeRecord>();
      for (const task of failed.sort((a, b) => a.order - b.order)) {
        const failure = said(task.failure ?? error, error);
        const attempt = attempts.get(task.runId ?? "");
        const own = attempt && isSame(attempt.failure, failure) ? codeOf(attempt.error) : undefined;
        const found = record(task, failure, own ?? codeFor(failure, thrown), facts);
        const path = found.value.path.join("|");
        const earlier = byPath.get(path);
        byPath.set(path, earlier ? { ...found, first: earlier.first ?? earlier.value } : found);
      }
      return [...byPath.values()];
    },
  };

  function failedTasks(error: RunFailure, thrown: readonly ThrownError[]): Task[] {
    const ownAbort = isCancelled(error);
    const fails = ({ failure }: Task) => failure !== undefined && (ownAbort || !isCancelled(failure));

    /** The tasks that a failure of a graph comes from; of a cancelled one, whatever failed before. */
    const origins = (parent: Task | undefined, of: Failure | undefined): Task[] => {
      const children = tasks.childrenOf(parent).filter(isOfLastAttempt);
      const failing = children.filter(fails);
      const passing = of ? failing.filter(({ failure }) => passesOn(failure, of, thrown)) : failing;
      const found = passing.flatMap(deepest);
      const within = (some: readonly Task[]) => some.flatMap((task) => origins(task, undefined));
      if (!of || found.length > 0) {
        return [...found, ...within(children.filter((task) => task.failure && !fails(task)))];
      }
      // An entrypoint is stopped when a task that it runs fails: what fails of it is the graph around.
      return within(children.filter(({ returned }) => !returned)).filter(({ failure }) =>
        passesOn(failure, of, thrown),
      );
    };

    const deepest = (task: Task): Task[] => {
      const inner = origins(task, task.failure);
      return inner.length > 0 ? inner : [task];
    };

    const found = origins(undefined, error);
    // Of a run that was stopped nothing has failed, whatever its nodes threw when they were.
    if (found.length > 0 || STOPPED.test(error.message)) return found;
    const outermost = tasks.childrenOf(undefined);
    const last = outermost
      .filter(fails)
      .sort((a, b) => a.order - b.order)
      .at(-1);
    if (last) return deepest(last);
    // The row of a task whose error cannot be read is lost.
    const [unfinished, ...others] = outermost.filter(({ returned, failure }) => !returned && !failure);
    return unfinished && others.length === 0 ? [unfinished] : [];
  }
}

/** Whether a task was run by the last attempt of the one around it; an earlier one was tried again. */
const isOfLastAttempt = ({ parent, ofAttempt }: Task): boolean =>
  !parent || ofAttempt === undefined || ofAttempt === parent.attempts;

/** Whether a failure is the one around it, as it was or told in other words. */
function passesOn(inner: Failure | undefined, outer: Failure, thrown: readonly ThrownError[]): boolean {
  if (!inner) return false;
  if (outer.name === SEVERAL) return true;
  if (isSame(inner, outer)) return true;
  if (inner.message && outer.message && quotes(outer.message, inner.message)) return true;
  return inner.message !== undefined && thrown.some(({ failure }) => isSame(failure, inner));
}

const WORD = /[\p{L}\p{N}_]/u;
/** A bound for texts that repeat themselves. */
const MAX_LOOK_ALIKES = 64;

/** Whether a text has another one in it, in whole words: "4" is not said by "1400". */
function quotes(text: string, quoted: string): boolean {
  const goesOn = (one: string, other: string) => WORD.test(one) && WORD.test(other);
  let at = text.indexOf(quoted);
  for (let tries = 0; at !== -1 && tries < MAX_LOOK_ALIKES; tries += 1) {
    const end = at + quoted.length;
    const isWhole =
      !goesOn(text.charAt(at - 1), quoted.charAt(0)) && !goesOn(quoted.slice(-1), text.charAt(end));
    if (isWhole) return true;
    at = text.indexOf(quoted, at + 1);
  }
  return false;
}

/** A row says nothing of what was thrown and is no error; the run's own end may. */
function said(failure: Failure, error: RunFailure): Failure {
  if (failure.name !== undefined || failure.message !== undefined) return failure;
  if (error.name !== SEVERAL) return { message: describeRunError(error).message };
  const noErrors = severalOf(error).filter((thrown) => textField(thrown, "message") === undefined);
  return noErrors.length === 1 ? { message: describeRunError(noErrors[0]).message } : failure;
}

/** The task and those around it, the outermost first. */
function lineOf(task: Task): Task[] {
  return task.parent ? [...lineOf(task.parent), task] : [task];
}

/** Of a hidden graph the node that runs it is told. */
function lastVisible(task: Task, facts: RunFacts): Task {
  return task.parent && facts.isHidden(task.graph) ? lastVisible(task.parent, facts) : task;
}

function callsLeft(task: Task, { openCalls }: RunFacts): string[] {
  const tools = new Set(lineOf(task).flatMap((around) => [...around.tools]));
  return openCalls.filter(({ name }) => tools.has(name)).map(({ id }) => id);
}
