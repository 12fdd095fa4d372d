import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A provider's HTTP API on loopback, as far as the examples and tests need it. */
export interface ProviderStub {
  /** The base URL to point a chat model at, without a trailing slash. */
  url: string;
  /** The body of every request, in order, also of those that were refused. */
  requests: unknown[];
  close(): Promise<void>;
}

export interface Exchange {
  method: string;
  /** The path with its query. */
  path: string;
  headers: IncomingMessage["headers"];
  body: unknown;
  response: ServerResponse;
}

/**
 * Serves `handle` on a free loopback port. A throwing handler answers 500 with the message. It does not keep its process
 * alive: whoever asks does.
 */
export async function startStub(
  requests: unknown[],
  handle: (exchange: Exchange) => Promise<void> | void,
): Promise<ProviderStub> {
  const server = createServer(async (request, response) => {
    try {
      const body = parse(await read(request));
      await handle({
        method: request.method ?? "GET",
        path: request.url ?? "/",
        headers: request.headers,
        body,
        response,
      });
    } catch (error) {
      json(response, 500, { error: { message: error instanceof Error ? error.message : String(error) } });
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  server.on("connection", (socket) => socket.unref());
  server.unref();
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function parse(text: string): unknown {
  try {
    return text ? JSON.parse(text) : undefined;
  } catch {
    return text;
  }
}

export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
) {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

/** Opens a stream of server-sent events; each call of the result writes one. */
export function eventStream(response: ServerResponse): (data: unknown, event?: string) => void {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  return (data, event) => {
    const text = typeof data === "string" ? data : JSON.stringify(data);
    response.write(`${event ? `event: ${event}\n` : ""}data: ${text}\n\n`);
  };
}
