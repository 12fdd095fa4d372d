import type { TranslationContext } from "./context";
import type { Origin, Place } from "./row";

/** An assistant message that comes into being. */
export interface LiveMessage {
  /** The id that it has in the checkpoint. */
  readonly id: string;
  readonly origin: Origin;
  /** The one mode that its chunks are taken from: what two modes both say is said once. */
  source?: "events" | "message" | "partial";
  readonly showsText: boolean;
  readonly showsCall: (name: string | undefined) => boolean;
  /** It is of a graph that the client sees nothing of. */
  readonly hidden: boolean;
  /** Its tokens are not for the client; the whole message is. */
  readonly silent: boolean;
  /** The whole message has been heard. */
  done: boolean;
}

export interface LiveMessages {
  /** The message of a model run. Its id is the one that its first chunk had, whatever later chunks say. */
  ofRun(runId: string | undefined, id: string | undefined, origin: Origin): LiveMessage;
  ofId(id: string | undefined, origin: Origin): LiveMessage;
  find(id: string): LiveMessage | undefined;
}

export function createLiveMessages(
  context: TranslationContext,
  isHidden: (place: Place) => boolean,
  onNew: (message: LiveMessage) => void,
): LiveMessages {
  const byRun = new Map<string, LiveMessage>();
  const byId = new Map<string, LiveMessage>();
  const nameless = new Map<string, LiveMessage>();

  const create = (id: string, origin: Origin): LiveMessage => {
    const message = newMessage(id, origin, isHidden(origin.place));
    byId.set(id, message);
    if (message.hidden) context.hiddenMessages?.add(id);
    onNew(message);
    return message;
  };

  return {
    ofRun(runId, id, origin) {
      let message = runId === undefined ? undefined : byRun.get(runId);
      message ??=
        (id === undefined ? undefined : byId.get(id)) ??
        create(id ?? (runId === undefined ? context.newId() : `run-${runId}`), origin);
      if (runId !== undefined) byRun.set(runId, message);
      if (id !== undefined && !byId.has(id)) byId.set(id, message);
      return message;
    },
    ofId(id, origin) {
      if (id !== undefined) return byId.get(id) ?? create(id, origin);
      const known = nameless.get(origin.place.task);
      if (known && !known.done) return known;
      const message = create(context.newId(), origin);
      nameless.set(origin.place.task, message);
      return message;
    },
    find: (id) => byId.get(id),
  };
}

function newMessage(id: string, origin: Origin, hidden: boolean): LiveMessage {
  const calls = flag(origin.metadata, "emit-tool-calls");
  return {
    id,
    origin,
    hidden,
    showsText: !hidden && flag(origin.metadata, "emit-messages") !== false,
    showsCall: (name) => !hidden && names(calls, name),
    silent: origin.tags.some((tag) => tag === "nostream" || tag === "langsmith:nostream"),
    done: false,
  };
}

function flag(metadata: Record<string, unknown>, key: string): unknown {
  return metadata[`copilotkit:${key}`] ?? metadata[key] ?? true;
}

/** A flag may also name the one tool, or list the tools, whose calls are shown. */
function names(shown: unknown, name: string | undefined): boolean {
  if (typeof shown === "string") return shown === name;
  return Array.isArray(shown) ? shown.includes(name) : Boolean(shown);
}
