import { isRecord } from "../messages/json";
import { readMessage } from "../messages/read-message";
import type { LangGraphToolWithName } from "../types";

/** A tool of the client as `bindTools` takes it: OpenAI's function form, which every chat model of LangChain reads. */
export type FrontendTool = Omit<LangGraphToolWithName, "name">;

/** A tool call of an assistant message. */
export interface FrontendCall {
  id: string;
  name: string;
  args: Record<string, unknown>;
}

/**
 * The client's tools, as definitions for `model.bindTools(…)` in a graph that calls its model itself.
 *
 * Reads what the agent puts into the state: `state["ag-ui"].tools`, then `state.copilotkit.actions`, and
 * `state.tools` where the graph has neither (it cannot in a graph with a node called `tools`). The graph has to
 * declare the keys that it wants to read, or LangGraph drops them. Of two tools of one name the first counts.
 *
 * @param state The state of the graph, or anything: what is no tool is skipped.
 * @returns Definitions in OpenAI's function form, each with an object schema; empty when the client has no tools.
 * @example
 * const answer = await model.bindTools([...myTools, ...frontendTools(state)]).invoke(state.messages);
 */
export function frontendTools(state: unknown): FrontendTool[] {
  const agui = at(at(state, "ag-ui"), "tools");
  const actions = at(at(state, "copilotkit"), "actions");
  const declared = [...list(agui), ...list(actions)];
  const tools = new Map<string, FrontendTool>();
  for (const value of declared.length ? declared : list(at(state, "tools"))) {
    const tool = definition(value);
    if (tool && !tools.has(tool.function.name)) tools.set(tool.function.name, tool);
  }
  return [...tools.values()];
}

/**
 * The calls of the last assistant message that are for the client and that it has not answered yet: a graph that
 * has some ends its run, and goes on when the client's results come with the next input.
 *
 * A call that the user has talked past (a user message follows) is not pending any more.
 *
 * @param state The state of the graph, with `messages` and what {@link frontendTools} reads.
 * @returns The calls in the order in which the model made them; empty when there is nothing to wait for.
 * @example
 * graph.addConditionalEdges("tools", (state) => (pendingFrontendCalls(state).length ? END : "model"));
 */
export function pendingFrontendCalls(state: unknown): FrontendCall[] {
  const messages = list(at(state, "messages"));
  const answered = new Set<unknown>();
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = readMessage(messages[index]);
    if (message?.type === "tool") answered.add(message.tool_call_id);
    else if (message?.type === "human") return [];
    else if (message?.type === "ai") return openCalls(message, answered, frontendTools(state));
  }
  return [];
}

function openCalls(message: unknown, answered: ReadonlySet<unknown>, tools: FrontendTool[]): FrontendCall[] {
  const names = new Set<unknown>(tools.map((tool) => tool.function.name));
  return list(at(message, "tool_calls")).filter(
    (call) => names.has(at(call, "name")) && !answered.has(at(call, "id")),
  ) as FrontendCall[];
}

function definition(value: unknown): FrontendTool | undefined {
  const described = isRecord(at(value, "function")) ? at(value, "function") : value;
  const name = at(described, "name");
  if (typeof name !== "string" || name === "") return undefined;
  return {
    type: "function",
    function: {
      name,
      description: String(at(described, "description") ?? ""),
      parameters: schema(at(described, "parameters")),
    },
  };
}

/** Providers refuse a tool whose schema is not one of an object; AG-UI leaves the schema to the client. */
function schema(parameters: unknown): Record<string, unknown> {
  const parsed = typeof parameters === "string" ? parse(parameters) : parameters;
  if (!isRecord(parsed)) return { type: "object", properties: {} };
  return "type" in parsed ? parsed : { type: "object", properties: {}, ...parsed };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const at = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>)[key] : undefined;
