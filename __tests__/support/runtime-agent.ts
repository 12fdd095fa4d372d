import { type BaseEvent, EventType, type RawEvent, type RunAgentInput } from "@ag-ui/client";
import {
  LangGraphAgent,
  type ProcessedEvents,
  type SchemaKeys,
  type State,
  type StateEnrichment,
} from "ag-ui-langgraph";
import { map, type Observable } from "rxjs";

type Merge = LangGraphAgent["langGraphDefaultMergeState"];
type Metadata = Record<string, unknown>;

const textEvents = new Set([
  EventType.TEXT_MESSAGE_START,
  EventType.TEXT_MESSAGE_CONTENT,
  EventType.TEXT_MESSAGE_END,
]);
const callEvents = new Set([EventType.TOOL_CALL_START, EventType.TOOL_CALL_ARGS, EventType.TOOL_CALL_END]);

/** A subclass that uses the agent as the one of CopilotKit's runtime does: the same overrides, reads and writes. */
export class RuntimeAgent extends LangGraphAgent {
  override dispatchEvent(event: ProcessedEvents): boolean {
    if (event.type === EventType.CUSTOM) {
      const { name, value } = event;
      if (name === "copilotkit_manually_emit_message") return this.sendText(value, event);
      if (name === "copilotkit_manually_emit_tool_call") return this.sendCall(value, event);
      if (name === "copilotkit_manually_emit_intermediate_state") {
        if (this.activeRun) this.activeRun.manuallyEmittedState = value;
        const snapshot = this.getStateSnapshot({ values: value } as never);
        return this.dispatchEvent({ type: EventType.STATE_SNAPSHOT, snapshot, rawEvent: event });
      }
      if (name === "copilotkit_exit") {
        this.subscriber.next({ type: EventType.CUSTOM, name: "Exit", value: true });
        return true;
      }
    }
    const metadata: Metadata = event.rawEvent?.metadata ?? {};
    if (metadata["copilotkit:emit-tool-calls"] === false && callEvents.has(event.type)) return false;
    if (metadata["copilotkit:emit-messages"] === false && textEvents.has(event.type)) {
      if (this.activeRun) this.messagesInProcess[this.activeRun.id] = null;
      return false;
    }
    this.subscriber.next(event);
    return true;
  }

  private sendText({ message_id: messageId, message }: Record<string, string>, rawEvent: unknown): boolean {
    this.subscriber.next({
      type: EventType.TEXT_MESSAGE_START,
      role: "assistant",
      messageId,
      rawEvent,
    } as never);
    this.subscriber.next({
      type: EventType.TEXT_MESSAGE_CONTENT,
      messageId,
      delta: message,
      rawEvent,
    } as never);
    this.subscriber.next({ type: EventType.TEXT_MESSAGE_END, messageId, rawEvent } as never);
    return true;
  }

  private sendCall({ id, name, args }: Record<string, string>, rawEvent: unknown): boolean {
    const call = { toolCallId: id, rawEvent };
    this.subscriber.next({
      type: EventType.TOOL_CALL_START,
      toolCallName: name,
      parentMessageId: id,
      ...call,
    } as never);
    this.subscriber.next({ type: EventType.TOOL_CALL_ARGS, delta: args, ...call } as never);
    this.subscriber.next({ type: EventType.TOOL_CALL_END, ...call } as never);
    return true;
  }

  // @ts-expect-error: the runtime declares it wider, too
  override run(input: RunAgentInput): Observable<BaseEvent> {
    const forwardedProps = {
      ...input.forwardedProps,
      streamSubgraphs: input.forwardedProps?.streamSubgraphs ?? true,
    };
    const messages = input.messages.filter(({ role }) => role !== "reasoning");
    return super.run({ ...input, messages, forwardedProps }).pipe(map(predictState));
  }

  override langGraphDefaultMergeState(
    ...[state, messages, input]: Parameters<Merge>
  ): State<StateEnrichment & { copilotkit: { actions: unknown[]; context: unknown[] } }> {
    const merged = super.langGraphDefaultMergeState(state, messages, input);
    const { tools, "ag-ui": agui } = merged;
    const byName = new Map([...(tools ?? []), ...(agui?.tools ?? [])].map((tool) => [tool.name, tool]));
    return { ...merged, copilotkit: { actions: [...byName.values()], context: agui?.context ?? [] } };
  }

  override async getSchemaKeys(): Promise<SchemaKeys> {
    const keys = (await super.getSchemaKeys()) as NonNullable<SchemaKeys>;
    const widened = (list: string[] | null) => list && [...list, "copilotkit"];
    return {
      config: keys.config,
      input: widened(keys.input),
      output: widened(keys.output),
      context: widened(keys.context),
    };
  }
}

/** A streamed call of a tool that predicts state becomes the event that the client follows. */
function predictState(event: BaseEvent): BaseEvent {
  if (event.type !== EventType.RAW) return event;
  const raw = (event as RawEvent).event ?? event.rawEvent;
  const predicted = raw.metadata?.["copilotkit:emit-intermediate-state"] as { tool: string }[] | undefined;
  const called = raw.data?.chunk?.tool_call_chunks?.[0]?.name;
  if (raw.event !== "on_chat_model_stream" || !predicted?.some(({ tool }) => tool === called)) return event;
  return { type: EventType.CUSTOM, name: "PredictState", value: predicted } as BaseEvent;
}
