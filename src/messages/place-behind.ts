/**
 * Where a message belongs that was said before what followed: behind the last message that was there then, and the
 * results that stand behind it. The end of the list where none of its messages was there.
 */
export function placeBehind<M>(
  messages: readonly M[],
  wasThere: (message: M) => boolean,
  isResult: (message: M) => boolean,
): number {
  const last = messages.findLastIndex(wasThere);
  if (last === -1) return messages.length;
  const next = messages.findIndex((message, at) => at > last && !isResult(message));
  return next === -1 ? messages.length : next;
}
