import type { AguiMessage, LangChainMessage } from "../types";
import { mendArguments } from "./arguments";
import type { GuardContext } from "./context";
import { convertInput } from "./convert-input";
import { dropEmptyMessages } from "./empty-content";
import { guardHistory } from "./guard";
import { joinHistories } from "./join";
import { withUniqueIds } from "./message-ids";
import { mapRoles } from "./roles";
import { promoteTextCalls } from "./text-calls";

/** The history of any run, whatever the checkpoint holds and the client sent. */
export function joinAndGuard(
  read: readonly LangChainMessage[],
  input: readonly AguiMessage[],
  context: GuardContext,
): LangChainMessage[] {
  const news = aboutNew(context);
  const sent = promoteTextCalls(convertInput(input, news), news);
  const stored = dropEmptyMessages(mendArguments(mapRoles(read, context), context), context);
  return withUniqueIds(guardHistory(joinHistories(stored, sent, context), context), context);
}

/** What the checkpoint has was reported when it came. */
function aboutNew(context: GuardContext): GuardContext {
  return {
    ...context,
    report(kind, message, ...rest) {
      if (!context.storedIds.has(message.id ?? "")) context.report(kind, message, ...rest);
    },
  };
}
