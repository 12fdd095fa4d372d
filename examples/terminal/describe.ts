import { type BaseEvent, EventType } from "@ag-ui/client";
import { oneLine } from "./paint";

/** One line of the timeline. */
export interface Line {
  kind: string;
  content: string;
  failed?: boolean;
  /** Of use to whoever looks for it only. */
  minor?: boolean;
}

type Fields = Record<string, unknown>;

/**
 * What an event says to a person; nothing for the parts that a later line tells as a whole.
 *
 * @param toolOf The name of the tool of a call, as far as it is known.
 */
export function describe(
  event: BaseEvent,
  toolOf: (callId: unknown) => string | undefined,
): Line | undefined {
  const fields = event as BaseEvent & Fields;
  switch (event.type) {
    case EventType.RUN_STARTED:
      return { kind: "run", content: `started (${oneLine(fields.runId)})` };
    case EventType.RUN_FINISHED:
      return { kind: "run", content: `finished${outcome(fields.outcome)}` };
    case EventType.RUN_ERROR:
      return { kind: "run", content: `failed: ${said(fields)}`, failed: true };
    case EventType.STEP_STARTED:
      return { kind: "step", content: oneLine(fields.stepName), minor: true };
    case EventType.TOOL_CALL_RESULT:
      return result(fields, toolOf(fields.toolCallId));
    case EventType.STATE_SNAPSHOT:
      return { kind: "state", ...state(object(fields.snapshot)) };
    case EventType.STATE_DELTA:
      return { kind: "state", content: oneLine(fields.delta) };
    case EventType.MESSAGES_SNAPSHOT:
      return { kind: "messages", ...messages(fields.messages) };
    case EventType.CUSTOM: {
      const failed = String(fields.name).endsWith("_error");
      return { kind: "custom", content: `${oneLine(fields.name)} ${oneLine(fields.value)}`, failed };
    }
    case EventType.SUBAGENT_STARTED:
      return { kind: "subagent", content: `${oneLine(fields.name ?? fields.subagentRunId)} started` };
    case EventType.SUBAGENT_FINISHED:
      return { kind: "subagent", content: "finished" };
    case EventType.SUBAGENT_ERROR:
      return { kind: "subagent", content: `failed: ${said(fields)}`, failed: true };
    default:
      return undefined;
  }
}

const said = ({ message, code }: Fields) => `${oneLine(message)}${code ? ` [${oneLine(code)}]` : ""}`;

/** What the adapter and its middlewares keep in a state; the messages have a line of their own. */
const NOT_THE_GRAPHS_OWN = new Set(["messages", "tools", "ag-ui", "copilotkit"]);

function state(snapshot: Fields): Omit<Line, "kind"> {
  const own = Object.entries(snapshot).filter(([key]) => !NOT_THE_GRAPHS_OWN.has(key));
  if (own.length > 0) return { content: oneLine(Object.fromEntries(own)) };
  return { content: Object.keys(snapshot).join(", "), minor: true };
}

function result({ toolCallId, content, metadata }: Fields, tool: string | undefined): Line {
  const { status, error } = object(metadata);
  const id = tool ?? oneLine(toolCallId);
  // "error" stands for a failure whose text is not known; then the content says more
  const why = error && error !== "error" ? error : content;
  if (status === "error") return { kind: "result", content: `${id} failed: ${oneLine(why)}`, failed: true };
  return { kind: "result", content: `${id} ${oneLine(content)}` };
}

function messages(value: unknown): Omit<Line, "kind"> {
  const all = Array.isArray(value) ? value.map(object) : [];
  const failed = all.filter((message) => message.role === "tool" && message.error);
  const content = all.map(({ role }) => oneLine(role)).join(", ");
  if (failed.length === 0) return { content };
  return {
    content: `${content} (failed: ${failed.map(({ error }) => oneLine(error)).join("; ")})`,
    failed: true,
  };
}

function outcome(value: unknown): string {
  const { type } = object(value);
  return type === undefined || type === "success" ? "" : ` (${oneLine(type)})`;
}

const object = (value: unknown): Fields =>
  typeof value === "object" && value !== null ? (value as Fields) : {};
