import { oneLine, paintFor } from "./paint";

const FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";
const CLEAR_LINE = "\r\u001b[2K";

/**
 * Shows on a terminal that something takes its time, until it is done: a line on standard error with the seconds.
 * Writes nothing where standard error is no terminal.
 *
 * @param work Gets a function that takes the line away, to be called before something else is written; it comes back
 *   by itself.
 */
export async function withProgress<T>(
  what: string,
  work: (clear: () => void) => Promise<T>,
  stream: { isTTY?: boolean; write(text: string): unknown } = process.stderr,
): Promise<T> {
  if (!stream.isTTY) return work(() => {});
  const paint = paintFor(stream);
  const begin = Date.now();
  let frame = 0;
  const draw = () => {
    const seconds = ((Date.now() - begin) / 1000).toFixed(0);
    const turn = FRAMES[frame++ % FRAMES.length] ?? "";
    stream.write(`${CLEAR_LINE}${paint.cyan(turn)} ${oneLine(what, 60)} ${paint.dim(`${seconds}s`)}`);
  };
  const clear = () => {
    stream.write(CLEAR_LINE);
  };
  draw();
  const timer = setInterval(draw, 100);
  try {
    return await work(clear);
  } finally {
    clearInterval(timer);
    clear();
  }
}
