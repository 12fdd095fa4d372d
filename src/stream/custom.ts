import { EventType } from "@ag-ui/client";
import { idOf, isRecord, textOrNothing } from "../messages/json";
import { CustomEventNames, type ProcessedEvents } from "../types";
import { argsText } from "./call-pieces";
import type { TranslationContext } from "./context";
import type { Raw } from "./raw";
import type { Origin, Place } from "./row";
import type { States } from "./state";
import type { Texts } from "./text";
import type { ToolCalls } from "./tool-calls";

export interface Customs {
  /**
   * A custom event of a graph; some names are requests to the adapter. Hidden graphs cannot emit messages and calls by
   * it; whatever else they tell the client on purpose, they tell it.
   */
  event(name: string, data: unknown, origin: Origin): void;
  /** What a graph writes with the stream writer. */
  write(data: unknown, origin: Origin): void;
  readonly exitRequested: boolean;
}

interface Machines {
  texts: Texts;
  calls: ToolCalls;
  states: States;
}

export function createCustoms(
  context: TranslationContext,
  raw: Raw,
  { texts, calls, states }: Machines,
  isHidden: (place: Place) => boolean,
  emit: (event: ProcessedEvents) => void,
): Customs {
  let exitRequested = false;

  const custom = (name: string, value: unknown, origin: Origin) =>
    emit({ type: EventType.CUSTOM, name, value: value ?? null, ...raw.of(origin) });

  const tellMessage = (data: unknown, origin: Origin) => {
    if (!isRecord(data)) return;
    const text = textOrNothing(data.message) ?? "";
    texts.tell(idOf(data.message_id) ?? context.newId(), "assistant", text, origin);
  };

  const tellCall = (data: unknown, origin: Origin) => {
    if (!isRecord(data)) return;
    const id = idOf(data.id) ?? context.newId();
    const call = {
      id,
      name: textOrNothing(data.name) ?? "tool",
      args: argsText(data.args, ""),
      parentMessageId: id,
    };
    calls.tell(call, origin);
  };

  return {
    get exitRequested() {
      return exitRequested;
    },
    event(name, data, origin) {
      switch (name) {
        case CustomEventNames.ManuallyEmitMessage:
          return isHidden(origin.place) ? undefined : tellMessage(data, origin);
        case CustomEventNames.ManuallyEmitToolCall:
          return isHidden(origin.place) ? undefined : tellCall(data, origin);
        case CustomEventNames.ManuallyEmitState:
          states.setByHand(data, origin);
          break;
        case CustomEventNames.Exit:
          exitRequested = true;
          break;
        default:
          states.noteCustom(origin);
      }
      custom(name, data, origin);
    },
    write: (data, origin) => custom("custom", data, origin),
  };
}
