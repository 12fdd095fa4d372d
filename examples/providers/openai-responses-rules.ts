import { checkFunctions, checkName, emptyArray, tooLong } from "./openai-rules";
import { type Json, object, Refused, refusalOf } from "./rules";

const MAX_CALL_ID = 64;
const ITEM_ROLES = ["assistant", "system", "developer", "user"];

/** What OpenAI's Responses API answers to `body`: the text of its 400 error, or nothing when it accepts. */
export function refuseOpenAIResponses(body: unknown): Refused | undefined {
  return refusalOf(check, body);
}

function check(body: Json): void {
  if (typeof body.model !== "string") throw new Refused("Missing required parameter: 'model'.", "model");
  checkFunctions(body.tools, (tool, at) => ({ described: tool, at }));
  if (typeof body.input === "string") return;
  if (!Array.isArray(body.input)) throw new Refused("Missing required parameter: 'input'.", "input");
  if (body.input.length === 0) throw emptyArray("input");
  const calls = new Set<string>();
  const outputs = new Set<string>();
  body.input.map(object).forEach((item, index) => {
    const at = `input[${index}]`;
    if (item.type === "function_call") checkCall(item, at, calls);
    else if (item.type === "function_call_output") checkOutput(item, at, calls, outputs);
    else if (item.type === undefined || item.type === "message") checkMessage(item, at);
  });
  for (const id of calls)
    if (!outputs.has(id)) throw new Refused(`No tool output found for function call ${id}.`, "input");
}

function checkMessage(item: Json, at: string): void {
  if (!ITEM_ROLES.includes(String(item.role)))
    throw new Refused(
      `Invalid value: '${item.role}'. Supported values are: 'assistant', 'system', 'developer', and 'user'.`,
      `${at}.role`,
    );
  if (typeof item.content !== "string" && !Array.isArray(item.content))
    throw new Refused(`Missing required parameter: '${at}.content'.`, `${at}.content`);
}

function checkCall(item: Json, at: string, calls: Set<string>): void {
  const id = callId(item, at);
  checkName(item.name, `${at}.name`);
  if (typeof item.arguments !== "string")
    throw new Refused(`Missing required parameter: '${at}.arguments'.`, `${at}.arguments`);
  if (calls.has(id)) throw new Refused(`Duplicate item found with id ${id}.`, "input");
  calls.add(id);
}

function checkOutput(item: Json, at: string, calls: ReadonlySet<string>, outputs: Set<string>): void {
  const id = callId(item, at);
  if (!calls.has(id))
    throw new Refused(`No tool call found for function call output with call_id ${id}.`, "input");
  if (typeof item.output !== "string" && !Array.isArray(item.output))
    throw new Refused(`Missing required parameter: '${at}.output'.`, `${at}.output`);
  if (outputs.has(id)) throw new Refused(`Duplicate item found with id ${id}.`, "input");
  outputs.add(id);
}

function callId({ call_id: id }: Json, at: string): string {
  if (typeof id !== "string" || id === "")
    throw new Refused(`Missing required parameter: '${at}.call_id'.`, `${at}.call_id`);
  if (id.length > MAX_CALL_ID) throw tooLong(`${at}.call_id`, MAX_CALL_ID, id.length);
  return id;
}
