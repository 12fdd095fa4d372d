import { isRecord } from "../messages/json";
import { readMessage } from "../messages/read-message";
import type { LangChainMessage } from "../types";
import { isPortableCallId } from "./call-ids";
import { isOnlyReasoning } from "./empty-content";
import { customCallIds, hasMedia, hasReservedKey, inWords } from "./results";
import { type AiMessage, callsOf, idText, isAi, isToolResult, type ToolResult } from "./shapes";

/** Where a history breaks one of the rules that the providers have in common. */
export interface RuleViolation {
  /** The number of the rule, from 1 to 11. */
  rule: number;
  /** What the rule says. */
  text: string;
  /** The position of the message in the history. */
  index: number;
  messageId: string;
  toolCallId?: string;
}

/** The rules that a history must keep to be accepted by every provider. */
export const RULES = {
  1: "Every tool call has an id of up to 64 letters, digits, - and _, which no other call has.",
  2: "An assistant message with tool calls is followed at once by a result for each of them.",
  3: "A tool result stands nowhere else.",
  4: "There is one result per call.",
  5: "Results are in the order of the calls.",
  6: "A result has the name of its call's tool.",
  7: "The content of a result is a string, and not a blank one when the call failed.",
  8: "A failure can be read in the content.",
  9: "A result has no additional key that some provider acts on.",
  10: "The history does not end with an unanswered call.",
  11: "No message is empty but an assistant message with calls, or the last one; no text block is blank.",
} as const;

/** How strictly a history is looked at. */
export interface CheckHistoryOptions {
  /** Whether the calls of the last assistant message may be unanswered: a history that is not sent to a model now. */
  liveEnd?: boolean;
  /** Whether call ids may break the pattern: a checkpoint keeps the ids that the model gave. */
  anyCallId?: boolean;
  toolErrorContent?: "legible" | "as-is";
}

/** The places where a history of LangChain messages breaks a rule; none where every provider accepts it. */
export function checkHistory(
  messages: readonly unknown[],
  options: CheckHistoryOptions = {},
): RuleViolation[] {
  const read = messages.map((message) => readMessage(message));
  const check = new Check(options, customCallIds(read.filter((message) => message !== undefined)));
  for (const [index, message] of read.entries()) check.message(message, index, read.length);
  check.end();
  return check.violations;
}

class Check {
  readonly violations: RuleViolation[] = [];
  private readonly ids = new Set<string>();
  private open:
    | { message: AiMessage; index: number; expected: Map<string, string>; order: string[]; at: number }
    | undefined;

  constructor(
    private readonly options: CheckHistoryOptions,
    private readonly custom: ReadonlySet<string>,
  ) {}

  message(message: LangChainMessage | undefined, index: number, count: number): void {
    if (message && isToolResult(message)) {
      this.result(message, index);
      return;
    }
    this.close(false);
    if (!message || !["human", "ai", "system"].includes(message.type)) {
      this.add(11, {}, index);
      return;
    }
    const calls = isAi(message) ? callsOf(message) : [];
    if (isAi(message) && calls.length > 0) this.calls(message, index);
    const mayBeEmpty = isAi(message) && (calls.length > 0 || index === count - 1);
    if (hasBlankBlock(message.content) || (!mayBeEmpty && isEmpty(message.content)))
      this.add(11, message, index);
  }

  end(): void {
    this.close(true);
  }

  private calls(message: AiMessage, index: number): void {
    const expected = new Map<string, string>();
    const order: string[] = [];
    for (const { id: given, name } of callsOf(message)) {
      const id = idText(given);
      const isWellFormed = id !== "" && (this.options.anyCallId || isPortableCallId(id));
      if (!isWellFormed || this.ids.has(id)) this.add(1, message, index, id);
      this.ids.add(id);
      expected.set(id, name);
      order.push(id);
    }
    this.open = { message, index, expected, order, at: 0 };
  }

  private result(result: ToolResult, index: number): void {
    const id = idText(result.tool_call_id);
    const name = this.open?.expected.get(id);
    if (!this.open || name === undefined) this.add(this.open?.order.includes(id) ? 4 : 3, result, index, id);
    else {
      this.open.expected.delete(id);
      const at = this.open.order.indexOf(id, this.open.at);
      if (at === -1) this.add(5, result, index, id);
      else this.open.at = at + 1;
      if (result.name !== name) this.add(6, result, index, id);
    }
    this.content(result, index, id);
    if (hasReservedKey(result, this.custom)) this.add(9, result, index, id);
  }

  /** A result with an image breaks no rule here: some models can see it, and others get what their package makes of it. */
  private content(result: ToolResult, index: number, id: string): void {
    const content: unknown = result.content;
    const isText = typeof content === "string";
    if (!isText && !hasMedia(content)) this.add(7, result, index, id);
    if (isText && result.status === "error" && content.trim() === "") this.add(7, result, index, id);
    const { toolErrorContent = "legible" } = this.options;
    if (isText && inWords(result, toolErrorContent).content !== content) this.add(8, result, index, id);
  }

  private close(isEnd: boolean): void {
    const { open } = this;
    this.open = undefined;
    if (!open || open.expected.size === 0 || (isEnd && this.options.liveEnd)) return;
    for (const id of open.expected.keys()) this.add(isEnd ? 10 : 2, open.message, open.index, id);
  }

  private add(
    rule: keyof typeof RULES,
    { id }: Pick<LangChainMessage, "id">,
    index: number,
    toolCallId?: string,
  ): void {
    this.violations.push({
      rule,
      text: RULES[rule],
      index,
      messageId: id ?? "",
      ...(toolCallId !== undefined && { toolCallId }),
    });
  }
}

function isEmpty(content: unknown): boolean {
  return Array.isArray(content)
    ? isOnlyReasoning(content)
    : typeof content !== "string" || content.trim() === "";
}

/** A text of blanks becomes a blank block where a provider's package puts calls beside it. */
function hasBlankBlock(content: unknown): boolean {
  if (typeof content === "string") return content !== "" && isEmpty(content);
  return (
    Array.isArray(content) &&
    content.some((block) => isRecord(block) && block.type === "text" && isEmpty(block.text))
  );
}
