import { type BaseMessage, coerceMessageLikeToMessage } from "@langchain/core/messages";

/** What a run starts with, as `runs.stream` of the SDK takes it. */
interface RunStart {
  input?: unknown;
  command?: { resume?: unknown; update?: unknown; goto?: unknown } | null;
}

/** What `runs.stream` was given, as the graph takes it: its state update, a command, or `null` to go on. */
export function graphInput({ input, command }: RunStart): unknown {
  if (command == null) return withMessageInstances(input ?? null);
  return new GraphCommand(command.resume, withMessageInstances(command.update), command.goto);
}

/**
 * Plain messages of a state update become message instances, so that graphs with a reducer of their own see
 * what they see in LangGraph's. What is no message passes as it is: the graph's reducer has the last word.
 */
export function withMessageInstances(update: unknown): unknown {
  if (typeof update !== "object" || update === null || Array.isArray(update)) return update;
  if (!("messages" in update) || !Array.isArray(update.messages)) return update;
  return { ...update, messages: update.messages.map(toInstance) };
}

function toInstance(message: unknown): unknown {
  if (typeof message !== "object" || message === null) return message;
  try {
    return coerceMessageLikeToMessage(message as BaseMessage);
  } catch {
    return message;
  }
}

/**
 * LangGraph knows a command by its `lg_name` on an object that is not a plain one, so that commands of another
 * copy of the package work too. Its own class would be an import of an optional peer, at run time and for bundlers.
 */
class GraphCommand {
  lg_name = "Command";
  goto: unknown[];

  constructor(
    readonly resume: unknown,
    readonly update: unknown,
    goto: unknown,
  ) {
    this.goto = goto == null ? [] : Array.isArray(goto) ? goto : [goto];
    if (!this.goto.every(isDestination)) {
      throw new TypeError(
        "`command.goto` in this process takes node names and `Send` objects of @langchain/langgraph",
      );
    }
  }
}

function isDestination(target: unknown): boolean {
  return typeof target === "string" || (typeof target === "object" && target !== null && "lg_name" in target);
}
