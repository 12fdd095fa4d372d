import { idOf, isRecord } from "../messages/json";
import { readMessage } from "../messages/read-message";
import type { FoundHistory } from "./read-history";

/** Where a message stands in the history, from 0, and who speaks. */
export interface Position {
  index: number;
  role: string;
}

/** Finds the message that a repair names; nothing for one that the history does not have. */
export function positionsIn({ messages }: FoundHistory) {
  const places = new Map<string, number>();
  let withoutId = 0;
  for (const [index, message] of messages.entries()) {
    const id = idIn(message);
    if (id === "") withoutId += 1;
    for (const place of [placeOf(id), placeOf(id, callIdIn(message))])
      if (!places.has(place)) places.set(place, index);
  }
  return (messageId: string, toolCallId?: string): Position | undefined => {
    const named = toolCallId === undefined ? undefined : places.get(placeOf(messageId, toolCallId));
    // Of several messages without an id none can be meant for certain.
    const isCertain = messageId !== "" || withoutId === 1;
    const index = named ?? (isCertain ? places.get(placeOf(messageId)) : undefined);
    return index === undefined ? undefined : { index, role: roleOf(messages[index]) };
  };
}

const placeOf = (id: string, callId?: string): string => JSON.stringify([id, callId]);

const fieldsOf = (message: unknown): Record<string, unknown> =>
  (readMessage(message) as Record<string, unknown> | undefined) ?? (isRecord(message) ? message : {});

const idIn = (message: unknown): string => idOf(fieldsOf(message).id) ?? "";

/** The call that a tool message answers. */
function callIdIn(message: unknown): string | undefined {
  const { tool_call_id, toolCallId } = fieldsOf(message);
  return idOf(tool_call_id ?? toolCallId);
}

/** Who speaks, in the words of the history's own format. */
function roleOf(message: unknown): string {
  const { type, role } = isRecord(message) && typeof message.type !== "string" ? message : fieldsOf(message);
  const name = type ?? role;
  return typeof name === "string" ? name : "no message";
}
