import { tokenUsageFromLangChainMetadata } from "@ag-ui/client";
import { textOrNothing } from "../messages/json";
import type { TranslationContext } from "./context";
import type { LiveMessage } from "./live-message";

export interface Usages {
  /** What a chunk of the message, or the whole message where no chunk told it, says of the tokens used. */
  count(message: LiveMessage, usage: unknown, whole: boolean): void;
}

export function createUsages({ run }: TranslationContext): Usages {
  const counted = new Set<string>();
  return {
    count(message, usage, whole) {
      if (!usage || (whole && counted.has(message.id))) return;
      const { ls_provider: provider, ls_model_name: model } = message.origin.metadata;
      const entry = tokenUsageFromLangChainMetadata(usage, {
        provider: textOrNothing(provider),
        model: textOrNothing(model),
      });
      if (!entry) return;
      counted.add(message.id);
      run.usage ??= [];
      run.usage.push(entry);
    },
  };
}
