import type { ProviderStub } from "../../examples/providers/server";

export interface Answer {
  status: number;
  body: Record<string, unknown>;
  text: string;
}

/** Sends one request to a stub, as a client of the provider's HTTP API would. */
export async function ask(
  stub: ProviderStub,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(`${stub.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("json");
  return { status: response.status, body: isJson ? JSON.parse(text) : {}, text };
}
