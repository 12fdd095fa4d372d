import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export interface BrokenDeployment {
  url: string;
  /** Method and path of every request, in order. */
  requests: string[];
  close(): Promise<void>;
}

export const json =
  (body: unknown, status = 200): Answer =>
  (_request, response) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  };

/** A stream that sends these rows and then breaks off. */
export const brokenStream = (rows: Rows): Answer => streamOf(rows, (response) => response.destroy());

/** A stream that sends these rows and then ends, as if there were no more. */
export const shortStream = (rows: Rows): Answer => streamOf(rows, (response) => response.end());

type Rows = { event: string; data: unknown }[];

const streamOf =
  (rows: Rows, leave: (response: ServerResponse) => void): Answer =>
  (_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream", "content-location": "/runs/server-run" });
    const body = rows.map(({ event, data }) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join("");
    response.write(body, () => leave(response));
  };

const healthy: Record<string, Answer> = {
  "POST /assistants/search": json([{ assistant_id: "assistant", graph_id: "graph", config: {} }]),
  "GET /assistants/assistant/schemas": json({}),
  "GET /threads/thread": json({ thread_id: "thread" }),
  "GET /threads/thread/state": json({ values: { messages: [] }, next: [], tasks: [], checkpoint: {} }),
};

/**
 * A LangGraph server that goes wrong where `answers` says so, by method and path. It stands in for a deployment
 * that a network or an operator broke, which a healthy dev server cannot show.
 */
export async function startBrokenDeployment(answers: Record<string, Answer>): Promise<BrokenDeployment> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const route = `${request.method} ${request.url?.split("?")[0]}`;
    requests.push(route);
    const answer = answers[route] ?? healthy[route] ?? json({ detail: "not found" }, 404);
    answer(request, response);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((closed) => {
        server.closeAllConnections();
        server.close(() => closed());
      }),
  };
}
