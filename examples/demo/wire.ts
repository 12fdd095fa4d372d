import type { Provider } from "../model";
import { isObject, type Json, list, object } from "../providers/rules";

/** A tool result in a provider's own form. */
export type WireResult = Json;

/** The result of a tool call in the body of a request, as the provider gets it. */
export function resultOnWire(
  provider: Provider,
  body: unknown,
  call: { id: string; name: string },
): WireResult | undefined {
  return resultsOnWire(provider, body).findLast((result) => {
    if (provider === "anthropic") return result.tool_use_id === call.id;
    if (provider === "bedrock") return object(result.toolResult).toolUseId === call.id;
    if (provider === "openai") return result.tool_call_id === call.id || result.call_id === call.id;
    // Gemini pairs by name
    return object(result.functionResponse).name === call.name;
  });
}

/** All tool results of a request, in order. */
export function resultsOnWire(provider: Provider, body: unknown): WireResult[] {
  const { messages, contents, input } = object(body);
  switch (provider) {
    case "anthropic":
      return blocks(messages, "content").filter(({ type }) => type === "tool_result");
    case "openai":
      return [...list(messages), ...list(input)]
        .map(object)
        .filter(({ role, type }) => role === "tool" || type === "function_call_output");
    case "google":
      return blocks(contents, "parts").filter(({ functionResponse }) => isObject(functionResponse));
    case "bedrock":
      return blocks(messages, "content").filter(({ toolResult }) => isObject(toolResult));
  }
}

const blocks = (messages: unknown, key: string): Json[] =>
  list(messages).flatMap((message) => list(object(message)[key]).map(object));

/** What a model of the provider can tell of a tool result: its text, and whether the provider's own flag says that it failed. */
export function readWire(provider: Provider, result: WireResult): { text: string; flagged: boolean } {
  switch (provider) {
    case "anthropic":
      return { text: textOf(result.content), flagged: result.is_error === true };
    case "openai":
      return { text: textOf(result.content ?? result.output), flagged: false };
    case "google": {
      const response = object(object(result.functionResponse).response);
      const { error } = response;
      return { text: leaf(error ?? response), flagged: error !== undefined };
    }
    case "bedrock": {
      const { content, status } = object(result.toolResult);
      return { text: textOf(content), flagged: status === "error" };
    }
  }
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return list(content)
    .map((part) => leaf(object(part).text ?? object(part).json ?? ""))
    .join("\n");
}

/** The only text inside nested objects, or their JSON. */
function leaf(value: unknown): string {
  if (typeof value === "string") return value;
  const inner = Object.values(object(value));
  return inner.length === 1 ? leaf(inner[0]) : JSON.stringify(value);
}
