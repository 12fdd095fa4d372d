/**
 * The table of what the official package has and where it is here, member by member. That the types are compatible is
 * what the compiler checks in `__tests__/surface/surface.test-d.ts`.
 *
 *     npx tsx scripts/surface-table.ts
 */
import { join } from "node:path";
import * as ours from "ag-ui-langgraph";
import * as ourMiddlewares from "ag-ui-langgraph/middlewares";
import { type Declarations, readDeclarations } from "../__tests__/surface/declarations";

const root = join(__dirname, "..");
const official = join(root, "node_modules/@ag-ui/langgraph/dist");
const main = readDeclarations(join(official, "index.d.ts"));
const middlewares = readDeclarations(join(official, "middlewares/index.d.ts"));
const files = ["agent.ts", "agent-run.ts", "agent-view.ts", "agent-members.ts"].map(
  (file) => [file, readDeclarations(join(root, "src", file))] as const,
);

const address = "http://127.0.0.1:9";
const base = "@ag-ui/client";

function whereIs(member: string, agent: object): string {
  if (agent instanceof ours.LangGraphHttpAgent) return member in agent ? "http-agent.ts" : "MISSING";
  const file = files.find(([, { classes }]) =>
    Object.values(classes).some((members) => members.some(({ name }) => name === member)),
  );
  return file?.[0] ?? (member in agent ? base : "MISSING");
}

function members(name: string, agent: object): string[] {
  return (main.classes[name] ?? [])
    .filter(({ access, name: member }) => access !== "private" && member !== "constructor")
    .map(
      ({ name: member, access, kind }) =>
        `| ${name} | ${member} | ${access} ${kind} | ${whereIs(member, agent)} |`,
    );
}

function exported(entry: string, { exported: names }: Declarations, here: object): string[] {
  return [
    ...names.values.map(
      (name) => `| ${entry} | ${name} | value | ${name in here ? "exported" : "MISSING"} |`,
    ),
    ...names.types.map((name) => `| ${entry} | ${name} | type | compared by the compiler |`),
  ];
}

const lines = [
  "| of | name | there | here |",
  "| --- | --- | --- | --- |",
  ...exported(".", main, ours),
  ...exported("./middlewares", middlewares, ourMiddlewares),
  ...members("LangGraphAgent", new ours.LangGraphAgent({ deploymentUrl: address, graphId: "graph" })),
  ...members("LangGraphHttpAgent", new ours.LangGraphHttpAgent({ url: address })),
];
console.log(lines.join("\n"));
if (lines.some((line) => line.includes("MISSING"))) process.exitCode = 1;
