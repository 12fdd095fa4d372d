import {
  type A2UIToolParams,
  buildA2UIEnvelope,
  GENERATE_A2UI_ARG_DESCRIPTIONS,
  prepareA2UIRequest,
  RENDER_A2UI_TOOL_DEF,
  type ResolvedA2UIToolParams,
  resolveA2UIToolParams,
  runA2UIGenerationWithRecovery,
  wrapErrorEnvelope,
} from "@ag-ui/a2ui-toolkit";
import { type AIMessageChunk, type BaseMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { type DynamicStructuredTool, type ToolRuntime, tool } from "@langchain/core/tools";
import { passesThrough, thrownToolMessage } from "./failures/thrown-tool-error";

export type {
  A2UIAttemptRecord,
  A2UIGuidelines,
  A2UIRecoveryConfig,
  A2UIToolParams,
  A2UIValidationCatalog,
} from "@ag-ui/a2ui-toolkit";
export { A2UI_OPERATIONS_KEY, BASIC_CATALOG_ID } from "@ag-ui/a2ui-toolkit";

/**
 * The chat model that writes the surface. Of any type, as in `@ag-ui/langgraph`: models of another copy of
 * `@langchain/core` are welcome. It needs `bindTools`, and what that gives needs `stream`.
 */
// biome-ignore lint/suspicious/noExplicitAny: see above
export type A2UISubagentModel = any;

/** What the graph's model says when it asks for a surface. */
interface GenerateA2UIArgs {
  /** `"create"` (default) a new surface, or `"update"` one that this conversation already has. */
  intent?: "create" | "update";
  /** Which one to update. */
  target_surface_id?: string;
  /** What to change, in words. */
  changes?: string;
}

// biome-ignore lint/suspicious/noExplicitAny: the schema type of the official declaration
type A2UITool = DynamicStructuredTool<any, GenerateA2UIArgs, unknown, string, unknown, string>;

/** What is used of the model. */
interface ToolCallingModel {
  bindTools?(tools: unknown[], options: object): StreamingModel;
}
interface StreamingModel {
  stream(messages: BaseMessage[]): Promise<AsyncIterable<AIMessageChunk>>;
}

/** The surface as operations, or why there is none. */
type Generated = { envelope: string; ok: boolean };

const RENDER = RENDER_A2UI_TOOL_DEF.function.name;

/**
 * A tool that lets the graph's model ask for an A2UI surface, which a model of its own writes. Same as in
 * `@ag-ui/langgraph`: the result is a JSON text with the operations under {@link A2UI_OPERATIONS_KEY}; a surface that
 * does not validate is tried again with its errors, as often as `recovery` says. The model is streamed inside of
 * the graph's run, so that the client sees the surface grow.
 *
 * A surface that could not be made is a failed tool message (`status: "error"`, the reason under
 * `additional_kwargs.error`), also where the model throws: the run goes on and can tell the user. Its content is the
 * official one. Called by hand, outside of a tool call, the tool gives that content, and throws what its model throws.
 *
 * @param params The model, and how it is asked. Defaults are those of `@ag-ui/a2ui-toolkit`.
 */
export function getA2UITools<TModel = A2UISubagentModel>(params: A2UIToolParams<TModel>): A2UITool {
  const settings = resolveA2UIToolParams(params);
  return tool(
    async (args: GenerateA2UIArgs, runtime: ToolRuntime<Record<string, unknown>, unknown>) => {
      const call = { id: runtime.toolCallId || runtime.toolCall?.id, name: settings.toolName, args };
      try {
        const { envelope, ok } = await generate(settings, args, runtime.state ?? {});
        return ok || !call.id ? envelope : failedResult(envelope, call.id, call.name);
      } catch (error) {
        if (!call.id || passesThrough(error) || runtime.signal?.aborted) throw error;
        return thrownToolMessage(error, call);
      }
    },
    {
      name: settings.toolName,
      description: settings.toolDescription,
      schema: {
        type: "object",
        properties: {
          intent: {
            type: "string",
            enum: ["create", "update"],
            description: GENERATE_A2UI_ARG_DESCRIPTIONS.intent,
          },
          target_surface_id: {
            type: "string",
            description: GENERATE_A2UI_ARG_DESCRIPTIONS.target_surface_id,
          },
          changes: { type: "string", description: GENERATE_A2UI_ARG_DESCRIPTIONS.changes },
        },
      },
    },
    // LangChain hands a tool message through as it is; callers of the tool by hand only ever get the text
  ) as unknown as A2UITool;
}

async function generate(
  { model, guidelines, catalog, recovery, ...settings }: ResolvedA2UIToolParams,
  { intent, target_surface_id: targetSurfaceId, changes }: GenerateA2UIArgs,
  state: Record<string, unknown>,
): Promise<Generated> {
  const history = Array.isArray(state.messages) ? (state.messages as BaseMessage[]) : [];
  // the last message is the one with this call, which has no result yet
  const messages = history.slice(0, -1);
  const { prompt, error, isUpdate, prior } = prepareA2UIRequest({
    intent,
    targetSurfaceId,
    changes,
    messages,
    state,
    guidelines,
  });
  if (error) return { envelope: wrapErrorEnvelope(error), ok: false };
  const { bindTools } = (model ?? {}) as ToolCallingModel;
  if (!bindTools) {
    return { envelope: wrapErrorEnvelope("Provided model does not support bindTools"), ok: false };
  }
  // by its name, which LangChain's packages put in their provider's form; OpenAI's form is refused by the others
  const subagent = bindTools.call(model, [RENDER_A2UI_TOOL_DEF], { tool_choice: RENDER });
  return runA2UIGenerationWithRecovery({
    basePrompt: prompt,
    catalog,
    config: recovery,
    onAttempt: settings.onA2UIAttempt,
    invokeSubagent: (augmented) => renderOnce(subagent, [new SystemMessage(augmented), ...messages]),
    buildEnvelope: (args) => buildA2UIEnvelope({ args, isUpdate, targetSurfaceId, prior, ...settings }),
  });
}

/** The arguments of the model's render call; `null` where it made none. */
async function renderOnce(
  model: StreamingModel,
  messages: BaseMessage[],
): Promise<Record<string, unknown> | null> {
  const chunks: AIMessageChunk[] = [];
  for await (const chunk of await model.stream(messages)) chunks.push(chunk);
  const calls = joined(chunks)?.tool_calls ?? [];
  const render = calls.find(({ name }) => name == null || name === RENDER);
  return render ? (render.args ?? {}) : null;
}

/** The message of all chunks, joined in halves: each join parses the arguments again, which one by one is quadratic. */
function joined(chunks: AIMessageChunk[]): AIMessageChunk | undefined {
  if (chunks.length <= 1) return chunks[0];
  const middle = chunks.length >> 1;
  const right = joined(chunks.slice(middle));
  return right && joined(chunks.slice(0, middle))?.concat(right);
}

function failedResult(envelope: string, id: string, name: string): ToolMessage {
  const { error } = JSON.parse(envelope) as { error: string };
  return new ToolMessage({
    content: envelope,
    tool_call_id: id,
    name,
    status: "error",
    additional_kwargs: { error },
  });
}
