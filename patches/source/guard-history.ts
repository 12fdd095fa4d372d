import { guardContext, idsOf } from "../../src/history/context";
import { closeDanglingCalls } from "../../src/history/dangling";
import { chooseResults } from "../../src/history/duplicates";
import { joinHistories } from "../../src/history/join";
import { placeResults } from "../../src/history/order";
import { pairCalls } from "../../src/history/pairing";
import { readAll } from "../../src/history/roles";
import { promoteTextCalls } from "../../src/history/text-calls";
import { planUpdate } from "../../src/history/update-plan";
import type { LangChainMessage, RunAgentExtendedInput, State } from "../../src/types";
import type { AgentClass } from "./official";

/** Makes the agent send, with a run's messages, what has to change in the thread's for a provider to accept them. */
export function guardMergedHistory(agent: AgentClass): void {
  const official = agent.prototype.langGraphDefaultMergeState;
  agent.prototype.langGraphDefaultMergeState = function guarded(state, messages, input): State {
    const merged = official.call(this, state, messages, input);
    // A fork is made without messages, and then run with them.
    if (messages.length === 0 || resumes(input)) return merged;
    return { ...merged, messages: guardedUpdate(state.messages ?? [], messages, namesOf(merged.tools)) };
  };
}

/** LangGraph takes no messages together with the answer to an interrupt, and the calls of that turn are still open. */
function resumes({ resume, forwardedProps }: RunAgentExtendedInput): boolean {
  return (resume?.length ?? 0) > 0 || forwardedProps?.command?.resume !== undefined;
}

function namesOf(tools: readonly { name?: string }[]): string[] {
  return tools.flatMap(({ name }) => name ?? []);
}

/**
 * What the run's input carries so that the thread's messages, with the client's new ones, have one result behind each
 * call and no result without one: only the new messages, where nothing is wrong.
 */
function guardedUpdate(
  stored: readonly unknown[],
  sent: readonly LangChainMessage[],
  allowedToolNames: readonly string[],
): LangChainMessage[] {
  const read = readAll(stored, undefined);
  const context = guardContext({ allowedToolNames }, { keepLiveEnd: true, storedIds: idsOf(read) });
  const joined = promoteTextCalls(joinHistories(read, promoteTextCalls(sent, context), context), context);
  const pairing = pairCalls(joined, context.assigned);
  chooseResults(pairing, context);
  closeDanglingCalls(joined, pairing, context);
  return planUpdate(stored, read, placeResults(joined, pairing, context)).update;
}
