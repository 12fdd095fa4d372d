import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createRemoteClient, type RemoteClientOptions } from "../../src/graphs/remote";
import { describeRemoteError } from "../../src/graphs/remote-error";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

let server: Server;
let answer: Answer;
let seen: IncomingMessage[];

beforeAll(async () => {
  server = createServer((request, response) => {
    seen.push(request);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

beforeEach(() => {
  seen = [];
});

function clientOf(options: Partial<RemoteClientOptions> = {}) {
  const { port } = server.address() as AddressInfo;
  return createRemoteClient({
    deploymentUrl: `http://127.0.0.1:${port}`,
    langsmithApiKey: "key-1",
    ...options,
  });
}

function says(status: number, body: string, type = "application/json"): Answer {
  return (_, response) => response.writeHead(status, { "content-type": type }).end(body);
}

function streams(rows: string, then: (response: ServerResponse) => void): Answer {
  return (_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(rows, () => then(response));
  };
}

async function failureOf(work: Promise<unknown>) {
  const thrown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(thrown).toBeDefined();
  return describeRemoteError(thrown);
}

async function read(rows: AsyncIterable<unknown>) {
  for await (const row of rows) taken.push(row);
}
let taken: unknown[] = [];
beforeEach(() => {
  taken = [];
});

describe("headers", () => {
  beforeEach(() => {
    answer = says(200, "{}");
  });

  test("static ones, the key and those of the moment go with every request", async () => {
    let turn = 0;
    const client = clientOf({
      propertyHeaders: { "X-Tenant": "acme", "x-who": "static" },
      headers: () => ({ "X-Who": `turn-${++turn}` }),
    });
    await client.threads.get("t");
    await client.threads.getState("t");
    const [first, second] = seen.map(({ headers }) => headers);
    expect(first).toMatchObject({ "x-api-key": "key-1", "x-tenant": "acme", "x-who": "turn-1" });
    expect(second).toMatchObject({ "x-who": "turn-2" });
  });

  test("those of the moment go with a run's stream too", async () => {
    answer = streams("", (response) => response.end());
    await read(clientOf({ headers: () => ({ "x-trace": "abc" }) }).runs.stream("t", "a", { input: {} }));
    expect(seen[0]?.headers).toMatchObject({ "x-trace": "abc", "content-type": "application/json" });
  });

  test("there may be none", async () => {
    await clientOf({ headers: () => undefined }).threads.get("t");
    expect(seen[0]?.headers["x-api-key"]).toBe("key-1");
  });
});

describe("what failed is told", () => {
  test.each([
    [401, '{"detail":"Invalid token"}', "The LangGraph deployment answered 401: Invalid token"],
    [404, '{"message":"Thread not found"}', "The LangGraph deployment answered 404: Thread not found"],
    [403, "Forbidden", "The LangGraph deployment answered 403: Forbidden"],
    [403, "<html><body>Sign in</body></html>", "The LangGraph deployment answered 403"],
    [422, '{"detail":[{"loc":["body"]}]}', "The LangGraph deployment answered 422"],
  ])("a look-up is answered %i %s", async (status, body, message) => {
    answer = says(status, body);
    expect(await failureOf(clientOf().threads.getState("t"))).toEqual({ code: `HTTP_${status}`, message });
    expect(seen).toHaveLength(1);
  });

  test("a run is answered 500, and not started again", async () => {
    answer = says(500, '{"message":"Internal error"}');
    expect(await failureOf(read(clientOf().runs.stream("t", "a", { input: {} })))).toEqual({
      code: "HTTP_500",
      message: "The LangGraph deployment answered 500: Internal error",
    });
    expect(seen).toHaveLength(1);
  });

  test("the deployment hangs", async () => {
    answer = () => {};
    const failure = await failureOf(clientOf({ timeoutMs: 50 }).threads.get("t"));
    expect(failure).toEqual({ code: "TIMEOUT", message: "The LangGraph deployment does not answer" });
  });

  test("the stream breaks after some rows", async () => {
    answer = streams('event: values\ndata: {"a":1}\n\n', (response) => response.destroy());
    const failure = await failureOf(read(clientOf().runs.stream("t", "a", { input: {} })));
    expect(failure).toMatchObject({ code: "STREAM_BROKEN" });
  });

  test("a row is no JSON, and is not quoted", async () => {
    answer = streams('event: values\ndata: {"prompt": "secret\n\n', (response) => response.end());
    const failure = await failureOf(read(clientOf().runs.stream("t", "a", { input: {} })));
    expect(failure).toEqual({
      code: "UNREADABLE_ANSWER",
      message: "The LangGraph deployment sent an answer that cannot be read",
    });
  });

  test("a proxy answers with a page instead of a stream", async () => {
    answer = says(200, "<html></html>", "text/html");
    const failure = await failureOf(read(clientOf().runs.stream("t", "a", { input: {} })));
    expect(failure).toMatchObject({ code: "UNREADABLE_ANSWER" });
  });

  test("nobody listens", () => {
    const refused = Object.assign(new TypeError("fetch failed"), { cause: { code: "ECONNREFUSED" } });
    expect(describeRemoteError(refused)).toEqual({
      code: "UNREACHABLE",
      message: "The LangGraph deployment cannot be reached (ECONNREFUSED)",
    });
    const bySdk = Object.assign(new Error("Unable to connect to LangGraph server."), {
      name: "ConnectionError",
    });
    expect(describeRemoteError(bySdk).code).toBe("UNREACHABLE");
  });
});

describe("what is not told", () => {
  test("credentials and queries of addresses", () => {
    const { message } = describeRemoteError(new Error("GET https://me:pw@host.example/a/b?key=k1#x failed"));
    expect(message).toBe("GET https://host.example/a/b failed");
  });

  test("more than a sane size", () => {
    expect(describeRemoteError({ status: 500, text: "x".repeat(10_000_000) }).message.length).toBeLessThan(
      600,
    );
  });

  test.each([undefined, null, 7, {}, [], Object.create(null)])("nothing can be read from %p", (thrown) => {
    expect(describeRemoteError(thrown)).toEqual({ message: "An error without a message" });
  });

  test("an error whose getters throw", () => {
    const hostile = Object.defineProperty({}, "message", {
      get() {
        throw new Error("no");
      },
    });
    expect(describeRemoteError(hostile)).toEqual({ message: "An error without a message" });
  });
});

test("an error of another kind keeps its message and its code", () => {
  const error = Object.assign(new Error("the order is refused"), { code: "E_ORDER" });
  expect(describeRemoteError(error)).toEqual({ message: "the order is refused", code: "E_ORDER" });
});

test("an abort ends the wait for a deployment that hangs", async () => {
  const abort = new AbortController();
  answer = () => abort.abort();
  const work = read(clientOf().runs.stream("t", "a", { input: {}, signal: abort.signal }));
  await expect(work).rejects.toThrow("aborted");
});

test("the run's id is told as soon as the deployment answers", async () => {
  answer = (_, response) => {
    const headers = { "content-type": "text/event-stream", "content-location": "/threads/t/runs/r-1" };
    response.writeHead(200, headers).end();
  };
  const created: unknown[] = [];
  await read(clientOf().runs.stream("t", "a", { input: {}, onRunCreated: (run) => created.push(run) }));
  expect(created).toEqual([{ run_id: "r-1", thread_id: "t" }]);
});
