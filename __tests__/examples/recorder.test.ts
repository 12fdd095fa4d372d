import { startRecorder } from "../../examples/providers/recorder";
import { eventStream, startStub } from "../../examples/providers/server";

test("the request goes on as it is, and is kept; the answer streams back", async () => {
  const seen: unknown[] = [];
  const upstream = await startStub([], ({ method, path, headers, body, response }) => {
    seen.push({ method, path, key: headers["x-api-key"], host: headers.host, body });
    const send = eventStream(response);
    send({ n: 1 });
    send({ n: 2 });
    response.end();
  });
  const recorder = await startRecorder({ upstream: `${upstream.url}/base/` });
  try {
    const answer = await fetch(`${recorder.url}/v1/messages?beta=true`, {
      method: "POST",
      headers: { "x-api-key": "secret" },
      body: '{"model":"m"}',
    });
    expect(answer.headers.get("content-type")).toBe("text/event-stream");
    expect(await answer.text()).toBe('data: {"n":1}\n\ndata: {"n":2}\n\n');
    expect(seen).toEqual([
      {
        method: "POST",
        path: "/base/v1/messages?beta=true",
        key: "secret",
        host: new URL(upstream.url).host,
        body: { model: "m" },
      },
    ]);
    expect(recorder.requests).toEqual([{ model: "m" }]);
    expect(JSON.stringify(recorder.requests)).not.toContain("secret");
  } finally {
    await recorder.close();
    await upstream.close();
  }
});

test("a provider that is not there is an error that says so", async () => {
  const gone = await startStub([], () => {});
  await gone.close();
  const recorder = await startRecorder({ upstream: gone.url });
  const answer = await fetch(recorder.url, { method: "POST", body: "{}" });
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ message: "the provider cannot be reached (ECONNREFUSED)" });
  await recorder.close();
});
