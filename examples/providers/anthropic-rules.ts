import { checkPairs } from "./anthropic-pairs";
import { blank, isObject, type Json, list, object, Refused, refusalOf, repeated } from "./rules";

const TOOL_USE_ID = /^[a-zA-Z0-9_-]+$/;
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/;

const BODY_KEYS = new Set(
  "model messages max_tokens system metadata stop_sequences stream temperature top_k top_p tools tool_choice thinking service_tier container context_management mcp_servers output_config output_format cache_control inference_geo".split(
    " ",
  ),
);
/** The blocks that the stub knows, with the keys that the API takes for them ("Extra inputs are not permitted"). */
const BLOCK_KEYS: Record<string, string> = {
  text: "type text cache_control citations",
  image: "type source cache_control",
  document: "type source title context citations cache_control",
  search_result: "type source title content citations cache_control",
  thinking: "type thinking signature",
  redacted_thinking: "type data",
  tool_use: "type id name input cache_control caller",
  tool_result: "type tool_use_id content is_error cache_control",
};
const TOOL_CHOICES = ["auto", "any", "tool", "none"];
const RESULT_BLOCKS = new Set(["text", "image", "document", "search_result"]);

/**
 * What the Messages API of Anthropic answers to `body`: the text of its 400 error, or nothing when it accepts.
 *
 * Consecutive messages of one role are fine for text, as the API joins them, and the assistant may speak first; the
 * results of one turn have to stand together, first in the very next message.
 */
export function refuseAnthropic(body: unknown): Refused | undefined {
  return refusalOf(check, body);
}

function check(body: Json): void {
  for (const key of ["model", "max_tokens", "messages"])
    if (body[key] === undefined) throw new Refused(`${key}: Field required`);
  for (const key of Object.keys(body))
    if (!BODY_KEYS.has(key)) throw new Refused(`${key}: Extra inputs are not permitted`);
  if (typeof body.model !== "string") throw new Refused("model: Input should be a valid string");
  if (!Number.isInteger(body.max_tokens)) throw new Refused("max_tokens: Input should be a valid integer");
  if ((body.max_tokens as number) < 1)
    throw new Refused("max_tokens: Input should be greater than or equal to 1");
  if (!Array.isArray(body.messages)) throw new Refused("messages: Input should be a valid list");
  if (body.messages.length === 0) throw new Refused("messages: at least one message is required");

  checkSystem(body.system);
  const toolsDefined = checkTools(body.tools);
  checkToolChoice(body.tool_choice);
  const { messages } = body as { messages: unknown[] };
  messages.forEach((message, index) => {
    checkMessage(message, index, index === messages.length - 1);
  });
  const used = checkPairs(body.messages);
  if (used && !toolsDefined)
    throw new Refused("Requests which include `tool_use` or `tool_result` blocks must define tools");
}

function checkSystem(system: unknown): void {
  if (system === undefined || typeof system === "string") return;
  if (!Array.isArray(system)) throw new Refused("system: Input should be a valid list");
  for (const block of system)
    if (blank(object(block).text)) throw new Refused("system: text content blocks must be non-empty");
}

function checkTools(tools: unknown): boolean {
  if (tools === undefined) return false;
  if (!Array.isArray(tools)) throw new Refused("tools: Input should be a valid list");
  tools.forEach((tool, index) => {
    const at = `tools.${index}.custom`;
    const { name, input_schema: schema, type } = object(tool);
    // a tool of the provider's own (web search, …) has a type and no schema
    if (type !== undefined && type !== "custom") return;
    if (typeof name !== "string") throw new Refused(`${at}.name: Field required`);
    if (!TOOL_NAME.test(name))
      throw new Refused(`${at}.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`);
    if (schema === undefined) throw new Refused(`${at}.input_schema: Field required`);
    if (!isObject(schema)) throw new Refused(`${at}.input_schema: Input should be a valid dictionary`);
    if (schema.type === undefined) throw new Refused(`${at}.input_schema.type: Field required`);
    if (schema.type !== "object") throw new Refused(`${at}.input_schema.type: Input should be 'object'`);
  });
  if (repeated(tools.map((tool) => String(object(tool).name))).length)
    throw new Refused("tools: Tool names must be unique.");
  return tools.length > 0;
}

function checkToolChoice(choice: unknown): void {
  if (choice === undefined) return;
  if (!isObject(choice)) throw new Refused("tool_choice: Input should be an object");
  if (!TOOL_CHOICES.includes(String(choice.type)))
    throw new Refused(
      `tool_choice: Input tag '${choice.type}' found using 'type' does not match any of the expected tags: ${TOOL_CHOICES.map((tag) => `'${tag}'`).join(", ")}`,
    );
  if (choice.type === "tool" && typeof choice.name !== "string")
    throw new Refused("tool_choice.tool.name: Field required");
}

