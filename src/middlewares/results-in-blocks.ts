import { type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { isRecord } from "../messages/json";
import { readMessage } from "../messages/read-message";

/**
 * Messages whose failed tool results were put into Anthropic's own form already (by `toolFailureMiddleware` in front),
 * with tool messages in that form's place again, so that they can be told apart from what the user said.
 *
 * @returns `found`: whether there were any. Then the form has to be made again for what comes out.
 */
export function resultsInBlocks(messages: readonly BaseMessage[]): {
  messages: BaseMessage[];
  found: boolean;
} {
  let found = false;
  const unfolded = messages.flatMap((message) => {
    const blocks = resultBlocks(message);
    if (!blocks) return [message];
    found = true;
    return blocks.map(asToolMessage);
  });
  return { messages: unfolded, found };
}

interface ResultBlock {
  type: "tool_result";
  tool_use_id: string;
  content: string;
  is_error?: boolean;
}

/** The tool results that a user message consists of; nothing where it says anything else. */
function resultBlocks(message: BaseMessage): ResultBlock[] | undefined {
  const content: unknown = message?.content;
  if (!Array.isArray(content) || content.length === 0 || readMessage(message)?.type !== "human")
    return undefined;
  return content.every(isResultBlock) ? content : undefined;
}

function isResultBlock(block: unknown): block is ResultBlock {
  return (
    isRecord(block) &&
    block.type === "tool_result" &&
    typeof block.tool_use_id === "string" &&
    typeof block.content === "string"
  );
}

/** The content of a failed block says what failed, so nothing has to be written into it. */
function asToolMessage({ tool_use_id, content, is_error }: ResultBlock): BaseMessage {
  const result = { tool_call_id: tool_use_id, content };
  return is_error
    ? new ToolMessage({ ...result, status: "error", additional_kwargs: { error: content } })
    : new ToolMessage({ ...result, status: "success" });
}
