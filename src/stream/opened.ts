import { EventType } from "@ag-ui/client";
import type { ProcessedEvents } from "../types";

/** The id of the message that a client has from this event on. */
export function openedBy(event: ProcessedEvents): string | undefined {
  switch (event.type) {
    case EventType.TEXT_MESSAGE_START:
    case EventType.REASONING_MESSAGE_START:
    case EventType.TOOL_CALL_RESULT:
      return event.messageId;
    case EventType.TOOL_CALL_START:
      return event.parentMessageId;
    default:
      return undefined;
  }
}
