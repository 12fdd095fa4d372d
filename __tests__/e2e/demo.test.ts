import { mkdtempSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { PROVIDERS } from "../../examples/model";
import { scratch } from "../support/run-command";
import { expectTheFailure, hopsOf, runDemo } from "../support/run-demo";

test.each(PROVIDERS)(
  "in this process, %s is told of the failure and the client has it back",
  async (provider) => {
    expectTheFailure(await hopsOf(["--provider", provider]), provider);
  },
  60_000,
);

const devServersIn = (folder: string) => readdirSync(folder).filter((name) => name.startsWith("dev-server-"));

test("on a LangGraph dev server it is the same, and nothing of the server is left", async () => {
  const TMPDIR = mkdtempSync(join(scratch, "server-"));
  expectTheFailure(await hopsOf(["--server"], { TMPDIR }), "anthropic");
  expect(devServersIn(TMPDIR)).toEqual([]);
}, 60_000);

test("Ctrl-C stops the server too", async () => {
  const TMPDIR = mkdtempSync(join(scratch, "interrupted-"));
  const { code, stderr } = await runDemo(["--server"], { TMPDIR }, "Please book a table");
  expect({ code, stderr }).toEqual({ code: 130, stderr: "" });
  expect(devServersIn(TMPDIR)).toEqual([]);
}, 60_000);
