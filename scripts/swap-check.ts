/**
 * Puts the packed package in the place of the official adapter with each package manager, looks what CopilotKit's
 * packages get, and chats once. Writes the table into `docs/swapping.md`.
 *
 *     npx tsx scripts/swap-check.ts
 */
import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { type Application, installApplication } from "../__tests__/full/copilotkit/application";
import { npm, type PackageManager, pnpm, yarn } from "../__tests__/full/copilotkit/package-managers";
import { openPage } from "../__tests__/full/copilotkit/page";
import { openWorkshop } from "../__tests__/full/scratch";
import { startAnthropicStub } from "../examples/providers/anthropic";

const page = resolve(__dirname, "../docs/swapping.md");
const mark = "<!-- written by scripts/swap-check.ts -->\n";

/** What the application's `wiring.cjs` says when all is well. */
const wired = {
  runtime: "ag-ui-langgraph",
  sdk: "ag-ui-langgraph",
  runtimeExtendsIt: true,
  oneClient: true,
  sdkExportsIt: true,
  sdkExportsItAsModule: true,
};

async function chat(application: Application): Promise<string> {
  const provider = await startAnthropicStub({ script: [{ text: "Hello there." }] });
  const graphs = await application.startGraphs(["assistant"], provider.url);
  try {
    const runtime = await application.startRuntime(graphs.url);
    try {
      const { folder } = application;
      const opened = await openPage({
        app: folder,
        runtimeUrl: runtime.url,
        agentId: "assistant",
        threadId: randomUUID(),
      });
      await opened.say("Hi");
      return [...opened.messages.map(({ role, content }) => `${role}: ${content}`), ...opened.errors].join(
        ", ",
      );
    } finally {
      await runtime.stop();
    }
  } finally {
    await graphs.stop();
    await provider.close();
  }
}

async function check(manager: PackageManager, folder: string, tarball: string): Promise<string> {
  try {
    const application = await installApplication(folder, tarball, manager);
    const found = (await application.ask("wiring.cjs")) as typeof wired;
    const wiring = isDeepStrictEqual(found, wired) ? "this package" : JSON.stringify(found);
    return `| ${manager.name} | ${wiring} | ${await chat(application)} |`;
  } catch (error) {
    console.error(error);
    return `| ${manager.name} | failed | |`;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function main() {
  const workshop = await openWorkshop();
  const tools = await mkdtemp(join(tmpdir(), "package-managers-"));
  try {
    const managers = [npm, pnpm("10", tools), pnpm("12", tools), yarn("4", tools), yarn("1", tools)];
    const rows = [
      "| package manager | what `@copilotkit/runtime` and `sdk-js` get | a chat |",
      "| --- | --- | --- |",
    ];
    for (const [index, manager] of managers.entries()) {
      const row = await check(manager, join(tools, `application-${index}`), workshop.tarball);
      console.log(row);
      rows.push(row);
    }
    const [before, , after] = readFileSync(page, "utf8").split(mark);
    writeFileSync(page, [before, `${rows.join("\n")}\n`, after].join(mark));
    if (rows.some((row) => /failed|\{/.test(row))) process.exitCode = 1;
  } finally {
    await workshop.remove();
    await rm(tools, { recursive: true, force: true });
  }
}

// whatever a page of CopilotKit leaves open
void main().finally(() => process.exit());
