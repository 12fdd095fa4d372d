import type { RunAgentInput } from "@ag-ui/client";
import type { LangChainMessage, LangGraphToolWithName, SchemaKeys, State, StateEnrichment } from "../types";
import { pickKeys } from "./config";

/** The keys that every graph of a chat client is expected to take, whatever its schema says. */
export const DEFAULT_SCHEMA_KEYS: readonly string[] = ["messages", "tools"];

type AnyTool = Partial<LangGraphToolWithName> & Partial<RunAgentInput["tools"][number]>;

function asFunctionTool(tool: AnyTool): LangGraphToolWithName {
  if (tool.type) return tool as LangGraphToolWithName;
  const { name = "", description = "", parameters } = tool;
  return { type: "function", name, function: { name, description, parameters } };
}

const listOf = (value: unknown): AnyTool[] => (Array.isArray(value) ? value : []);

/** The client's tools and then those already in the state, each name once: the client's win. */
function mergeTools(fromClient: readonly AnyTool[], fromState: readonly AnyTool[]): LangGraphToolWithName[] {
  const byName = new Map<string, LangGraphToolWithName>();
  for (const tool of [...fromClient, ...fromState]) {
    if (!tool || typeof tool !== "object") continue;
    const mapped = asFunctionTool(tool);
    const name = mapped.function?.name ?? mapped.name ?? "";
    if (!byName.has(name)) byName.set(name, mapped);
  }
  return [...byName.values()];
}

/**
 * The state that a run starts with: the given state, the messages that its `messages` do not have yet,
 * and what the client brings: its tools under `tools`, `ag-ui.tools` and `copilotkit.actions`, its context
 * under `ag-ui.context`. A leading system message is left out; the graph has its own.
 */
export function enrichState(
  state: State,
  messages: readonly LangChainMessage[],
  input: {
    tools?: RunAgentInput["tools"];
    context?: RunAgentInput["context"];
    forwardedProps?: { injectA2UITool?: boolean | string };
  },
): State<StateEnrichment> {
  const known = new Set((state.messages ?? []).map((message: LangChainMessage) => message?.id));
  const sent = messages[0]?.type === "system" && !known.has(messages[0].id) ? messages.slice(1) : messages;
  const tools = mergeTools(listOf(input.tools), listOf(state.tools));
  const injectA2UITool = input.forwardedProps?.injectA2UITool;
  return {
    ...state,
    messages:
      known.size === 0
        ? [...sent]
        : sent.filter((message) => message.id === undefined || !known.has(message.id)),
    tools,
    "ag-ui": {
      tools,
      context: input.context ?? [],
      ...(injectA2UITool !== undefined && { inject_a2ui_tool: injectA2UITool }),
    },
    copilotkit: { ...state.copilotkit, actions: tools },
  };
}

/** What {@link enrichState} builds upon, also where the client only echoes it. */
const ENRICHED_KEYS = new Set(["tools", "copilotkit"]);

/** The entries of the client's state that differ from the checkpoint's: what the graph owns and the client only echoes is not sent. */
export function changedByClient(fromClient: State, checkpoint: State): State {
  return Object.fromEntries(
    Object.entries(fromClient).filter(
      ([key, value]) => ENRICHED_KEYS.has(key) || !sameJson(value, checkpoint[key]),
    ),
  );
}

/** Where graphs find the client's tools; sent whatever the schema says, since a schema may be told incompletely. */
const TOOL_KEYS = ["ag-ui", "copilotkit"];

/** `state` without the keys that the graph's input schema does not have; all of it where the schema is not known. */
export function filterByInputSchema(state: State, schemaKeys: SchemaKeys): State {
  return schemaKeys?.input
    ? pickKeys(state, [...DEFAULT_SCHEMA_KEYS, ...TOOL_KEYS, ...schemaKeys.input])
    : state;
}

/** `state` without the keys that the graph's output schema does not have; all of it where the schema is not known. */
export function filterByOutputSchema(
  state: State,
  schemaKeys: SchemaKeys,
  constantKeys: readonly string[],
): State {
  return schemaKeys?.output ? pickKeys(state, [...constantKeys, ...schemaKeys.output]) : state;
}

/** Whether two values are the same as JSON, whatever the order of their keys. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = definedKeys(a);
  return (
    keys.length === definedKeys(b).length &&
    keys.every((key) => sameJson((a as State)[key], (b as State)[key]))
  );
}

const definedKeys = (value: object): string[] =>
  Object.keys(value).filter((key) => (value as State)[key] !== undefined);
