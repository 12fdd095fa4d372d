import { EventType } from "@ag-ui/client";
import type { AnyEvent } from "./gate";

/** Which subagent a message or a call belongs to; `undefined` is the run itself. */
type Owner = string | undefined;
type Kind = "message" | "toolCall" | "reasoning" | "activity";

/**
 * The client refuses an event that names another subagent than the one its message or call belongs to. Such an event
 * keeps its content and gets the right name.
 */
export interface Attribution {
  correct(event: AnyEvent): AnyEvent;
}

const OPENERS: Partial<Record<string, [Kind, string]>> = {
  [EventType.TEXT_MESSAGE_START]: ["message", "messageId"],
  [EventType.TOOL_CALL_START]: ["toolCall", "toolCallId"],
  [EventType.REASONING_START]: ["reasoning", "messageId"],
  [EventType.REASONING_MESSAGE_START]: ["reasoning", "messageId"],
};

const FOLLOWERS: Partial<Record<string, [Kind, string]>> = {
  [EventType.TEXT_MESSAGE_CONTENT]: ["message", "messageId"],
  [EventType.TEXT_MESSAGE_END]: ["message", "messageId"],
  [EventType.TOOL_CALL_ARGS]: ["toolCall", "toolCallId"],
  [EventType.TOOL_CALL_END]: ["toolCall", "toolCallId"],
  [EventType.REASONING_MESSAGE_CONTENT]: ["reasoning", "messageId"],
  [EventType.REASONING_MESSAGE_END]: ["reasoning", "messageId"],
  [EventType.REASONING_END]: ["reasoning", "messageId"],
  [EventType.ACTIVITY_DELTA]: ["activity", "messageId"],
};

export function createAttribution(): Attribution {
  const owners: Record<Kind, Map<unknown, Owner>> = {
    message: new Map(),
    toolCall: new Map(),
    reasoning: new Map(),
    activity: new Map(),
  };

  const agreeing = (event: AnyEvent, kind: Kind, id: unknown): AnyEvent =>
    owners[kind].has(id) ? agreeingWith(event, owners[kind].get(id)) : event;

  const open = (event: AnyEvent, kind: Kind, id: unknown): AnyEvent => {
    const known = owners[kind];
    const parent = event.type === EventType.TOOL_CALL_START ? event.parentMessageId : undefined;
    if (parent === undefined || !owners.message.has(parent))
      return remember(agreeing(event, kind, id), kind, id);
    const owner = owners.message.get(parent);
    // The client has the call already, in a message of its owner.
    if (known.has(id) && known.get(id) !== owner)
      return agreeing(without(event, "parentMessageId"), kind, id);
    return remember(agreeingWith(event, owner), kind, id, owner);
  };

  const remember = (event: AnyEvent, kind: Kind, id: unknown, inherited?: Owner): AnyEvent => {
    if (!owners[kind].has(id)) owners[kind].set(id, ownerOf(event) ?? inherited);
    return event;
  };

  const learnMessages = (messages: unknown) => {
    if (!Array.isArray(messages)) return;
    for (const message of messages) {
      if (typeof message !== "object" || message === null) continue;
      const owner = ownerOf(message);
      owners[bucketOf(message.role)].set(message.id, owner);
      for (const call of Array.isArray(message.toolCalls) ? message.toolCalls : []) {
        owners.toolCall.set(call?.id, owner);
      }
    }
  };

  return {
    correct(event) {
      const opener = OPENERS[event.type];
      if (opener) return open(event, opener[0], event[opener[1]]);
      const follower = FOLLOWERS[event.type];
      if (follower) return agreeing(event, follower[0], event[follower[1]]);
      switch (event.type) {
        case EventType.TOOL_CALL_RESULT:
          owners.message.set(event.messageId, ownerOf(event));
          return event;
        case EventType.ACTIVITY_SNAPSHOT:
          if (event.replace !== false || !owners.activity.has(event.messageId)) {
            owners.activity.set(event.messageId, ownerOf(event));
          }
          return event;
        case EventType.REASONING_ENCRYPTED_VALUE:
          if (event.subtype === "tool-call") return agreeing(event, "toolCall", event.entityId);
          return agreeing(
            event,
            owners.message.has(event.entityId) ? "message" : "reasoning",
            event.entityId,
          );
        case EventType.MESSAGES_SNAPSHOT:
          learnMessages(event.messages);
          return event;
        case EventType.RUN_STARTED:
          learnMessages((event.input as { messages?: unknown } | undefined)?.messages);
          return event;
        default:
          return event;
      }
    },
  };
}

function ownerOf(owned: object): Owner {
  const { subagentRunId } = owned as { subagentRunId?: unknown };
  return typeof subagentRunId === "string" ? subagentRunId : undefined;
}

function agreeingWith(event: AnyEvent, owner: Owner): AnyEvent {
  if (event.subagentRunId === owner) return event;
  return owner === undefined ? without(event, "subagentRunId") : { ...event, subagentRunId: owner };
}

function without(event: AnyEvent, field: string): AnyEvent {
  const { [field]: _, ...rest } = event;
  return rest as AnyEvent;
}

function bucketOf(role: unknown): Kind {
  return role === "reasoning" || role === "activity" ? role : "message";
}
