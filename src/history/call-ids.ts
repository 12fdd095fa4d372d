import type { GuardContext } from "./context";
import { digest } from "./digest";
import type { Call, Pairing } from "./pairing";

const PATTERN = /^[a-zA-Z0-9_-]{1,64}$/;

/** Whether every provider takes the call id as it is. */
export const isPortableCallId = (id: string): boolean => PATTERN.test(id);

/**
 * The id under which a model is shown a call whose own id some provider's pattern refuses: a pure function of the
 * id, so that call and result meet without a table. Short enough for the providers that take forty characters.
 */
export function portableCallId(id: string): string {
  return isPortableCallId(id) ? id : `call_${digest(id)}`;
}

/** Gives calls without an id one, and tells apart the calls that share an id; their results follow. */
export function tellCallIdsApart(pairing: Pairing, context: GuardContext): void {
  const taken = new Set<string>();
  const needy: Call[] = [];
  // Whoever still answers an open call knows it by its id, so messages with open calls choose first.
  for (const wantsOpen of [true, false]) {
    for (const { calls } of pairing.turns.values()) {
      if (calls.some(isOpen) !== wantsOpen) continue;
      for (const call of calls) if (!call.removed && !claim(call, taken)) needy.push(call);
    }
  }
  if (needy.length === 0) return;

  const counters = new Map<string, number>();
  for (const call of needy) {
    const turn = pairing.turnOfCall.get(call);
    const { id } = call;
    const base = id === "" ? `call_${digest(`${turn?.message.id ?? turn?.at} ${call.index}`)}` : id;
    let count = counters.get(base) ?? (id === "" ? 1 : 2);
    let fresh = id === "" && count === 1 ? base : numbered(base, count);
    for (; taken.has(fresh); fresh = numbered(base, count)) count += 1;
    counters.set(base, count + 1);
    taken.add(fresh);
    call.id = fresh;
    if (id === "") {
      context.report("call-id-missing", turn?.message ?? {}, "The call had no id and was given one.", fresh);
    } else {
      context.report(
        "call-id-reused",
        turn?.message ?? {},
        `The id was in use: the call is now ${fresh}.`,
        id,
      );
    }
  }
}

const isOpen = (call: Call): boolean => !call.result && !call.unanswered && !call.removed;

function claim({ id }: Call, taken: Set<string>): boolean {
  if (id === "" || taken.has(id)) return false;
  taken.add(id);
  return true;
}

/** A number behind an id, within the length that the id's pattern allows. */
function numbered(id: string, count: number): string {
  const suffix = `-${count}`;
  return isPortableCallId(id) ? id.slice(0, 64 - suffix.length) + suffix : id + suffix;
}
