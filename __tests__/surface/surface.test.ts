import { join } from "node:path";
import * as official from "@ag-ui/langgraph";
import * as officialMiddlewares from "@ag-ui/langgraph/middlewares";
import * as ours from "ag-ui-langgraph";
import * as ourMiddlewares from "ag-ui-langgraph/middlewares";
import { readDeclarations } from "./declarations";
import { OfficialHttpSubclass, OfficialSubclass } from "./surface.test-d";

const dist = join(__dirname, "../../node_modules/@ag-ui/langgraph/dist");
const main = readDeclarations(join(dist, "index.d.ts"));
const middlewares = readDeclarations(join(dist, "middlewares/index.d.ts"));
const compared = readDeclarations(join(__dirname, "surface.test-d.ts"));
const config = { deploymentUrl: "http://localhost", graphId: "g", url: "http://localhost" };
const sorted = (names: Iterable<string>) => [...names].sort();

describe("the comparison of the declarations", () => {
  it("leaves out no type that the official package exports", () => {
    expect(sorted(compared.interfaces.OfficialTypes ?? [])).toEqual(
      sorted([...main.exported.types, ...middlewares.exported.types]),
    );
    expect(compared.interfaces.OurTypes).toEqual(compared.interfaces.OfficialTypes);
  });

  it.each([
    ["LangGraphAgent", OfficialSubclass],
    ["LangGraphHttpAgent", OfficialHttpSubclass],
  ] as const)("leaves out no protected member of %s", (name, Subclass) => {
    const declared = (main.classes[name] ?? []).filter(({ access }) => access === "protected");
    expect(sorted(Object.keys(new Subclass(config).protectedMembers()))).toEqual(
      sorted(declared.map(({ name: member }) => member)),
    );
  });
});

describe("at run time", () => {
  it.each([
    [".", official, ours, main],
    ["./middlewares", officialMiddlewares, ourMiddlewares, middlewares],
  ])("%s exports every value that the official package exports", (_entry, theirs, mine, declared) => {
    for (const name of declared.exported.values) {
      const value = (theirs as Record<string, unknown>)[name];
      const counterpart = (mine as Record<string, unknown>)[name];
      expect([name, typeof counterpart]).toEqual([name, typeof value]);
      if (typeof value !== "function") expect(counterpart).toEqual(value);
    }
  });

  it.each([
    ["LangGraphAgent", official.LangGraphAgent, ours.LangGraphAgent],
    ["LangGraphHttpAgent", official.LangGraphHttpAgent, ours.LangGraphHttpAgent],
  ])("%s has every member", (name, Theirs, Mine) => {
    const theirs = new Theirs(config) as object;
    const mine = new Mine(config) as object;
    for (const member of main.classes[name] ?? []) {
      if (member.access === "private" || member.name === "constructor") continue;
      const here = (mine as Record<string, unknown>)[member.name];
      if (member.kind === "method") expect([member.name, typeof here]).toEqual([member.name, "function"]);
      else if (Object.hasOwn(theirs, member.name))
        expect([member.name, Object.hasOwn(mine, member.name)]).toEqual([member.name, true]);
    }
  });
});
