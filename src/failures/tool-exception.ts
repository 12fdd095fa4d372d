import { field, isObject, textField } from "../thrown";

/**
 * What a tool throws to report a failure that the model shall read, as `ToolException` of LangChain for Python: a
 * search without hits, a refused order. All other errors stay errors of the program.
 *
 * What becomes of it say `withToolErrorHandling` for one tool and `toolErrorHandlingMiddleware` for all tools of a
 * `createAgent` graph; without either it is an error like any other. It is recognised by its shape (this class, a
 * subclass, or any thrown object whose `name` is "ToolException", as that of `@langchain/mcp-adapters`), so that one
 * from another copy of this package counts too.
 *
 * @param message What went wrong, for the model. Without one it reads "Tool execution error".
 * @param options A `cause`, for logs: it is never shown.
 * @example
 * if (hits.length === 0) throw new ToolException(`Nothing found for "${query}", try fewer words.`);
 */
export class ToolException extends Error {
  readonly "~brand" = "ToolException";
  override name = "ToolException";
}

/** Whether a tool threw this to report a failure to the model. */
export function isToolException(error: unknown): boolean {
  return field(error, "~brand") === "ToolException" || field(error, "name") === "ToolException";
}

/**
 * Whether a tool threw this because its arguments do not fit its schema. LangChain gives the exception neither a name
 * nor a code, and a bundler may have renamed the class: then its text tells.
 */
export function isSchemaFailure(error: unknown): boolean {
  const { name } = Object(field(error, "constructor"));
  if (name === "ToolInputParsingException") return true;
  return (
    isObject(error) &&
    "output" in error &&
    (textField(error, "message") ?? "").startsWith("Received tool input did not match expected schema")
  );
}
