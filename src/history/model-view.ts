import type { LangChainMessage } from "../types";
import { isPortableCallId, portableCallId } from "./call-ids";
import type { GuardContext } from "./context";
import { rewriteCalls } from "./rewrite-calls";
import { type AiMessage, callsOf, idText, isAi, isToolResult } from "./shapes";

/**
 * A guarded history as a model is shown it: call ids that some provider's pattern refuses are mapped, on the call and
 * on its result. Only for the model: the checkpoint and the client keep the original ids.
 */
export function forModel(history: readonly LangChainMessage[], context: GuardContext): LangChainMessage[] {
  return history.map((message) => {
    if (isAi(message)) return withPortableCalls(message, context);
    if (!isToolResult(message) || isPortableCallId(message.tool_call_id)) return message;
    return { ...message, tool_call_id: portableCallId(message.tool_call_id) };
  });
}

function withPortableCalls(message: AiMessage, context: GuardContext): AiMessage {
  const calls = callsOf(message);
  if (calls.every(({ id }) => isPortableCallId(idText(id)))) return message;
  const mapped = calls.map((call) => {
    const id = idText(call.id);
    if (isPortableCallId(id)) return call;
    context.report("call-id-mapped", message, "The model is shown an id that every provider takes.", id);
    return { ...call, id: portableCallId(id) };
  });
  return rewriteCalls(message, mapped);
}
