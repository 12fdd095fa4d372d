import { createServer, request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import type { AddressInfo } from "node:net";
import type { ProviderStub } from "./server";

/** Headers that belong to one connection, not to the message. */
const HOP_BY_HOP = [
  "connection",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];

/**
 * A pass-through proxy on loopback in front of a provider: what a chat model sends goes on byte by byte, what the
 * provider answers comes back as it streams. Keeps the body of every request and nothing else, so that no key is kept.
 *
 * @param upstream The provider's base URL; its path is put before the path of each request.
 */
export async function startRecorder({ upstream }: { upstream: string }): Promise<ProviderStub> {
  const target = new URL(upstream);
  const send = target.protocol === "http:" ? httpRequest : httpsRequest;
  const requests: unknown[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    requests.push(parse(body.toString("utf8")));

    const headers = { ...request.headers, host: target.host, "content-length": String(body.length) };
    for (const name of HOP_BY_HOP) delete headers[name as keyof typeof headers];
    const options = { method: request.method, path: join(target.pathname, request.url ?? "/"), headers };
    const forwarded = send(target, options, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
      answer.once("error", () => response.destroy());
    });
    forwarded.once("error", (error: NodeJS.ErrnoException) => {
      if (response.headersSent) return void response.destroy();
      // 400, since clients retry what a gateway says
      response.writeHead(400, { "content-type": "application/json" });
      const message = `the provider cannot be reached (${error.code ?? error.name})`;
      response.end(JSON.stringify({ type: "error", error: { type: "unreachable", message }, message }));
    });
    response.once("close", () => forwarded.destroy());
    forwarded.end(body);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const join = (base: string, path: string) => `${base.replace(/\/$/, "")}${path}`;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
