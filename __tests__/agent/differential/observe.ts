import {
  type AbstractAgent,
  type AgentSubscriber,
  type BaseEvent,
  EventType,
  type Message,
  type RunAgentParameters,
  type StepStartedEvent,
} from "@ag-ui/client";
import type { Recording } from "./recording";
import { type Asked, type Failing, scriptedServer } from "./scripted-client";

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
  /** What the server was asked to run, and what else was changed there. */
  payload: unknown;
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
    agent.addMessages(step.says ?? []);
    step.before?.(agent);
    const parameters = typeof step.with === "function" ? step.with(agent) : step.with;
    observed.push(name(await run(agent, { runId: `run-${index + 1}`, ...parameters }, server.asked)));
  }
  return observed;
}

async function run(agent: AbstractAgent, parameters: RunAgentParameters, asked: Asked[]): Promise<Observed> {
  const events: BaseEvent[] = [];
  let live: Message[] = [];
  const subscriber: AgentSubscriber = {
    onEvent({ event, messages }) {
      if (event.type === EventType.MESSAGES_SNAPSHOT) live = structuredClone([...messages]);
      events.push(event);
    },
  };
  const refused = await agent.runAgent(parameters, subscriber).then(
    () => undefined,
    (error: Error) => error.message,
  );
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
    payload: asked.find(({ method }) => method === "runs.stream")?.args[0] ?? null,
    updates: asked.filter(({ method }) => method !== "runs.stream"),
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
