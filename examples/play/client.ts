import { randomUUID } from "node:crypto";
import {
  type BaseEvent,
  EventType,
  type InputContent,
  type Interrupt,
  type RunAgentParameters,
  type Tool,
} from "@ag-ui/client";
import type { AgentToolMessage, LangGraphAgent } from "ag-ui-langgraph";
import type { Line } from "../terminal/describe";

/** The client's side of an example: what the user says and does. It throws where things are not as they should be. */
export type Play = (client: PlayClient) => Promise<void>;

/** A tool of the user's browser. What it throws is the call's failure. Without `handler` nobody answers. */
export interface BrowserTool extends Omit<Tool, "name"> {
  handler?(args: never): string | Promise<string>;
}

/** Whoever watches the play. */
export interface Audience {
  onEvent(params: { event: BaseEvent }): void;
  note(line: Line): void;
}

/** More often than that a model is not given the results of its calls, so that a play comes to an end. */
const MAX_ROUNDS = 8;

/** What an application does with an agent: it sends what the user says, answers the tools of the browser, and resumes. */
export class PlayClient {
  /** The tools of the browser, by name. */
  tools: Record<string, BrowserTool> = {};
  /** Sees every event as it comes, as the application's own components do. */
  onEvent: (event: BaseEvent) => void = () => {};

  constructor(
    readonly agent: LangGraphAgent,
    private readonly audience: Audience,
  ) {}

  /**
   * The user says something. Calls of the browser's tools are answered until the model is through.
   *
   * @throws Error with the text of RUN_ERROR where a run fails.
   */
  async say(content: string | InputContent[]): Promise<void> {
    this.agent.addMessage({ id: randomUUID(), role: "user", content });
    this.audience.note({ kind: "user", content: spoken(content) });
    await this.run();
    await this.answerCalls();
  }

  /** The user answers everything that the graph has asked, and the graph goes on. */
  async answer(decide: (asked: Interrupt) => unknown): Promise<void> {
    const resume = this.agent.pendingInterrupts.map((asked) => {
      const payload = decide(asked);
      this.audience.note({
        kind: "user",
        content: `${asked.message ?? asked.id} ${JSON.stringify(payload)}`,
      });
      return { interruptId: asked.id, status: "resolved" as const, payload };
    });
    await this.run({ resume });
    await this.answerCalls();
  }

  /** What is on the user's screen. */
  show(...lines: string[]): void {
    for (const content of lines) this.audience.note({ kind: "screen", content });
  }

  /** Something beside the conversation. */
  note(line: Line): void {
    this.audience.note(line);
  }

  private async run(parameters: RunAgentParameters = {}): Promise<void> {
    let failed: string | undefined;
    const tools = Object.entries(this.tools).map(([name, { description, parameters }]) => ({
      name,
      description,
      parameters,
    }));
    await this.agent.runAgent(
      { tools, ...parameters },
      {
        onEvent: ({ event }) => {
          this.audience.onEvent({ event });
          this.onEvent(event);
          if (event.type === EventType.RUN_ERROR) failed = String((event as { message?: unknown }).message);
        },
      },
    );
    if (failed !== undefined) throw new Error(failed);
  }

  private async answerCalls(): Promise<void> {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const calls = this.openCalls();
      if (calls.length === 0) return;
      for (const { id, name, args } of calls) {
        const outcome = await this.call(name, args);
        const content = outcome.error ? `${name} failed: ${outcome.error}` : `${name} ${outcome.content}`;
        this.audience.note({ kind: "browser", content, failed: outcome.error !== undefined });
        this.agent.addMessage({ id: randomUUID(), role: "tool", toolCallId: id, ...outcome });
      }
      await this.run();
    }
    throw new Error(`The model still calls tools after ${MAX_ROUNDS} rounds.`);
  }

  /** The calls of the last answer that are for the browser, and that it will answer. */
  private openCalls(): { id: string; name: string; args: string }[] {
    const { messages } = this.agent;
    const last = messages.findLast(({ role }) => role === "user" || role === "assistant");
    if (last?.role !== "assistant") return [];
    const answered = new Set(messages.map((message) => message.role === "tool" && message.toolCallId));
    return (last.toolCalls ?? [])
      .map(({ id, function: { name, arguments: args } }) => ({ id, name, args }))
      .filter(({ id, name }) => this.tools[name]?.handler && !answered.has(id));
  }

  private async call(name: string, args: string): Promise<Pick<AgentToolMessage, "content" | "error">> {
    try {
      return { content: (await this.tools[name]?.handler?.(JSON.parse(args) as never)) ?? "" };
    } catch (error) {
      return { content: "", error: error instanceof Error ? error.message : String(error) };
    }
  }
}

/** The failure that `doing` ends with. Throws where it does not fail: then the play is not what it says. */
export async function failureOf(doing: Promise<unknown>): Promise<Error> {
  const failed = await doing.then(
    () => undefined,
    (error: Error) => error,
  );
  if (!failed) throw new Error("What should have failed did not.");
  return failed;
}

const spoken = (content: string | InputContent[]): string =>
  typeof content === "string"
    ? content
    : content.map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join(" ");
