import { field, presentable, textField } from "../thrown";

/** What a client is told of a failed request: a sentence for a person and a code for a program. */
export interface DescribedError {
  message: string;
  code?: string;
}

const LONGEST_DETAIL = 500;
const LONGEST_CODE = 200;

/**
 * Turns what the SDK throws into something that can be shown: what the deployment answered, that it cannot be
 * reached, hangs, or broke off. No header, key, or address with more than host and path gets into it.
 *
 * @param error Anything caught around a call of a `GraphClient`.
 * @returns Codes `HTTP_<status>`, `TIMEOUT`, `UNREACHABLE`, `STREAM_BROKEN`, `UNREADABLE_ANSWER`; for an error of
 *   another kind its own message, and its own code if it has one.
 */
export function describeRemoteError(error: unknown): DescribedError {
  const status = field(error, "status");
  const body = textField(error, "text");
  if (typeof status === "number" && body !== undefined) return describeAnswer(status, body);

  const name = textField(error, "name");
  const message = textField(error, "message") ?? (typeof error === "string" ? error : "");
  // What is thrown across realms comes wrapped by the SDK, with its name in the message.
  if (name === "TimeoutError" || message.startsWith("TimeoutError")) {
    return { code: "TIMEOUT", message: "The LangGraph deployment does not answer" };
  }
  if (name === "ConnectionError" || message === "fetch failed") {
    return { code: "UNREACHABLE", message: `The LangGraph deployment cannot be reached${reason(error)}` };
  }
  if (name === "MaxReconnectAttemptsError" || message === "terminated") {
    return {
      code: "STREAM_BROKEN",
      message: `The stream of the LangGraph deployment broke off${reason(error)}`,
    };
  }
  // The message of a SyntaxError quotes what could not be parsed.
  if (name === "SyntaxError" || message.startsWith("Expected response header Content-Type")) {
    return {
      code: "UNREADABLE_ANSWER",
      message: "The LangGraph deployment sent an answer that cannot be read",
    };
  }
  const code = presentable(textField(error, "lc_error_code") ?? textField(error, "code") ?? "", LONGEST_CODE);
  return {
    message: presentable(message, LONGEST_DETAIL) || "An error without a message",
    ...(code && { code }),
  };
}

function describeAnswer(status: number, body: string): DescribedError {
  const detail = presentable(detailOf(body), LONGEST_DETAIL);
  return {
    code: `HTTP_${status}`,
    message: `The LangGraph deployment answered ${status}${detail && `: ${detail}`}`,
  };
}

/** LangGraph answers with JSON or with plain text; a page of HTML comes from a proxy and says nothing to a person. */
function detailOf(body: string): string {
  try {
    const json: unknown = JSON.parse(body);
    const detail = textField(json, "detail") ?? textField(json, "message") ?? textField(json, "error");
    return detail ?? (typeof json === "string" ? json : "");
  } catch {
    return body.trimStart().startsWith("<") ? "" : body;
  }
}

/** The code of the network error below, as `ECONNREFUSED`; its message would name addresses. */
function reason(error: unknown): string {
  const code = textField(field(error, "cause"), "code");
  return code ? ` (${code})` : "";
}
