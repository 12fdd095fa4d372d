import {
  type BaseMessage,
  coerceMessageLikeToMessage,
  type MessageFieldWithRole,
} from "@langchain/core/messages";
import type { LangChainMessage } from "../types";

/** A plain message as one of LangChain's own: human, ai, system or tool. */
export function toInstance(message: LangChainMessage): BaseMessage {
  // The role is AG-UI's word; LangChain would read it instead of the type.
  const { role: _, ...fields } = message as LangChainMessage & { role?: unknown };
  return coerceMessageLikeToMessage(fields as unknown as MessageFieldWithRole);
}
