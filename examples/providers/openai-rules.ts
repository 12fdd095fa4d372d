import { isObject, type Json, list, object, Refused, refusalOf, repeated } from "./rules";

const FUNCTION_NAME = /^[a-zA-Z0-9_-]+$/;
const MAX_NAME = 64;
/** The limit that most reports name; some models take more. */
const MAX_CALL_ID = 40;
const ROLES = ["system", "assistant", "user", "function", "tool", "developer"];

/**
 * What OpenAI's Chat Completions API answers to `body`: the text of its 400 error and the parameter that it names,
 * or nothing when it accepts.
 */
export function refuseOpenAI(body: unknown): Refused | undefined {
  return refusalOf(check, body);
}

function check(body: Json): void {
  if (typeof body.model !== "string") throw new Refused("you must provide a model parameter");
  if (body.messages === undefined) throw new Refused("Missing required parameter: 'messages'.", "messages");
  if (!Array.isArray(body.messages))
    throw new Refused("Invalid type for 'messages': expected an array of objects.", "messages");
  if (body.messages.length === 0) throw emptyArray("messages");
  checkFunctions(body.tools, (tool, at) => {
    if (tool.type !== "function" && tool.type !== "custom")
      throw new Refused(
        `Invalid value: '${tool.type}'. Supported values are: 'function' and 'custom'.`,
        `${at}.type`,
      );
    return { described: object(tool.function), at: `${at}.function` };
  });
  body.messages.forEach((message, index) => {
    checkMessage(object(message), `messages[${index}]`);
  });
  checkPairs(body.messages.map(object));
}

/** The tools of a request: in Chat Completions nested under `function`, in Responses flat. */
export function checkFunctions(
  tools: unknown,
  read: (tool: Json, at: string) => { described: Json; at: string },
): void {
  if (tools === undefined) return;
  if (!Array.isArray(tools))
    throw new Refused("Invalid type for 'tools': expected an array of objects.", "tools");
  if (tools.length === 0) throw emptyArray("tools");
  tools.forEach((tool, index) => {
    const { described, at } = read(object(tool), `tools[${index}]`);
    if (object(tool).type !== "function") return;
    checkName(described.name, `${at}.name`);
    const { parameters } = described;
    if (parameters !== undefined && object(parameters).type !== "object")
      throw new Refused(
        `Invalid schema for function '${described.name}': schema must be a JSON Schema of 'type: "object"', got 'type: "${object(parameters).type ?? "None"}"'.`,
        `${at}.parameters`,
      );
  });
}

function checkMessage(message: Json, at: string): void {
  const { role, content } = message;
  if (!ROLES.includes(String(role)))
    throw new Refused(
      `Invalid value: '${role}'. Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and 'developer'.`,
      `${at}.role`,
    );
  const calls = message.tool_calls;
  if (calls !== undefined) checkCalls(calls, role, at);
  const mayBeEmpty = role === "assistant" && (calls !== undefined || message.refusal != null);
  if (content === undefined || content === null) {
    if (!mayBeEmpty)
      throw new Refused("Invalid value for 'content': expected a string, got null.", `${at}.content`);
  } else if (Array.isArray(content)) {
    checkParts(content, role, `${at}.content`);
  } else if (typeof content !== "string") {
    throw new Refused(
      `Invalid type for '${at}.content': expected one of a string or array of objects, but got an object instead.`,
      `${at}.content`,
    );
  }
  if (role === "tool" && typeof message.tool_call_id !== "string")
    throw new Refused(`Missing required parameter: '${at}.tool_call_id'.`, `${at}.tool_call_id`);
}

function checkParts(parts: unknown[], role: unknown, at: string): void {
  if (parts.length === 0) throw emptyArray(at);
  const known = role === "user" ? ["text", "image_url", "input_audio", "file"] : ["text", "refusal"];
  parts.forEach((part, index) => {
    const { type, text } = object(part);
    if (!known.includes(String(type)))
      throw new Refused(
        `Invalid value: '${type}'. Supported values are: ${known.map((name) => `'${name}'`).join(", ")}.`,
        `${at}[${index}].type`,
      );
    if (type === "text" && typeof text !== "string")
      throw new Refused(`Missing required parameter: '${at}[${index}].text'.`, `${at}[${index}].text`);
  });
}

function checkCalls(calls: unknown, role: unknown, at: string): void {
  if (role !== "assistant") throw new Refused(`Unknown parameter: '${at}.tool_calls'.`, `${at}.tool_calls`);
  if (!Array.isArray(calls))
    throw new Refused(
      `Invalid type for '${at}.tool_calls': expected an array of objects.`,
      `${at}.tool_calls`,
    );
  if (calls.length === 0) throw emptyArray(`${at}.tool_calls`);
  calls.forEach((call, index) => {
    const here = `${at}.tool_calls[${index}]`;
    const { id, type, function: described } = object(call);
    if (typeof id !== "string" || id === "")
      throw new Refused(`Missing required parameter: '${here}.id'.`, `${here}.id`);
    if (id.length > MAX_CALL_ID) throw tooLong(`${here}.id`, MAX_CALL_ID, id.length);
    if (type !== "function" && type !== "custom")
      throw new Refused(`Missing required parameter: '${here}.type'.`, `${here}.type`);
    if (type !== "function") return;
    const { name, arguments: args } = object(described);
    checkName(name, `${here}.function.name`);
    if (typeof args !== "string")
      throw new Refused(
        `Invalid type for '${here}.function.arguments': expected a string, but got ${isObject(args) ? "an object" : String(args)} instead.`,
        `${here}.function.arguments`,
      );
  });
}

export function checkName(name: unknown, at: string): void {
  if (typeof name !== "string") throw new Refused(`Missing required parameter: '${at}'.`, at);
  if (name === "")
    throw new Refused(
      `Invalid '${at}': empty string. Expected a string with minimum length 1, but got an empty string instead.`,
      at,
    );
  if (name.length > MAX_NAME) throw tooLong(at, MAX_NAME, name.length);
  if (!FUNCTION_NAME.test(name))
    throw new Refused(
      `Invalid '${at}': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`,
      at,
    );
}

export const tooLong = (at: string, limit: number, length: number) =>
  new Refused(
    `Invalid '${at}': string too long. Expected a string with maximum length ${limit}, but got a string with length ${length} instead.`,
    at,
  );

export const emptyArray = (at: string) =>
  new Refused(
    `Invalid '${at}': empty array. Expected an array with minimum length 1, but got an empty array instead.`,
    at,
  );

/** Calls and results: each run of tool messages answers the assistant message right before it. */
function checkPairs(messages: readonly Json[]): void {
  let expected: string[] = [];
  let open = new Set<string>();
  messages.forEach((message, index) => {
    if (message.role === "tool") {
      const id = String(message.tool_call_id);
      if (!expected.includes(id))
        throw new Refused(
          "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
          `messages.[${index}].role`,
        );
      if (!open.delete(id))
        throw new Refused(`Duplicate value for 'tool_call_id' of '${id}' in message[${index}]`, "messages");
      return;
    }
    if (open.size) throw unanswered(open, index);
    expected = list(message.tool_calls).map((call) => String(object(call).id));
    const [twice] = repeated(expected);
    if (twice !== undefined)
      throw new Refused(`Duplicate value for 'tool_call_id' of '${twice}' in message[${index}]`, "messages");
    open = new Set(expected);
  });
  if (open.size) throw unanswered(open, messages.length);
}

const unanswered = (ids: Iterable<string>, index: number) =>
  new Refused(
    `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${[...ids].join(", ")}`,
    `messages.[${index}].role`,
  );
