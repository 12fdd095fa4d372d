import type { AbstractAgent, BaseEvent, Message, RunAgentParameters } from "@ag-ui/client";
import { EventType } from "@ag-ui/client";
import type { ProcessedEvents } from "ag-ui-langgraph";
import { comparable, fold, protocol1 } from "./fold";

export interface Played {
  events: BaseEvent[];
  messages: Message[];
  state: unknown;
  /** What RUN_ERROR said. */
  error?: { message: string; code?: string };
}

let runs = 0;

/**
 * One run as an application makes it: the messages are added to the agent, and the client's own verifier and
 * reducer work on what comes back. Rejects where the client refuses an event, and where the last snapshot says anything
 * else than the client has without it.
 *
 * @param options `differs` says why the snapshot has to say something else.
 */
export async function play(
  agent: AbstractAgent,
  messages: Message[],
  parameters: RunAgentParameters = {},
  options: { differs?: string } = {},
): Promise<Played> {
  const events: BaseEvent[] = [];
  agent.addMessages(messages);
  const before = structuredClone(agent.messages);
  await agent.runAgent(
    { runId: `run-${++runs}`, ...parameters },
    { onEvent: ({ event }) => void events.push(event) },
  );
  const failed = events.find((event) => event.type === EventType.RUN_ERROR) as Played["error"];
  if (options.differs === undefined) await expectSnapshotAgrees(events, before, agent.messages);
  return {
    events,
    messages: agent.messages,
    state: agent.state,
    ...(failed && { error: { message: failed.message, ...(failed.code && { code: failed.code }) } }),
  };
}

/** What the thread does not hold is lost with the snapshot by clients that cannot be told that it is a subagent's. */
export const MAY_LOSE_PRIVATE = protocol1 ? {} : { differs: "the thread has no messages of private agents" };

async function expectSnapshotAgrees(events: readonly BaseEvent[], before: Message[], after: Message[]) {
  const last = events.findLastIndex(({ type }) => type === EventType.MESSAGES_SNAPSHOT);
  if (last === -1) return;
  const folded = await fold(events.toSpliced(last, 1) as ProcessedEvents[], before);
  expect(folded.messages.map(comparable)).toEqual(after.map(comparable));
}

export const user = (content: string, id = `user-${content}`): Message => ({ id, role: "user", content });

export const ofType = (played: Played, type: EventType): BaseEvent[] =>
  played.events.filter((event) => event.type === type);

/**
 * The events without what no two runs have in common: ids that were made in the run are numbered in the order of
 * their appearance, RAW and raw events are left out.
 */
export function comparableEvents(played: Played): unknown[] {
  const names = new Map<string, string>();
  const rename = (id: string) => names.get(id) ?? names.set(id, `id-${names.size}`).get(id);
  const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{32}/g;
  return played.events
    .filter(({ type }) => type !== EventType.RAW)
    .map(({ rawEvent: _raw, timestamp: _time, ...event }) =>
      JSON.parse(
        JSON.stringify(event)
          .replace(uuid, (id) => String(rename(id)))
          .replace(/"run-\d+"/g, '"run"'),
      ),
    );
}