function checkMessage(value: unknown, index: number, last: boolean): void {
  const at = `messages.${index}`;
  if (!isObject(value)) throw new Refused(`${at}: Input should be a valid dictionary`);
  const { role, content } = value;
  if (role === "system")
    throw new Refused(
      'messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter, not "system" as an input message role.',
    );
  if (role !== "user" && role !== "assistant")
    throw new Refused(`${at}.role: Input should be 'user' or 'assistant'`);
  for (const key of Object.keys(value))
    if (key !== "role" && key !== "content")
      throw new Refused(`${at}.${key}: Extra inputs are not permitted`);
  const final = last && role === "assistant";
  if (typeof content === "string") checkText(content, at, final);
  else if (Array.isArray(content)) checkBlocks(content, at, role, final);
  else if (content === undefined) throw new Refused(`${at}.content: Field required`);
  else throw new Refused(`${at}.content: Input should be a valid string`);
}

function checkText(text: string, at: string, final: boolean): void {
  if (text === "") {
    if (!final) throw empty(at);
    return;
  }
  if (blank(text)) throw new Refused("messages: text content blocks must contain non-whitespace text");
  if (final) checkEnd(text);
}

function checkEnd(text: unknown): void {
  if (typeof text === "string" && text !== text.trimEnd())
    throw new Refused("messages: final assistant content cannot end with trailing whitespace");
}

const empty = (at: string) =>
  new Refused(
    `${at}: all messages must have non-empty content except for the optional final assistant message`,
  );

function checkBlocks(blocks: unknown[], at: string, role: string, final: boolean): void {
  if (blocks.length === 0) {
    if (!final) throw empty(at);
    return;
  }
  blocks.forEach((block, index) => {
    checkBlock(block, `${at}.content.${index}`, role);
  });
  const lastBlock = object(blocks.at(-1));
  if (final && lastBlock.type === "text") checkEnd(lastBlock.text);
}

function checkBlock(block: unknown, at: string, role: string): void {
  if (!isObject(block))
    throw new Refused(`${at}: Input should be a valid dictionary or object to extract fields from`);
  const type = String(block.type);
  checkShape(block, at, Object.keys(BLOCK_KEYS));
  if (type === "text") checkTextBlock(block);
  if (type === "tool_use") {
    if (role !== "assistant")
      throw new Refused(`${at}: \`tool_use\` blocks can only be in \`assistant\` messages`);
    checkToolUse(block, `${at}.tool_use`);
  }
  if (type === "tool_result") {
    if (role !== "user") throw new Refused(`${at}: \`tool_result\` blocks can only be in \`user\` messages`);
    checkToolResult(block, `${at}.tool_result`);
  }
  if ((type === "thinking" || type === "redacted_thinking") && role !== "assistant")
    throw new Refused(`${at}: \`${type}\` blocks can only be in \`assistant\` messages`);
  if (type === "thinking" && blank(block.signature))
    throw new Refused(`${at}.thinking.signature: Field required`);
}

function checkShape(block: Json, at: string, expected: string[]): void {
  const type = String(block.type);
  const keys = expected.includes(type) ? BLOCK_KEYS[type] : undefined;
  if (keys === undefined)
    throw new Refused(
      `${at}: Input tag '${type}' found using 'type' does not match any of the expected tags: ${expected
        .map((tag) => `'${tag}'`)
        .join(", ")}`,
    );
  const known = new Set(keys.split(" "));
  for (const key of Object.keys(block))
    if (!known.has(key)) throw new Refused(`${at}.${type}.${key}: Extra inputs are not permitted`);
}

function checkTextBlock(block: Json): void {
  if (typeof block.text !== "string" || block.text === "")
    throw new Refused("messages: text content blocks must be non-empty");
  if (blank(block.text)) throw new Refused("messages: text content blocks must contain non-whitespace text");
}

function checkToolUse(block: Json, at: string): void {
  checkId(block.id, `${at}.id`);
  if (typeof block.name !== "string") throw new Refused(`${at}.name: Field required`);
  if (!TOOL_NAME.test(block.name))
    throw new Refused(`${at}.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`);
  if (block.input === undefined) throw new Refused(`${at}.input: Field required`);
  if (!isObject(block.input)) throw new Refused(`${at}.input: Input should be a valid dictionary`);
}

function checkId(id: unknown, at: string): void {
  if (id === undefined) throw new Refused(`${at}: Field required`);
  if (typeof id !== "string") throw new Refused(`${at}: Input should be a valid string`);
  if (!TOOL_USE_ID.test(id)) throw new Refused(`${at}: String should match pattern '^[a-zA-Z0-9_-]+$'`);
}

function checkToolResult(block: Json, at: string): void {
  checkId(block.tool_use_id, `${at}.tool_use_id`);
  const { content, is_error: failed } = block;
  if (failed !== undefined && typeof failed !== "boolean")
    throw new Refused(`${at}.is_error: Input should be a valid boolean`);
  if (content !== undefined && typeof content !== "string" && !Array.isArray(content))
    throw new Refused(`${at}.content: Input should be a valid string`);
  const parts = list(content).map(object);
  parts.forEach((part, index) => {
    checkShape(part, `${at}.content.${index}`, [...RESULT_BLOCKS]);
    if (part.type === "text") checkTextBlock(part);
  });
  if (!failed) return;
  if (Array.isArray(content) ? content.length === 0 : blank(content))
    throw new Refused(`${at}: content cannot be empty if \`is_error\` is true`);
  if (parts.some((part) => part.type !== "text"))
    throw new Refused(`${at}: all content must be type \`text\` if \`is_error\` is true`);
}
