/** What stands for a failure whose text is not known: the constant that the official adapters agreed on. */
export const UNKNOWN_ERROR = "error";

const SAYS_THAT_IT_FAILED = /error\b|exception\b|\bfail(ed|ure|s)?\b/iu;
const WORD = /[\p{L}\p{N}_]/u;

/** Enough to find an error text among its look-alikes; a bound, so that repetitive megabytes cost no more. */
const MAX_LOOK_ALIKES = 64;

/**
 * The content of a failed tool result as a model has to read it: providers drop LangChain's `status`, so the
 * content alone must say that the call failed, and no provider takes a blank one.
 *
 * @param content What the tool said.
 * @param error The text of the failure; a blank one counts as "error". `undefined` where only the failure is known:
 *   then any word for it will do.
 */
export function legibleFailure(content: string, error: string | undefined): string {
  const text = error?.trim() ? error : UNKNOWN_ERROR;
  if (content.trim() === "") return text;
  const isSaid = error === undefined ? SAYS_THAT_IT_FAILED.test(content) : says(content, text.trim());
  return isSaid ? content : `${text}\n${content}`;
}

/** Whether the content has the text as a line of its own or in whole words. */
function says(content: string, text: string): boolean {
  const startsWithWord = WORD.test(text.charAt(0)) || isPartOfPair(text, 0);
  const endsWithWord = WORD.test(text.charAt(text.length - 1)) || isPartOfPair(text, text.length - 1);
  let at = content.indexOf(text);
  for (let tries = 0; at !== -1 && tries < MAX_LOOK_ALIKES; tries += 1) {
    const end = at + text.length;
    if (isEdge(content, at - 1, startsWithWord) && isEdge(content, end, endsWithWord)) return true;
    at = content.indexOf(text, at + 1);
  }
  return false;
}

/** Punctuation at the rim of an error text is only whole between blanks: a "!" in "Saved!" reports no failure. */
function isEdge(content: string, at: number, besideWord: boolean): boolean {
  const neighbour = content.charAt(at);
  if (neighbour === "" || /\s/.test(neighbour)) return true;
  return besideWord && !WORD.test(neighbour) && !isPartOfPair(content, at);
}

/** Letters outside the basic plane are two halves, neither of which looks like a letter. */
function isPartOfPair(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xd800 && code <= 0xdfff;
}
