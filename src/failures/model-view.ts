import { type BaseMessage, HumanMessage, type MessageContent } from "@langchain/core/messages";
import { legibleFailure, UNKNOWN_ERROR } from "../messages/legible";
import { failureOf, type LangChainToolMessage } from "../messages/tool-result";

/** Who reads the messages. Any other name is treated as `"unknown"`. */
export type ModelProvider = "anthropic" | "openai" | "google-genai" | "bedrock" | "unknown" | (string & {});

/** A tool message, as far as its failure needs it; it may be an instance of another copy of LangChain. */
type ToolResult = BaseMessage & { tool_call_id?: unknown };

/** A tool result in Anthropic's own form. */
interface ToolResultBlock {
  type: "tool_result";
  tool_use_id: string;
  content: string;
  is_error?: true;
}

/**
 * The messages as the model of a provider has to be shown them, so that it sees which tool calls failed.
 *
 * - `"anthropic"`: the results of a turn with a failed one become a human message of Anthropic's `tool_result` blocks,
 *   the failed ones with `is_error: true`. Images of a failed result follow in a message of their own, since Anthropic
 *   takes only text beside `is_error`.
 * - `"google-genai"`: as they are, since that package carries the status.
 * - all others, whose packages or APIs have no way to say it: the failure is made legible in the content.
 *
 * Where the text of the error is recorded and the content does not say it, it is put before the content, for all
 * providers; a blank failed result, which providers refuse, gets the text, or `"error"`.
 *
 * For the moment of the model call only: give the result to the model, never to the state. Nothing that comes in is
 * changed; messages without a failure come back as the same objects. Linear in the number of messages.
 *
 * @param messages The messages of the state, or what is about to be sent to the model.
 * @param options.provider Whom the model talks to.
 * @example
 * const answer = await model.invoke(presentToolFailures(state.messages, { provider: "anthropic" }));
 */
export function presentToolFailures(
  messages: readonly BaseMessage[],
  { provider }: { provider: ModelProvider },
): BaseMessage[] {
  if (provider === "anthropic") return forAnthropic(messages);
  const flagged = provider === "google-genai";
  return messages.map((message) => {
    const failure = failureIn(message);
    return failure ? withContent(message, legible(message.content, failure, flagged)) : message;
  });
}

function forAnthropic(messages: readonly BaseMessage[]): BaseMessage[] {
  const shown: BaseMessage[] = [];
  let results: ToolResult[] = [];
  const flush = () => {
    shown.push(...(results.some(failureIn) ? asBlocks(results) : results));
    results = [];
  };
  for (const message of messages) {
    if (message.type === "tool") {
      results.push(message);
    } else {
      flush();
      shown.push(message);
    }
  }
  flush();
  return shown;
}

/** The results of one turn, some of which failed, in Anthropic's form. */
function asBlocks(results: readonly ToolResult[]): BaseMessage[] {
  const shown: BaseMessage[] = [];
  const attached: MessageContent = [];
  let blocks: ToolResultBlock[] = [];
  const flush = () => {
    if (blocks.length) shown.push(new HumanMessage({ content: blocks as unknown as MessageContent }));
    blocks = [];
  };
  for (const result of results) {
    const failure = failureIn(result);
    const { content } = result;
    const id = String(result.tool_call_id);
    if (failure) {
      const { text, others } = split(legible(content, failure, true));
      blocks.push({ type: "tool_result", tool_use_id: id, content: text, is_error: true });
      if (others.length)
        attached.push({ type: "text", text: `Attached to the failed result of ${id}:` }, ...others);
    } else if (typeof content === "string") {
      // not left a tool message: ChatAnthropic would append its block to our human message, once per attempt
      blocks.push({ type: "tool_result", tool_use_id: id, content });
    } else {
      flush();
      shown.push(result);
    }
  }
  flush();
  if (attached.length) shown.push(new HumanMessage({ content: attached }));
  return shown;
}

/** The failure of a tool result: its text, where one was recorded. */
interface Failure {
  text: string | undefined;
}

function failureIn(message: BaseMessage): Failure | undefined {
  if (message.type !== "tool") return undefined;
  const failure = failureOf(message as unknown as LangChainToolMessage);
  if (failure === undefined) return undefined;
  return { text: failure === UNKNOWN_ERROR ? undefined : failure };
}

/** @param flagged The provider says by itself that the call failed, so that only a known text has to be added. */
function legible(content: MessageContent, failure: Failure, flagged: boolean): MessageContent {
  if (typeof content === "string") return legibleText(content, failure, flagged);
  const { text, others } = split(content);
  const said = legibleText(text, failure, flagged);
  return said === text ? content : [{ type: "text", text: said }, ...others];
}

function legibleText(content: string, { text }: Failure, flagged: boolean): string {
  if (flagged && text === undefined && content.trim() !== "") return content;
  return legibleFailure(content, text);
}

function split(content: MessageContent): { text: string; others: Exclude<MessageContent, string> } {
  if (typeof content === "string") return { text: content, others: [] };
  const isText = (part: (typeof content)[number]) => part.type === "text";
  const text = content.filter(isText).map((part) => String((part as { text?: unknown }).text ?? ""));
  return { text: text.join(""), others: content.filter((part) => !isText(part)) };
}

/** A message of the same class with another content. */
function withContent(message: BaseMessage, content: MessageContent): BaseMessage {
  if (content === message.content) return message;
  const copy: BaseMessage = Object.assign(Object.create(Object.getPrototypeOf(message)), message, {
    content,
  });
  copy.lc_kwargs = { ...message.lc_kwargs, content };
  return copy;
}
