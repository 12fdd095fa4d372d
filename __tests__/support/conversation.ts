import { EventType, type Message, type RunAgentParameters } from "@ag-ui/client";
import { LangGraphAgent, type LangGraphAgentConfig, type ProcessedEvents } from "ag-ui-langgraph";
import { readMessage } from "../../src/messages/read-message";
import { expectAccepted } from "./fold";
import { type Played, play } from "./play";

/** What one line per message says of a conversation. */
export const lines = (messages: readonly Message[]) =>
  messages.map(({ role, content, ...rest }) =>
    [
      role,
      content,
      ...((rest as { toolCalls?: { function: { name: string } }[] }).toolCalls ?? []).map(
        (call) => `+${call.function.name}`,
      ),
    ]
      .filter((part) => part !== undefined && part !== "")
      .join(" "),
  );

/** The look-up of a schema costs a server seconds, and nothing of it is looked at here. */
class Agent extends LangGraphAgent {
  override async getSchemaKeys() {
    return null;
  }
}

/** A client that comes back to a thread, and all that it was told. */
export class Conversation {
  readonly agent: LangGraphAgent;
  readonly starts: string[] = [];
  readonly results: string[] = [];
  pending: string[] = [];

  constructor(private readonly config: LangGraphAgentConfig) {
    this.agent = new Agent(config);
  }

  /** One run; its events give what its last snapshot says. */
  async run(
    messages: Message[] = [],
    parameters: RunAgentParameters = {},
    options: { differs?: string } = {},
  ): Promise<Played> {
    const played = await play(this.agent, messages, parameters, options);
    const events = played.events as ProcessedEvents[];
    expectAccepted(events);
    this.pending = this.agent.pendingInterrupts.map(({ id }) => id);
    // The client's own check is not what is looked at here; a runtime makes a fresh agent for each request.
    this.agent.pendingInterrupts = [];
    if (options.differs === undefined) this.note(events);
    return played;
  }

  private note(events: readonly ProcessedEvents[]): void {
    for (const event of events) {
      if (event.type === EventType.TOOL_CALL_START) this.starts.push(event.toolCallId);
      if (event.type === EventType.TOOL_CALL_RESULT) this.results.push(event.toolCallId);
    }
    expect(this.starts).toEqual([...new Set(this.starts)]);
    expect(this.results).toEqual([...new Set(this.results)]);
  }

  answer(ids = this.pending, options: { differs?: string } = {}): Promise<Played> {
    const resume = ids.map((interruptId) => ({ interruptId, status: "resolved" as const, payload: "yes" }));
    return this.run([], { resume } as RunAgentParameters, options);
  }

  /** What somebody sees who opens the thread for the first time. */
  async reload(): Promise<LangGraphAgent> {
    const other = new Agent(this.config);
    await other.connectAgent();
    return other;
  }

  async stored(): Promise<Message["id"][]> {
    const { values } = await this.agent.client.threads.getState<{ messages?: unknown[] }>(
      this.agent.threadId,
    );
    return (values.messages ?? []).map((message) => String(readMessage(message)?.id));
  }

  ids = () => this.agent.messages.map(({ id }) => id);
  lines = () => lines(this.agent.messages);
}
