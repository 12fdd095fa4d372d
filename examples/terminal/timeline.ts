import { type BaseEvent, EventType } from "@ag-ui/client";
import { describe, type Line } from "./describe";
import { oneLine, type Paint, paintFor } from "./paint";

export interface TimelineOptions {
  /** Where lines go. Default: standard output. */
  write?: (text: string) => void;
  paint?: Paint;
  /** How many columns what is said may take. Default: those of the terminal, and no limit where there is none. */
  width?: number;
  /** Every event as one line of JSON, for machines. */
  json?: boolean;
  /** Milliseconds. */
  now?: () => number;
}

/** The columns of time and kind. */
const BEFORE_CONTENT = 23;

/** A text, a call or a reasoning that is streaming. */
interface Open {
  kind: string;
  name: string;
  text: string;
  since: number;
}

/** What is streamed in pieces: the event that opens it, the one with a piece, and the one that ends it. */
const STREAMED: Record<string, { kind: string; part: "start" | "piece" | "end"; id: string }> = {
  [EventType.TEXT_MESSAGE_START]: { kind: "text", part: "start", id: "messageId" },
  [EventType.TEXT_MESSAGE_CONTENT]: { kind: "text", part: "piece", id: "messageId" },
  [EventType.TEXT_MESSAGE_END]: { kind: "text", part: "end", id: "messageId" },
  [EventType.REASONING_MESSAGE_START]: { kind: "reasoning", part: "start", id: "messageId" },
  [EventType.REASONING_MESSAGE_CONTENT]: { kind: "reasoning", part: "piece", id: "messageId" },
  [EventType.REASONING_MESSAGE_END]: { kind: "reasoning", part: "end", id: "messageId" },
  [EventType.TOOL_CALL_START]: { kind: "call", part: "start", id: "toolCallId" },
  [EventType.TOOL_CALL_ARGS]: { kind: "call", part: "piece", id: "toolCallId" },
  [EventType.TOOL_CALL_END]: { kind: "call", part: "end", id: "toolCallId" },
};

/**
 * Shows runs as a timeline, a line per event with its time, kind and content; the pieces of one message are one
 * line, at the time of its first piece. Give its `onEvent` to `runAgent` as a subscriber.
 */
export function createTimeline(options: TimelineOptions = {}) {
  const {
    write = (text) => process.stdout.write(text),
    paint = paintFor(process.stdout),
    width = process.stdout.columns ? Math.max(process.stdout.columns - BEFORE_CONTENT, 40) : Infinity,
    now = Date.now,
  } = options;
  const begin = now();
  const open = new Map<string, Open>();
  const tools = new Map<unknown, string>();

  const print = ({ kind, content, failed, minor }: Line, at = now()) => {
    const time = `${((at - begin) / 1000).toFixed(3)}s`.padStart(9);
    const line = `${kind.padEnd(10)} ${oneLine(content, width)}`;
    write(`${paint.dim(time)}  ${failed ? paint.red(line) : minor ? paint.dim(line) : line}\n`);
  };

  /** Ends what is streaming: all of it where a run ends before its messages do. */
  const close = (key: string) => {
    const streamed = open.get(key);
    if (!streamed) return;
    open.delete(key);
    print({ kind: streamed.kind, content: `${streamed.name}${oneLine(streamed.text)}` }, streamed.since);
  };

  const show = (event: BaseEvent) => {
    const fields = event as BaseEvent & Record<string, unknown>;
    const streamed = STREAMED[event.type];
    if (!streamed) {
      if (event.type === EventType.RUN_ERROR || event.type === EventType.RUN_FINISHED)
        for (const key of [...open.keys()]) close(key);
      const line = describe(event, (callId) => tools.get(callId));
      if (line) print(line);
      return;
    }
    const key = `${streamed.kind} ${fields[streamed.id]}`;
    if (streamed.part === "start") {
      const name = streamed.kind === "call" ? `${oneLine(fields.toolCallName)} ` : "";
      if (name) tools.set(fields.toolCallId, name.trim());
      open.set(key, { kind: streamed.kind, name, text: "", since: now() });
    }
    const current = open.get(key);
    if (streamed.part === "piece" && current) current.text += String(fields.delta ?? "");
    if (streamed.part === "end") close(key);
  };

  return {
    onEvent: ({ event }: { event: BaseEvent }): void =>
      options.json ? write(`${JSON.stringify(event)}\n`) : show(event),
    /** A line of one's own, for what happens outside the run. */
    note: (line: Line): void => (options.json ? undefined : print(line)),
  };
}
