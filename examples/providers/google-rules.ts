import { isObject, type Json, list, object, Refused, refusalOf } from "./rules";

const FUNCTION_NAME = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/;
const KINDS = [
  "text",
  "inlineData",
  "fileData",
  "functionCall",
  "functionResponse",
  "executableCode",
  "codeExecutionResult",
];

/**
 * What Gemini's generateContent answers to `body`: the text of its 400 error, or nothing when it accepts.
 *
 * The results of one turn have to come in one content. `joinResponses` takes them also as one content each, the form in
 * which `@langchain/google-genai` sends the results of parallel calls.
 */
export function refuseGoogle(
  body: unknown,
  { joinResponses = false }: { joinResponses?: boolean } = {},
): Refused | undefined {
  return refusalOf((request) => check(request, joinResponses), body);
}

function check(body: Json, joinResponses: boolean): void {
  const contents = list(body.contents).map(object);
  if (contents.length === 0)
    throw new Refused("* GenerateContentRequest.contents: contents is not specified");
  checkDeclarations(body.tools);
  contents.forEach((content, index) => {
    checkContent(content, index);
  });
  checkTurns(joinResponses ? joined(contents) : contents);
}

function checkDeclarations(tools: unknown): void {
  list(tools).forEach((tool, index) => {
    list(object(tool).functionDeclarations).forEach((declared, position) => {
      const at = `* GenerateContentRequest.tools[${index}].function_declarations[${position}]`;
      const { name, parameters } = object(declared);
      if (typeof name !== "string" || !FUNCTION_NAME.test(name))
        throw new Refused(
          `${at}.name: Invalid function name. Must start with a letter or an underscore. Must be alphameric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 128.`,
        );
      if (parameters !== undefined && String(object(parameters).type).toLowerCase() !== "object")
        throw new Refused(`${at}.parameters.type: Parameters schema should be of type OBJECT`);
    });
  });
}

function checkContent(content: Json, index: number): void {
  const at = `* GenerateContentRequest.contents[${index}]`;
  if (
    content.role !== undefined &&
    content.role !== "user" &&
    content.role !== "model" &&
    content.role !== "function"
  )
    throw new Refused("Please use a valid role: user, model.");
  const parts = list(content.parts).map(object);
  if (parts.length === 0) throw new Refused(`${at}.parts: contents.parts must not be empty.`);
  parts.forEach((part, position) => {
    const here = `${at}.parts[${position}]`;
    const kinds = KINDS.filter((kind) => part[kind] !== undefined);
    if (kinds.length !== 1 || (part.text === "" && part.thoughtSignature === undefined))
      throw new Refused(`${here}.data: required oneof field 'data' must have one initialized field`);
    if (part.functionCall !== undefined) {
      const { name, args } = object(part.functionCall);
      checkNamed(name, `${here}.function_call`);
      checkStruct(args, `contents[${index}].parts[${position}].function_call.args`);
    }
    if (part.functionResponse !== undefined) {
      const { name, response } = object(part.functionResponse);
      checkNamed(name, `${here}.function_response`);
      checkStruct(response, `contents[${index}].parts[${position}].function_response.response`);
    }
  });
}

function checkNamed(name: unknown, at: string): void {
  if (typeof name !== "string" || name === "") throw new Refused(`${at}.name: Name cannot be empty.`);
}

function checkStruct(value: unknown, at: string): void {
  if (value !== undefined && !isObject(value))
    throw new Refused(
      `Invalid value at '${at}' (type.googleapis.com/google.protobuf.Struct), ${JSON.stringify(value)}`,
    );
}

const calls = (content: Json | undefined) => list(content?.parts).filter((part) => object(part).functionCall);
const results = (content: Json | undefined) =>
  list(content?.parts).filter((part) => object(part).functionResponse);

function checkTurns(contents: readonly Json[]): void {
  contents.forEach((content, index) => {
    const previous = contents[index - 1];
    if (calls(content).length) {
      if (content.role !== "model")
        throw new Refused("Please ensure that function call turns have the role 'model'.");
      if (!previous || previous.role === "model")
        throw new Refused(
          "Please ensure that function call turn comes immediately after a user turn or after a function response turn.",
        );
    }
    if (results(content).length && calls(previous).length === 0)
      throw new Refused(
        "Please ensure that function response turn comes immediately after a function call turn.",
      );
    checkAnswered(previous, content);
  });
  checkAnswered(contents.at(-1), undefined);
  if (contents.at(-1)?.role === "model")
    throw new Refused(
      "Please ensure that single turn requests end with a user role or the role field is empty.",
    );
}

function checkAnswered(call: Json | undefined, answer: Json | undefined): void {
  const asked = calls(call);
  if (asked.length === 0) return;
  const given = results(answer);
  if (given.length !== asked.length)
    throw new Refused(
      "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.",
    );
  const name = (part: unknown) => object(object(part).functionCall ?? object(part).functionResponse).name;
  const names = asked.map(name);
  // results pair by name; one for a function that was not called leaves a call without its result
  for (const result of given) {
    const at = names.indexOf(name(result));
    if (at < 0)
      throw new Refused(
        "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.",
      );
    names.splice(at, 1);
  }
}

/** Contents of function responses that follow one another, as one. */
function joined(contents: readonly Json[]): Json[] {
  const turns: Json[] = [];
  for (const content of contents) {
    const previous = turns.at(-1);
    if (previous && results(previous).length && results(content).length)
      turns[turns.length - 1] = { ...previous, parts: [...list(previous.parts), ...list(content.parts)] };
    else turns.push(content);
  }
  return turns;
}
