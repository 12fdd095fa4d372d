import { blank, isObject, type Json, list, object, Refused, refusalOf, repeated } from "./rules";

const TOOL_USE_ID = /^[a-zA-Z0-9_-]+$/;
const TOOL_NAME = /^[a-zA-Z][a-zA-Z0-9_-]*$/;
const MAX_LENGTH = 64;

/**
 * What Amazon Bedrock's Converse and ConverseStream answer to `body`: the text of their ValidationException, or
 * nothing when they accept.
 */
export function refuseBedrock(body: unknown): Refused | undefined {
  return refusalOf(check, body);
}

function check(body: Json): void {
  const messages = list(body.messages).map(object);
  if (messages.length === 0) throw new Refused("A conversation must start with a user message.");
  const toolsDefined = checkTools(body.toolConfig);
  let used = false;
  messages.forEach((message, index) => {
    const blocks = list(message.content).map(object);
    checkMessage(message, blocks, index);
    used ||= blocks.some((block) => block.toolUse || block.toolResult);
  });
  if (used && !toolsDefined)
    throw new Refused(
      "The toolConfig field must be defined when using toolUse and toolResult content blocks.",
    );
  checkRoles(messages);
  checkPairs(messages);
}

function checkTools(config: unknown): boolean {
  if (config === undefined) return false;
  const tools = list(object(config).tools).map(object);
  if (tools.length === 0)
    throw constraint("toolConfig.tools", "[]", "Member must have length greater than or equal to 1");
  tools.forEach((tool, index) => {
    if (tool.toolSpec === undefined) return;
    const { name, inputSchema } = object(tool.toolSpec);
    checkPattern(name, TOOL_NAME, `toolConfig.tools.${index + 1}.member.toolSpec.name`);
    if (object(object(inputSchema).json).type !== "object")
      throw new Refused(
        `The value at toolConfig.tools.${index}.toolSpec.inputSchema.json.type must be one of the following: object.`,
      );
  });
  const [twice] = repeated(tools.map((tool) => String(object(tool.toolSpec).name)));
  if (twice !== undefined) throw new Refused(`The tool ${twice} is already defined at toolConfig.tools.`);
  return true;
}

function checkMessage({ role }: Json, blocks: Json[], index: number): void {
  if (role !== "user" && role !== "assistant")
    throw constraint(
      `messages.${index + 1}.member.role`,
      String(role),
      "Member must satisfy enum value set: [user, assistant]",
    );
  if (blocks.length === 0)
    throw new Refused(
      `The content field in the Message object at messages.${index} is empty. Add a ContentBlock object to the content field and try again.`,
    );
  blocks.forEach((block, position) => {
    const at = `messages.${index}.content.${position}`;
    const member = `messages.${index + 1}.member.content.${position + 1}.member`;
    if (block.text !== undefined && blank(block.text))
      throw new Refused(
        `The text field in the ContentBlock object at ${at} is blank. Add text to the text field, and try again.`,
      );
    if (block.toolUse !== undefined) checkToolUse(object(block.toolUse), at, member, role);
    if (block.toolResult !== undefined) checkToolResult(object(block.toolResult), at, member, role);
  });
}

function checkToolUse(call: Json, at: string, member: string, role: string): void {
  if (role !== "assistant")
    throw new Refused(`The toolUse block at ${at} is not valid in a message with the role user.`);
  checkPattern(call.toolUseId, TOOL_USE_ID, `${member}.toolUse.toolUseId`);
  checkPattern(call.name, TOOL_NAME, `${member}.toolUse.name`);
  if (!isObject(call.input))
    throw new Refused(
      `The format of the value at ${at}.toolUse.input is invalid. Provide a json object for the field and try again.`,
    );
}

function checkToolResult(result: Json, at: string, member: string, role: string): void {
  if (role !== "user")
    throw new Refused(`The toolResult block at ${at} is not valid in a message with the role assistant.`);
  checkPattern(result.toolUseId, TOOL_USE_ID, `${member}.toolResult.toolUseId`);
  const content = list(result.content).map(object);
  if (result.status === "error" && !content.some((block) => block.text === undefined || !blank(block.text)))
    throw new Refused(`The content field at ${at}.toolResult cannot be empty when status value is error.`);
  content.forEach((block, position) => {
    if (block.json !== undefined && !isObject(block.json))
      throw new Refused(
        `The format of the value at ${at}.toolResult.content.${position}.json is invalid. Provide a json object for the field and try again.`,
      );
  });
}

function checkPattern(value: unknown, pattern: RegExp, at: string): void {
  if (typeof value !== "string") throw constraint(at, "null", "Member must not be null");
  if (value === "") throw constraint(at, "", "Member must have length greater than or equal to 1");
  if (value.length > MAX_LENGTH)
    throw constraint(at, value, `Member must have length less than or equal to ${MAX_LENGTH}`);
  if (!pattern.test(value))
    throw constraint(
      at,
      value,
      `Member must satisfy regular expression pattern: ${pattern.source.slice(1, -1)}`,
    );
}

const constraint = (at: string, value: string, rule: string) =>
  new Refused(
    `1 validation error detected: Value '${value}' at '${at}' failed to satisfy constraint: ${rule}`,
  );

function checkRoles(messages: readonly Json[]): void {
  if (messages[0]?.role !== "user")
    throw new Refused(
      "A conversation must start with a user message. Try again with a conversation that starts with a user message.",
    );
  messages.forEach((message, index) => {
    if (index > 0 && message.role === messages[index - 1]?.role)
      throw new Refused(
        "A conversation must alternate between user and assistant roles. Make sure the conversation alternates between user and assistant roles and try again.",
      );
  });
}

function checkPairs(messages: readonly Json[]): void {
  let open: string[] = [];
  messages.forEach((message, index) => {
    const at = `messages.${index}.content`;
    const blocks = list(message.content).map(object);
    const answered = ids(blocks, "toolResult");
    if (answered.length > open.length)
      throw new Refused(
        `The number of toolResult blocks at ${at} exceeds the number of toolUse blocks of previous turn.`,
      );
    unique(answered, `The toolResult blocks at ${at} contain duplicate Ids`);
    expectAll(open, answered, at);
    open = ids(blocks, "toolUse");
    unique(open, `The toolUse blocks at ${at} contain duplicate Ids`);
  });
  expectAll(open, [], `messages.${messages.length}.content`);
}

function expectAll(open: readonly string[], answered: readonly string[], at: string): void {
  const missing = open.filter((id) => !answered.includes(id));
  if (missing.length)
    throw new Refused(`Expected toolResult blocks at ${at} for the following Ids: ${missing.join(", ")}`);
}

function unique(values: readonly string[], refusal: string): void {
  const twice = repeated(values);
  if (twice.length) throw new Refused(`${refusal}: ${twice.join(", ")}`);
}

const ids = (blocks: readonly Json[], kind: "toolUse" | "toolResult") =>
  blocks.filter((block) => block[kind]).map((block) => String(object(block[kind]).toolUseId));
