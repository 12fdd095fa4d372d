import { existsSync } from "node:fs";
import { join } from "node:path";
import { installedVersions, openWorkshop, type Project, type Workshop } from "./scratch";

let workshop: Workshop;
let versions: Record<string, string>;

beforeAll(async () => {
  workshop = await openWorkshop();
  versions = await installedVersions([
    "@langchain/core",
    "@langchain/langgraph",
    "@langchain/langgraph-sdk",
    "@types/node",
    "langchain",
    "zod",
  ]);
});

afterAll(() => workshop?.remove());

const clients = {
  "1.0": { "@ag-ui/client": "1.0.0", "@ag-ui/core": "1.0.0" },
  "0.0.59": { "@ag-ui/client": "0.0.59", "@ag-ui/core": "0.0.59" },
};

/** Where npm put these packages: one line for each copy. */
async function copies(project: Project, ...names: string[]): Promise<string[]> {
  const listed = await project.npm("ls", "--all", "--parseable", ...names);
  return listed
    .trim()
    .split("\n")
    .map((path) => path.slice(path.indexOf("node_modules")));
}

describe.each(Object.entries(clients))("an application with client %s", (name, client) => {
  let project: Project;

  beforeAll(async () => {
    project = await workshop.project(`application-${name}`, {
      dependencies: { ...versions, ...client, "ag-ui-langgraph": `file:${workshop.tarball}` },
    });
    await project.take("tsconfig.json");
    await project.take("consumer.ts", "consumer.mts");
    await project.take("consumer.ts", "consumer.cts");
  });

  it("has one copy of the client", async () => {
    expect(await copies(project, "@ag-ui/client", "@ag-ui/core")).toEqual([
      "node_modules/@ag-ui/client",
      "node_modules/@ag-ui/core",
    ]);
  });

  it("compiles, with the package's declarations checked", async () => {
    // @langchain/core has declarations that are wrong for CommonJS, which is not for us to judge
    const ofOthers = /^node_modules\/(?!ag-ui-langgraph\/)/;
    const complaints = await project.compile();
    expect(complaints.filter((complaint) => !ofOthers.test(complaint))).toEqual([]);
  });

  it.each(["consumer.mjs", "consumer.cjs"])("runs graphs: %s", async (file) => {
    expect(JSON.parse(await project.node(file))).toEqual({
      byHand: [
        { role: "user", content: "Hi" },
        { role: "assistant", content: "Hello" },
      ],
      byAgent: [
        { role: "user", content: "Hi" },
        { role: "assistant", content: "Hello" },
      ],
      last: "RUN_FINISHED",
      roundTrip: { id: "t", role: "tool", toolCallId: "c", content: "", error: "boom" },
      pending: [],
    });
  });
});

describe("an application without the optional peers", () => {
  it("imports the package, which asks for nothing that it does not depend on", async () => {
    const project = await workshop.project("bare", {
      dependencies: {
        ...clients["1.0"],
        "@langchain/core": versions["@langchain/core"],
        "ag-ui-langgraph": `file:${workshop.tarball}`,
      },
    });
    for (const optional of ["langchain", "@langchain/langgraph"]) {
      expect(existsSync(join(project.folder, "node_modules", optional))).toBe(false);
    }
    await project.take("asks-for.cjs");
    const { dependencies } = JSON.parse(
      await project.node("-p", "JSON.stringify(require('ag-ui-langgraph/package.json'))"),
    );
    const allowed = [...Object.keys(dependencies), "@ag-ui/client", "@ag-ui/core"];
    const asked = JSON.parse(await project.node("asks-for.cjs")) as string[];
    expect(asked).toContain("@ag-ui/client");
    expect(asked.filter((name) => !allowed.includes(name))).toEqual([]);
    await project.node("--input-type=module", "-e", "import 'ag-ui-langgraph'");
  });
});

describe("an application whose framework uses the official adapter", () => {
  let framework: string;

  beforeAll(async () => {
    framework = await workshop.pack(
      { name: "framework", version: "1.0.0", dependencies: { "@ag-ui/langgraph": "0.0.43" } } as never,
      "module.exports = require('@ag-ui/langgraph');",
    );
  });

  const ours = () => `file:${workshop.tarball}`;

  it.each([
    ["an override", () => ({ overrides: { "@ag-ui/langgraph": ours() } })],
    [
      "an alias and an override",
      () => ({
        dependencies: { "@ag-ui/langgraph": ours() },
        overrides: { "@ag-ui/langgraph": "$@ag-ui/langgraph" },
      }),
    ],
  ])("gets this one by %s", async (what, manifest) => {
    const { dependencies, ...rest } = manifest() as { dependencies?: object };
    const project = await workshop.project(what.replaceAll(" ", "-"), {
      dependencies: { ...versions, ...clients["0.0.59"], framework: `file:${framework}`, ...dependencies },
      ...rest,
    });
    const script = `
      const { LangGraphAgent, aguiMessagesToLangChain } = require("framework");
      const { stateStreamingMiddleware } = require("@ag-ui/langgraph/middlewares");
      const { AbstractAgent } = require("@ag-ui/client");
      const agent = new LangGraphAgent({ deploymentUrl: "http://127.0.0.1:9", graphId: "graph" });
      console.log(JSON.stringify([
        agent instanceof AbstractAgent, typeof aguiMessagesToLangChain, typeof stateStreamingMiddleware,
        require("@ag-ui/langgraph/package.json").name,
      ]));`;
    expect(JSON.parse(await project.node("-e", script))).toEqual([
      true,
      "function",
      "function",
      "ag-ui-langgraph",
    ]);
    expect(await copies(project, "@ag-ui/langgraph")).toEqual(["node_modules/@ag-ui/langgraph"]);
    expect(await copies(project, "@ag-ui/client")).toEqual(["node_modules/@ag-ui/client"]);
  });
});
