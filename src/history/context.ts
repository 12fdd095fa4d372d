import type { HistoryRepair, HistoryRepairKind, LangChainMessage } from "../types";
import type { NativeCall, ToolResult } from "./shapes";

/** A set that is only asked. */
export type Ids = Pick<ReadonlySet<string>, "has">;

/** What the guards of a history are told, and how they tell what they did. */
export interface GuardContext {
  danglingCalls: "answer" | "demote";
  toolErrorContent: "legible" | "as-is";
  /** Only calls of these tools are recognised in a text. */
  allowedToolNames: ReadonlySet<string>;
  /** The calls that the coming run still answers. */
  openCallIds: ReadonlySet<string>;
  /** Whether unanswered calls at the very end of the history may still be answered. */
  keepLiveEnd: boolean;
  /** The ids of the messages that a checkpoint, or the graph itself, made: they are kept for life. */
  storedIds: Ids;
  /** The ids of the client's messages that were not its last: they are no end of a history, wherever they stand. */
  settledIds: Set<string>;
  /** The results whose call is known, where their ids alone would not tell. */
  assigned: Map<ToolResult, NativeCall>;
  report(
    kind: HistoryRepairKind,
    message: Pick<LangChainMessage, "id">,
    detail: string,
    toolCallId?: string,
  ): void;
}

/** The parts of a context that every caller may leave out. */
export interface GuardSettings {
  /** What becomes of a native call that nothing will answer: a failed result (default), or it is taken out. */
  danglingCalls?: "answer" | "demote";
  /** Whether a failure is written into the content that the model reads (default), or left as it is. */
  toolErrorContent?: "legible" | "as-is";
  /** The tools whose calls are recognised when a model wrote them as text. None by default. */
  allowedToolNames?: Iterable<string>;
  /** The calls that the coming run still answers. None by default. */
  openCallIds?: Iterable<string>;
  /** Told every repair. */
  onRepair?: (repair: HistoryRepair) => void;
}

const NONE: ReadonlySet<string> = new Set();

export function guardContext(
  settings: GuardSettings,
  rest: { keepLiveEnd: boolean; storedIds?: Ids },
): GuardContext {
  const { onRepair } = settings;
  return {
    danglingCalls: settings.danglingCalls ?? "answer",
    toolErrorContent: settings.toolErrorContent ?? "legible",
    allowedToolNames: asSet(settings.allowedToolNames),
    openCallIds: asSet(settings.openCallIds),
    keepLiveEnd: rest.keepLiveEnd,
    storedIds: rest.storedIds ?? NONE,
    settledIds: new Set(),
    assigned: new Map(),
    report(kind, message, detail, toolCallId) {
      onRepair?.({
        kind,
        messageId: message.id ?? "",
        ...(toolCallId !== undefined && { toolCallId }),
        detail,
      });
    },
  };
}

/** A set as it is, any other iterable as a set. A single string is one name, not its letters. */
function asSet(names: Iterable<string> | undefined): ReadonlySet<string> {
  if (names === undefined || names === null) return NONE;
  if (typeof names === "string") return new Set([names]);
  return names instanceof Set ? names : new Set(names);
}

/** The ids of messages, gathered when somebody asks: on an ordinary turn nobody does. */
export function idsOf(messages: readonly LangChainMessage[]): Ids {
  let ids: Set<string> | undefined;
  return {
    has(id) {
      ids ??= new Set(messages.flatMap((message) => message.id ?? []));
      return ids.has(id);
    },
  };
}
