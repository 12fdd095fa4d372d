import { createRequire } from "node:module";
import { join } from "node:path";
import type { BaseEvent, Message, State } from "@ag-ui/client";

/** A tool of the page, as `useFrontendTool` registers it. */
export interface PageTool {
  name: string;
  description: string;
  /** A zod schema. */
  parameters: object;
  handler(args: Record<string, unknown>): Promise<unknown>;
}

interface Agent {
  threadId: string;
  messages: Message[];
  state: State;
  addMessage(message: Message): void;
  subscribe(subscriber: object): { unsubscribe(): void };
}

interface RunParameters {
  agent: Agent;
  runId?: string;
  forwardedProps?: Record<string, unknown>;
  resume?: unknown[];
}

interface Core {
  getAgent(id: string): Agent | undefined;
  subscribe(subscriber: object): { unsubscribe(): void };
  runAgent(parameters: RunParameters): Promise<unknown>;
  connectAgent(parameters: { agent: Agent }): Promise<unknown>;
  stopAgent(parameters: { agent: Agent }): void;
}

type Decision =
  | { kind: "legacy-resume"; payload: unknown; interruptValue: unknown }
  | { kind: "resume"; resume: unknown[] }
  | { kind: "ignored" | "waiting" | "expired" };

interface InterruptState {
  readonly pending: { kind: string; event?: { value: unknown }; interrupts?: { id: string }[] } | null;
  setLegacy(event: { name: string; value: unknown }): void;
  setStandard(interrupts: readonly unknown[]): void;
  clear(): void;
  resolve(payload: unknown): Decision;
}

interface CoreModule {
  CopilotKitCore: new (config: object) => Core;
  ɵInterruptState: new () => InterruptState;
}

export interface PageOptions {
  /** The folder of the application, which has `@copilotkit/core`. */
  app: string;
  runtimeUrl: string;
  /** How the runtime is asked: by one route for all, or by one for each kind of request. Default: `"rest"`. */
  transport?: "rest" | "single";
  /** Headers of every request. */
  headers?: Record<string, string>;
  agentId: string;
  threadId: string;
  tools?: PageTool[];
}

/** A page of the application, without the drawing: what CopilotKit's React components do with `@copilotkit/core`. */
export interface Page {
  /** The chat as it is now. */
  readonly messages: Message[];
  readonly state: State;
  /** All events that came, also those of earlier runs. */
  readonly events: BaseEvent[];
  /** The errors that the page was told of. */
  readonly errors: string[];
  /** The states that the page showed, one after the other. */
  readonly states: State[];
  /** What the agent asks the user, if it does. */
  readonly question: unknown;
  /** Waits for an event, unless it was there already. */
  until(seen: (event: BaseEvent) => boolean): Promise<void>;
  /** Sends a message of the user, and waits until the page is idle again. */
  say(text: string): Promise<void>;
  /** Answers the question, as the callback of `useLangGraphInterrupt` does. */
  answer(payload: unknown): Promise<void>;
  /** What a page does when it is opened on a thread. */
  connect(): Promise<void>;
  stop(): void;
}

export async function openPage({
  app,
  runtimeUrl,
  transport = "rest",
  headers = {},
  agentId,
  threadId,
  tools = [],
}: PageOptions): Promise<Page> {
  Object.assign(globalThis, { window: { location: new URL("http://127.0.0.1") } });
  const { CopilotKitCore, ɵInterruptState } = createRequire(join(app, "package.json"))(
    "@copilotkit/core",
  ) as CoreModule;
  const core = new CopilotKitCore({ runtimeUrl, runtimeTransport: transport, headers, tools });
  const agent = await connected(core, agentId);
  agent.threadId = threadId;

  const page = { events: [] as BaseEvent[], errors: [] as string[], states: [] as State[] };
  const listeners = new Set<(event: BaseEvent) => void>();
  core.subscribe({ onError: ({ error }: { error: Error }) => page.errors.push(error.message) });
  agent.subscribe({
    onEvent({ event }: { event: BaseEvent }) {
      page.events.push(event);
      for (const notify of listeners) notify(event);
    },
    onStateChanged: ({ state }: { state: State }) => void page.states.push(structuredClone(state)),
  });
  const interrupts = new ɵInterruptState();
  let interruptedRun: string | undefined;
  followInterrupts(agent, interrupts, (runId) => {
    interruptedRun = runId;
  });

  return {
    ...page,
    get messages() {
      return agent.messages;
    },
    get state() {
      return agent.state;
    },
    get question() {
      const { pending } = interrupts;
      return pending?.kind === "legacy" ? pending.event?.value : pending?.interrupts;
    },
    async until(seen) {
      if (page.events.some(seen)) return;
      await new Promise<void>((resolve) => {
        listeners.add((event) => seen(event) && resolve());
      });
    },
    async say(text) {
      agent.addMessage({ id: crypto.randomUUID(), role: "user", content: text });
      await core.runAgent({ agent });
    },
    async answer(payload) {
      const decision = interrupts.resolve(payload);
      const runId = interruptedRun;
      if (decision.kind === "legacy-resume") {
        const command = { resume: decision.payload, interruptEvent: decision.interruptValue };
        await core.runAgent({ agent, runId, forwardedProps: { command } });
      } else if (decision.kind === "resume") {
        await core.runAgent({ agent, runId, resume: decision.resume });
      } else throw new Error(`the answer is ${decision.kind}`);
    },
    async connect() {
      await core.connectAgent({ agent });
    },
    stop: () => core.stopAgent({ agent }),
  };
}

/** The agent, as soon as the runtime has told of it. */
async function connected(core: Core, agentId: string): Promise<Agent> {
  const known = core.getAgent(agentId);
  if (known) return known;
  return new Promise((resolve, reject) => {
    const subscription = core.subscribe({
      onAgentsChanged() {
        const agent = core.getAgent(agentId);
        if (!agent) return;
        subscription.unsubscribe();
        resolve(agent);
      },
      onError: ({ error }: { error: Error }) => reject(error),
    });
  });
}

/** What `useInterrupt` of `@copilotkit/react-core` does with an agent. */
function followInterrupts(agent: Agent, state: InterruptState, onInterrupt: (runId: string) => void): void {
  let legacy: { name: string; value: unknown } | undefined;
  let standard: readonly unknown[] | undefined;
  const forget = () => {
    legacy = undefined;
    standard = undefined;
  };
  agent.subscribe({
    onRunStartedEvent() {
      forget();
      state.clear();
    },
    onCustomEvent({ event: { name, value } }: { event: { name: string; value: unknown } }) {
      if (name === "on_interrupt") legacy = { name, value };
    },
    onRunFinishedEvent({ outcome, interrupts }: { outcome?: string; interrupts?: readonly unknown[] }) {
      if (outcome === "interrupt") standard = interrupts;
    },
    onRunFinalized({ input }: { input: { runId: string } }) {
      if (standard?.length) state.setStandard(standard);
      else if (legacy) state.setLegacy(legacy);
      onInterrupt(input.runId);
      forget();
    },
  });
}
