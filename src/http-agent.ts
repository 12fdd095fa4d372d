import { type AgentSubscriber, HttpAgent, type RunAgentInput } from "@ag-ui/client";
import { reconcileLegacyResumeInterrupts } from "./run/interrupts";

/** A client of a LangGraph agent behind an AG-UI endpoint, which may resume through `forwardedProps.command.resume`. */
export class LangGraphHttpAgent extends HttpAgent {
  protected override async onInitialize(input: RunAgentInput, subscribers: AgentSubscriber[]): Promise<void> {
    reconcileLegacyResumeInterrupts(this, input);
    return super.onInitialize(input, subscribers);
  }
}
