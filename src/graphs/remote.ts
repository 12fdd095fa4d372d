import { Client } from "@langchain/langgraph-sdk";

export interface RemoteClientOptions {
  /** The address of the LangGraph deployment. */
  deploymentUrl: string;
  /** Sent as `x-api-key`; without one the SDK looks into `LANGGRAPH_API_KEY`, `LANGSMITH_API_KEY`, `LANGCHAIN_API_KEY`. */
  langsmithApiKey?: string;
  /** Headers of every request. */
  propertyHeaders?: Record<string, string>;
  /** Asked at every request, so that headers can change between requests; they win over the others. */
  headers?: () => Record<string, string> | undefined;
  /** How long an answer other than a run's stream may take. Default: a minute, for a deployment that hangs. */
  timeoutMs?: number;
}

/**
 * A client for graphs on a LangGraph server, with the official adapter's options.
 *
 * @returns An SDK `Client`, so it has also what the adapter itself does not use.
 */
export function createRemoteClient(options: RemoteClientOptions): Client {
  return new Client({
    apiUrl: options.deploymentUrl,
    apiKey: options.langsmithApiKey,
    defaultHeaders: { ...options.propertyHeaders },
    timeoutMs: options.timeoutMs ?? 60_000,
    onRequest: (_url, init) => withHeaders(init, options.headers?.()),
  });
}

function withHeaders(init: RequestInit, dynamic: Record<string, string> | undefined): RequestInit {
  if (!dynamic || Object.keys(dynamic).length === 0) return init;
  const headers = new Headers(init.headers);
  for (const [name, value] of Object.entries(dynamic)) headers.set(name, value);
  return { ...init, headers: Object.fromEntries(headers) };
}
