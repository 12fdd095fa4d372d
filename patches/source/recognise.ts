import type { AguiMessage, LangChainMessage } from "../../src/types";
import type { AgentClass, ToAgui, ToLangChain } from "./official";
import { PATCHED_VERSIONS, type PatchedVersion } from "./versions";

type Traits = PatchedVersion["traits"];

const THOUGHT = { id: "thought", role: "reasoning", content: "why" } as AguiMessage;
const ANSWER = { id: "answer", role: "assistant", content: "so" } as AguiMessage;
const FAILURE = {
  id: "result",
  role: "tool",
  content: "it broke",
  toolCallId: "call",
  error: "boom",
} as const;
const STORED = {
  id: "result",
  type: "tool",
  content: "it broke",
  tool_call_id: "call",
  status: "error",
} as LangChainMessage;

/** Whether these are the converters and the class of the version that the patch was made for. Calls no other code. */
export function isVersion(version: string, toLangChain: unknown, toAgui: unknown, agent: unknown): boolean {
  const { traits } = PATCHED_VERSIONS[version as keyof typeof PATCHED_VERSIONS];
  return (
    isAgentClass(agent) &&
    isPlainFunction(toLangChain) &&
    isPlainFunction(toAgui) &&
    convertsLike(traits, toLangChain as ToLangChain) &&
    showsLike(traits, toAgui as ToAgui)
  );
}

/** A function that takes one thing, and is neither a class nor asynchronous: what lies under a name may be anything. */
export function isPlainFunction(value: unknown): boolean {
  if (typeof value !== "function" || value.length !== 1) return false;
  const prototype = Object.getOwnPropertyDescriptor(value, "prototype");
  return prototype?.writable === true && value.constructor === Function;
}

function isAgentClass(value: unknown): value is AgentClass {
  return typeof value === "function" && typeof value.prototype?.langGraphDefaultMergeState === "function";
}

/** Whether a function makes LangChain messages of AG-UI messages as a version with these traits does. */
export function convertsLike(traits: Traits, convert: ToLangChain): boolean {
  try {
    const [answer, result, ...more] = convert([THOUGHT, ANSWER, FAILURE]);
    const { id, role, content, toolCallId: tool_call_id } = FAILURE;
    const status = traits.keepsFlag ? { status: "error" } : {};
    return (
      more.length === 0 &&
      Array.isArray(answer?.content) === traits.keepsReasoning &&
      isSame(result, { id, role, type: role, content, tool_call_id, ...status })
    );
  } catch {
    return false;
  }
}

/** Whether a function makes AG-UI messages of LangChain messages as a version with these traits does. */
export function showsLike(traits: Traits, show: ToAgui): boolean {
  try {
    const [result, ...more] = show([STORED]);
    const { error, ...shown } = FAILURE;
    return more.length === 0 && isSame(result, { ...shown, ...(traits.keepsFlag && { error: "error" }) });
  } catch {
    return false;
  }
}

function isSame(value: unknown, expected: Record<string, unknown>): boolean {
  const entries = Object.entries(value ?? {});
  return (
    entries.length === Object.keys(expected).length && entries.every(([key, item]) => item === expected[key])
  );
}
