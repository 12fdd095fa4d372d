import { isRecord } from "../messages/json";
import { aguiMessagesToLangChain, type ToLangChainOptions } from "../messages/to-langchain";
import type { AguiMessage, LangChainMessage } from "../types";
import type { GuardContext } from "./context";

/** A client's messages as LangChain's, with a report of what could not be converted as it is. */
export function convertInput(messages: readonly AguiMessage[], context: GuardContext): LangChainMessage[] {
  return aguiMessagesToLangChain(messages, inputConversion(context));
}

export function inputConversion(context: GuardContext): ToLangChainOptions {
  return {
    toolErrorContent: context.toolErrorContent,
    onSkip(message, why) {
      const id = isRecord(message) && typeof message.id === "string" ? message.id : undefined;
      context.report("message-skipped", { id }, `Left out: ${why}.`);
    },
    onBrokenArguments({ messageId, toolCallId, outcome }) {
      const message = { id: messageId };
      if (outcome === "repaired") {
        context.report(
          "arguments-repaired",
          message,
          "The arguments could not be taken as they were and were repaired.",
          toolCallId,
        );
      } else {
        context.report(
          "arguments-replaced",
          message,
          "The arguments could not be read and are now empty.",
          toolCallId,
        );
      }
    },
  };
}
