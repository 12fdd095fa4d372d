import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { type DevServer, startDevServer } from "../support/dev-server";
import { rowsOf, serverClient } from "../support/home-rows";

const own = "__tests__/support/graphs/by-package-name.ts:byPackageName";

async function answers({ url }: Pick<DevServer, "url">): Promise<boolean> {
  return fetch(`${url}/ok`).then(
    ({ ok }) => ok,
    () => false,
  );
}

test("serves TypeScript graphs that import this package by its name, until it is stopped", async () => {
  const server = await startDevServer({ graphs: { own } });
  const client = serverClient(server.url);
  const { thread_id } = await client.threads.create();
  const input = { messages: [{ type: "human", content: "Which?" }] };
  const rows = await rowsOf(client, thread_id, "own", { input, streamMode: ["values"] });
  const values = rows.at(-1)?.data as { messages: { content: string }[] };
  expect(values.messages.at(-1)?.content).toContain("stateItem");
  await server.stop();
  expect(await answers(server)).toBe(false);
}, 60_000);

test("says why it did not start", async () => {
  const graphs = { none: "__tests__/support/graphs/no-such-file.ts:none" };
  await expect(startDevServer({ graphs })).rejects.toThrow("no-such-file.ts");
}, 60_000);

test("does not outlive the process that started it, though that one is killed", async () => {
  const starter = resolve(__dirname, "../support/start-and-stay.ts");
  const parent = spawn(process.execPath, ["--import", "tsx", starter, own], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await new Promise<string>((told) =>
    parent.stdout.once("data", (line) => told(String(line).trim())),
  );
  expect(await answers({ url })).toBe(true);
  parent.kill("SIGKILL");
  const deadline = Date.now() + 20_000;
  while ((await answers({ url })) && Date.now() < deadline) await new Promise((later) => setImmediate(later));
  expect(await answers({ url })).toBe(false);
}, 60_000);
