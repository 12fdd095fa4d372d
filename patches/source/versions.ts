/** Where the hook of one build finds what it hands over: the names that the minifier gave. */
export interface BuildNames {
  /** The function that makes LangChain messages of AG-UI messages. */
  toLangChain: string;
  /** The function that makes AG-UI messages of LangChain messages. */
  toAgui: string;
  /** The class that is exported as `LangGraphAgent`. */
  agent: string;
}

/** A version of `@ag-ui/langgraph` that is patched. */
export interface PatchedVersion {
  cjs: BuildNames;
  esm: BuildNames;
  /** What tells this version's converters from another's, before they are wrapped. */
  traits: {
    /** Whether reasoning becomes a block of the assistant message that follows it. */
    keepsReasoning: boolean;
    /** Whether a failure has its flag on both ways, without its text. */
    keepsFlag: boolean;
  };
}

/** All that a new version needs is an entry here: `npx tsx scripts/find-converters.ts <version>` prints it. */
export const PATCHED_VERSIONS = {
  "0.0.41": {
    cjs: { toLangChain: "g", toAgui: "h", agent: "S" },
    esm: { toLangChain: "D", toAgui: "E", agent: "N" },
    traits: { keepsReasoning: false, keepsFlag: false },
  },
  "0.0.42": {
    cjs: { toLangChain: "b", toAgui: "y", agent: "E" },
    esm: { toLangChain: "j", toAgui: "A", agent: "L" },
    traits: { keepsReasoning: true, keepsFlag: false },
  },
  "0.0.43": {
    cjs: { toLangChain: "O", toAgui: "D", agent: "P" },
    esm: { toLangChain: "V", toAgui: "B", agent: "q" },
    traits: { keepsReasoning: true, keepsFlag: true },
  },
} satisfies Record<string, PatchedVersion>;
