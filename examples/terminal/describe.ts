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

/** What an event says to a person; nothing for the parts that a later line tells as a whole. */
export function describe(event: BaseEvent): Line | undefined {
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
      return result(fields);
    case EventType.STATE_SNAPSHOT:
      return { kind: "state", content: Object.keys(object(fields.snapshot)).join(", "), minor: true };
    case EventType.STATE_DELTA:
      return { kind: "state", content: oneLine(fields.delta), minor: true };
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

function result({ toolCallId, content, metadata }: Fields): Line {
  const { status, error } = object(metadata);
  const id = oneLine(toolCallId);
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
