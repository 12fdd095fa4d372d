import { type PreparedHistory, type PrepareHistoryOptions, prepareHistory } from "../history/prepare";
import { checkHistory } from "../history/rules";
import { callsOf, idText, isAi, isToolResult } from "../history/shapes";
import { aguiMessagesToLangChain } from "../messages/to-langchain";
import type { AguiMessage, HistoryRepair, LangChainMessage } from "../types";
import { type BrokenRule, ruleFinder } from "./broken-rule";
import { type Position, positionsIn } from "./positions";
import type { FoundHistory, HistoryFormat } from "./read-history";

/** How the guards are set, as they are on the agent. */
export type DoctorSettings = Pick<
  PrepareHistoryOptions,
  "danglingCalls" | "toolErrorContent" | "allowedToolNames" | "openCallIds"
>;

/** One thing that is wrong in a history. Names ids, never contents. */
export interface Finding extends BrokenRule, Partial<Position> {
  kind: HistoryRepair["kind"] | "not-mended";
  messageId: string;
  toolCallId?: string;
  /** One sentence: how the guards mend it. */
  repair: string;
  /** Whether it stays in the stored history and is mended only in what the model is shown. */
  onlyForModel: boolean;
}

export interface Diagnosis {
  format: HistoryFormat;
  /** How many messages the history has. */
  count: number;
  findings: Finding[];
  /** The calls at the end that somebody may still answer. */
  openCalls: string[];
  /** How many messages are for the client only and are never sent to a model. */
  clientOnly: number;
  mended: Pick<PreparedHistory, "messages" | "update">;
}

/** What AG-UI has and a graph does not need: nothing is wrong with leaving it out. */
const FOR_CLIENT_ONLY: ReadonlySet<unknown> = new Set(["activity", "developer", "reasoning"]);

/** What is wrong in a history, and how a run of the agent would mend it. */
export function diagnose(history: FoundHistory, settings: DoctorSettings = {}): Diagnosis {
  const { format, messages } = history;
  const isAgui = format === "AG-UI";
  const sent = messages as readonly AguiMessage[];
  const { repairs, ...mended } = prepareHistory({
    ...settings,
    checkpoint: isAgui ? [] : messages,
    input: isAgui ? sent : [],
  });
  const positionOf = positionsIn(history);
  const rules = { liveEnd: true, toolErrorContent: settings.toolErrorContent };
  const ruleOf = ruleFinder(checkHistory(isAgui ? aguiMessagesToLangChain(sent) : messages, rules));
  const found = repairs.map((repair): Finding => {
    const { messageId, toolCallId, kind, detail } = repair;
    const position = positionOf(messageId, toolCallId);
    const where = { messageId, ...(toolCallId !== undefined && { toolCallId }), ...position };
    return { ...where, kind, ...ruleOf(repair), repair: detail, onlyForModel: false };
  });
  const findings = found.filter(({ kind, role }) => kind !== "message-skipped" || !FOR_CLIENT_ONLY.has(role));
  const resumed = new Set(settings.openCallIds);
  const left = checkHistory(mended.messages, rules)
    .filter(({ rule, toolCallId = "" }) => rule !== 2 || !resumed.has(toolCallId))
    .map(({ index: _, ...violation }): Finding => {
      const isRefusedId = violation.rule === 1;
      return {
        ...violation,
        ...positionOf(violation.messageId, violation.toolCallId),
        kind: isRefusedId ? "call-id-mapped" : "not-mended",
        repair: isRefusedId
          ? "The id is kept; historyGuardMiddleware() shows the model one that every provider takes."
          : "The guards do not mend this.",
        onlyForModel: isRefusedId,
      };
    });
  return {
    format,
    count: messages.length,
    findings: [...findings, ...left].sort(byPosition),
    openCalls: openCalls(mended.messages),
    clientOnly: found.length - findings.length,
    mended,
  };
}

/** In the order of the messages; those that the history does not have come last. */
const byPosition = ({ index: left = Infinity }: Finding, { index: right = Infinity }: Finding): number =>
  left === right ? 0 : left - right;

/** The calls of the last assistant message that have no result, where nothing but results follows it. */
export function openCalls(messages: readonly LangChainMessage[]): string[] {
  const at = messages.findLastIndex((message) => !isToolResult(message));
  const last = messages[at];
  const answered = new Set(
    messages.slice(at + 1).map((message) => isToolResult(message) && message.tool_call_id),
  );
  return last && isAi(last)
    ? callsOf(last).flatMap(({ id }) => (answered.has(idText(id)) ? [] : idText(id)))
    : [];
}
