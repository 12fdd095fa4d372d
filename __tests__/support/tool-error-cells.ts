import { type StructuredToolInterface, tool } from "@langchain/core/tools";
import { GraphInterrupt, getConfig, interrupt } from "@langchain/langgraph";
import { type ToolErrorHandler, ToolException } from "ag-ui-langgraph";
import { z } from "zod";

/** What a call of the tool meets: what the tool throws, or arguments that do not fit. */
export const KINDS = ["ToolException", "other error", "string", "interrupt", "schema failure"] as const;
export type Kind = (typeof KINDS)[number];

const BLOCKS = [
  { type: "text" as const, text: "told in blocks" },
  { type: "text" as const, text: "." },
];

/** A setting of an option; what it gives as content: `undefined` for throwing on, an error for throwing that. */
export interface Switch {
  name: string;
  handler: ToolErrorHandler<Error>;
  gives: Record<"ToolException" | "schema failure", unknown>;
}

const same = (content: unknown) => ({ ToolException: content, "schema failure": content });

export const SWITCHES: Switch[] = [
  { name: "false", handler: false, gives: same(undefined) },
  { name: "null", handler: null, gives: same(undefined) },
  { name: "undefined", handler: undefined, gives: same(undefined) },
  { name: '""', handler: "", gives: same(undefined) },
  {
    name: "true",
    handler: true,
    gives: { ToolException: "no hits", "schema failure": "Tool input validation error" },
  },
  { name: "string", handler: "try again", gives: same("try again") },
  {
    name: "function to string",
    handler: (error) => `told: ${error.message.split("\n")[0]}`,
    gives: {
      ToolException: "told: no hits",
      "schema failure": "told: Received tool input did not match expected schema",
    },
  },
  { name: "function to blocks", handler: async () => BLOCKS, gives: same(BLOCKS) },
  {
    name: "other truthy",
    handler: 42 as never,
    gives: {
      ToolException: new TypeError("Got unexpected type of `handleToolError`"),
      "schema failure": new TypeError("Got unexpected type of `handleValidationError`"),
    },
  },
];

/** What the call of a cell comes to: a content, an error, or (`undefined`) what the tool threw goes on. */
export const given = (kind: Kind, { gives }: Switch): unknown =>
  kind === "ToolException" || kind === "schema failure" ? gives[kind] : undefined;

/** What `createAgent` and LangGraph's tool node write of what is thrown on. */
export const SAID: Record<Exclude<Kind, "interrupt">, string> = {
  ToolException: "no hits",
  "other error": "boom",
  string: "bang",
  "schema failure": "Received tool input did not match expected schema",
};

/** What `interrupt` throws; outside of a graph it throws an error of its own instead. */
export const PAUSE = new GraphInterrupt([{ value: "sure?" }]);

function isInGraph(): boolean {
  try {
    return getConfig()?.configurable !== undefined;
  } catch {
    return false;
  }
}

const throwers: Record<Kind, () => unknown> = {
  ToolException: () => {
    throw new ToolException("no hits");
  },
  "other error": () => {
    throw new Error("boom");
  },
  string: () => {
    throw "bang";
  },
  interrupt: () => {
    if (!isInGraph()) throw PAUSE;
    return `decided: ${interrupt("sure?")}`;
  },
  "schema failure": () => "never run",
};

/** The tool of a kind. */
export const searchThat = (kind: Kind, fields: { responseFormat?: string } = {}): StructuredToolInterface =>
  tool(async () => (fields.responseFormat ? [throwers[kind](), "artifact"] : throwers[kind]()), {
    name: "search",
    description: "searches",
    schema: z.object({ query: z.string() }),
    ...fields,
  });

export const argsFor = (kind: Kind) => (kind === "schema failure" ? { query: 7 } : { query: "cats" });
