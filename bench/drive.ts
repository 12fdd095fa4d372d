import type { AbstractAgent, BaseEvent, Message, RunAgentInput } from "@ag-ui/client";
import { EventType } from "@ag-ui/client";
import { lastValueFrom, toArray } from "rxjs";

export const user = (id: string, content = "Hi"): Message => ({ id, role: "user", content });

/** One run of an agent, with all its events. */
export async function drive(
  agent: AbstractAgent,
  messages: Message[],
  state: object = {},
): Promise<BaseEvent[]> {
  const input: RunAgentInput = {
    threadId: "thread",
    runId: "run",
    messages,
    state,
    tools: [],
    context: [],
    forwardedProps: {},
  };
  const events = await lastValueFrom(agent.run(input).pipe(toArray()));
  const last = events.at(-1);
  if (last?.type !== EventType.RUN_FINISHED) throw new Error(`the run ended with ${JSON.stringify(last)}`);
  return events;
}

/** The bytes of the events as the client gets them, as server-sent events. */
export function bytesOf(events: readonly BaseEvent[]): number {
  return events.reduce(
    (sum, event) => sum + Buffer.byteLength(JSON.stringify(event)) + "data: \n\n".length,
    0,
  );
}
