import type { MessageContent } from "@langchain/core/messages";
import { textField } from "../thrown";
import { isBubbleUp } from "./thrown-tool-error";
import { isSchemaFailure, isToolException, type ToolException } from "./tool-exception";

/**
 * What becomes of an error:
 * - `false`, `null`, `undefined`, `""`: it is thrown on.
 * - `true`: the model reads the message of a `ToolException`, or "Tool execution error" if it has none; for arguments
 *   that fail the schema it reads "Tool input validation error".
 * - a string: the model reads that.
 * - a function: the model reads what it returns for the error, a text or a list of content blocks, also as a promise.
 *   What it throws is thrown in place of the error.
 *
 * Anything else is a mistake: a TypeError is thrown as soon as there is an error to handle.
 */
export type ToolErrorHandler<E> =
  | boolean
  | string
  | null
  | undefined
  | ((error: E) => MessageContent | Promise<MessageContent>);

/** Which errors of a tool become a failed result that the model reads. As the fields of LangChain for Python. */
export interface ToolErrorHandlingOptions {
  /** What becomes of a {@link ToolException}, and of nothing else. Default: it is thrown on. */
  handleToolError?: ToolErrorHandler<ToolException>;
  /** What becomes of arguments that do not fit the tool's schema. Default: the error is thrown on. */
  handleValidationError?: ToolErrorHandler<Error>;
}

/** What the model is told of a failure. */
export interface ToolErrorAnswer {
  content: unknown;
  /** What there is to say of the failure where the content has no text. */
  reason: string;
}

/** Where an error comes from: what a running tool throws is no failure of its own arguments, whatever it is. */
export type ToolErrorSource = "arguments" | "run";

/** The switches are set wrongly: a mistake of the program, which no model shall have to read. */
export class UnexpectedHandlerError extends TypeError {
  constructor(option: keyof ToolErrorHandlingOptions, handler: unknown) {
    super(
      `Got unexpected type of \`${option}\`. Expected a boolean, a string or a function, received: ${typeof handler}`,
    );
    this.name = "TypeError";
  }
}

/**
 * What the options make of an error of a tool; nothing where it has to be thrown on.
 *
 * @throws {UnexpectedHandlerError} Where the option that counts here is of no type that means something.
 */
export async function answerTo(
  error: unknown,
  source: ToolErrorSource,
  options: ToolErrorHandlingOptions,
): Promise<ToolErrorAnswer | undefined> {
  // an interrupt is no failure, whatever else it looks like
  if (isBubbleUp(error)) return undefined;
  const message = textField(error, "message") ?? "";
  if (isToolException(error)) {
    const reason = message.trim() ? message : "Tool execution error";
    return answerOf("handleToolError", options.handleToolError, error as ToolException, reason, reason);
  }
  if (source === "arguments" && isSchemaFailure(error)) {
    const { handleValidationError: handler } = options;
    const told = "Tool input validation error";
    return answerOf("handleValidationError", handler, error as Error, told, message || told);
  }
  return undefined;
}

async function answerOf<E>(
  option: keyof ToolErrorHandlingOptions,
  handler: ToolErrorHandler<E>,
  error: E,
  told: string,
  reason: string,
): Promise<ToolErrorAnswer | undefined> {
  if (!handler) return undefined;
  if (handler === true) return { content: told, reason };
  if (typeof handler === "string") return { content: handler, reason };
  if (typeof handler === "function") return { content: await handler(error), reason };
  throw new UnexpectedHandlerError(option, handler);
}
