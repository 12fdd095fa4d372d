import {
  type AbstractAgent,
  type AgentSubscriber,
  type BaseEvent,
  EventType,
  type Message,
  type RunAgentInput,
  type RunAgentParameters,
  type StepStartedEvent,
} from "@ag-ui/client";
import type { Recording } from "./recording";
import { type Failing, type ScriptedServer, scriptedServer } from "./scripted-client";

/** Everything of an adapter that a run uses, in either package. */
export type Adapter = new (config: {
  client: never;
  graphId: string;
  deploymentUrl: string;
  threadId: string;
}) => AbstractAgent & { headers: Record<string, string> };

/** What the client does in one run. */
export interface Step {
  says?: Message[];
  /** Changes the client's messages or state before the run. */
  before?: (agent: AbstractAgent) => void;
  with?: RunAgentParameters | ((agent: AbstractAgent) => RunAgentParameters);
  /** Instead of a run: the client comes back to the thread. */
  connects?: true;
  /** The run is given up when the server is asked for this, or has told this callback event. */
  stops?: { at: string; by: "aborting" | "unsubscribing" };
}

/** What came of one run: on the client, and at the server. */
export interface Observed {
  /** The messages as the live events made them, before the last snapshot. */
  live: unknown;
  messages: unknown;
  state: unknown;
  interrupts: unknown;
  custom: unknown;
  end: unknown;
  steps: unknown;
  /** What the server was asked to run, what became of it, and what else was changed there. */
  payload: unknown;
  fate: unknown;
  updates: unknown;
}

/** Plays the client's steps on one agent of the adapter against the recording. */
export async function observe(
  Agent: Adapter,
  recording: Recording,
  steps: readonly Step[],
  options: { config?: object; headers?: Record<string, string>; failing?: Failing } = {},
): Promise<Observed[]> {
  const server = scriptedServer(recording, options.failing);
  const agent = new Agent({
    client: server.client as never,
    graphId: "graph",
    deploymentUrl: "http://localhost",
    threadId: "thread",
    ...options.config,
  });
  agent.headers = options.headers ?? {};
  const name = namer(JSON.stringify([recording, steps]));
  const observed: Observed[] = [];
  for (const [index, step] of steps.entries()) {
    server.asked.length = 0;
    server.fate = null;
    agent.addMessages(step.says ?? []);
    step.before?.(agent);
    const parameters = typeof step.with === "function" ? step.with(agent) : step.with;
    observed.push(name(await run(agent, { runId: `run-${index + 1}`, ...parameters }, step, server)));
  }
  return observed;
}

async function run(
  agent: AbstractAgent,
  parameters: RunAgentParameters,
  { connects, stops }: Step,
  server: ScriptedServer,
): Promise<Observed> {
  const events: BaseEvent[] = [];
  let live: Message[] = [];
  const stopped = new Promise<void>((resolve) => {
    server.onReached = (what) => what === stops?.at && resolve();
  });
  const subscriber: AgentSubscriber = {
    onEvent({ event, messages }) {
      if (event.type === EventType.MESSAGES_SNAPSHOT) live = structuredClone([...messages]);
      events.push(event);
    },
  };
  let refused: string | undefined;
  if (stops?.by === "unsubscribing") {
    const { threadId, messages, state } = agent;
    const input = { threadId, messages, state, runId: "", tools: [], context: [], ...parameters };
    const subscription = agent.run(input as RunAgentInput).subscribe((event) => events.push(event));
    await stopped.then(() => subscription.unsubscribe());
    // Nothing tells the client that its run is over, so the server's end of it is waited for.
    await server.idle();
  } else {
    const running = connects ? agent.connectAgent({}, subscriber) : agent.runAgent(parameters, subscriber);
    if (stops) await stopped.then(() => agent.abortRun());
    refused = await running.then(
      () => undefined,
      (error: Error) => error.message,
    );
    await server.idle();
  }
  const custom = events.filter(({ type }) => type === EventType.CUSTOM) as (BaseEvent & { name: string })[];
  const ends = events.filter(({ type }) => type === EventType.RUN_FINISHED || type === EventType.RUN_ERROR);
  return {
    live,
    messages: agent.messages,
    state: agent.state,
    interrupts: [
      ...custom.filter((event) => event.name === "on_interrupt").map(plain),
      ...(agent.pendingInterrupts ?? []),
    ],
    custom: custom.filter((event) => event.name !== "on_interrupt").map(plain),
    end: { events: ends.map(plain), ...(refused !== undefined && { refused }) },
    steps: events.flatMap((event) =>
      event.type === EventType.STEP_STARTED ? (event as StepStartedEvent).stepName : [],
    ),
    payload: server.asked.find(({ method }) => method === "runs.stream")?.args[0] ?? null,
    fate: server.fate,
    updates: server.asked.filter(({ method }) => method !== "runs.stream"),
  };
}

function plain({ rawEvent: _raw, timestamp: _time, ...event }: BaseEvent) {
  return event;
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Gives the ids that an adapter made the names "made-1", "made-2", … in the order of their appearance. */
function namer(recorded: string): <T>(value: T) => T {
  const names = new Map<string, string>();
  return (value) =>
    JSON.parse(
      JSON.stringify(value).replace(UUID, (id) => {
        if (recorded.includes(id)) return id;
        const made = names.get(id) ?? `made-${names.size + 1}`;
        names.set(id, made);
        return made;
      }),
    );
}
