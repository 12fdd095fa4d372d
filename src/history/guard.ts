import type { LangChainMessage } from "../types";
import { mendArguments } from "./arguments";
import { tellCallIdsApart } from "./call-ids";
import type { GuardContext } from "./context";
import { closeDanglingCalls } from "./dangling";
import { chooseResults } from "./duplicates";
import { dropEmptyMessages, takeOutBlanks } from "./empty-content";
import { asHealthy } from "./healthy";
import { nameCalls } from "./names";
import { placeResults } from "./order";
import { reportOrphans } from "./orphans";
import { pairCalls } from "./pairing";
import { mendResults } from "./results";
import { promoteTextCalls } from "./text-calls";

/**
 * A history that every provider accepts, and that may be stored in the checkpoint. Messages that nothing is wrong with
 * are the same objects.
 */
export function guardHistory(
  history: readonly LangChainMessage[],
  context: GuardContext,
): LangChainMessage[] {
  const healthy = asHealthy(history, context);
  if (healthy) return healthy;
  const readable = mendArguments(history, context);
  const messages = takeOutBlanks(promoteTextCalls(readable, context), context);
  const pairing = pairCalls(messages, context.assigned);
  reportOrphans(pairing, context);
  chooseResults(pairing, context);
  closeDanglingCalls(messages, pairing, context);
  tellCallIdsApart(pairing, context);
  nameCalls(pairing, context);
  const placed = placeResults(messages, pairing, context);
  return mendResults(dropEmptyMessages(placed, context), context);
}
