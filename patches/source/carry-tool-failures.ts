import { guardMergedHistory } from "./guard-history";
import type { AgentClass, ToAgui, ToLangChain } from "./official";
import { isVersion } from "./recognise";
import { resultsToAgui, resultsToLangChain } from "./tool-results";

/**
 * Called by the line that a patch adds to each build of `@ag-ui/langgraph`.
 *
 * @param version The version that the patch was made for.
 * @param installed The version that the package says it is, where its build can tell.
 * @returns The two converters that take the place of the package's own.
 * @throws Error where the build is another version's: it would be half patched, and silently.
 */
export function carryToolFailures(
  version: string,
  toLangChain: ToLangChain | undefined,
  toAgui: ToAgui | undefined,
  agent: AgentClass | undefined,
  installed = version,
): [ToLangChain, ToAgui] {
  const isHere = installed === version && isVersion(version, toLangChain, toAgui, agent);
  if (!isHere || !toLangChain || !toAgui || !agent) {
    throw new Error(
      `ag-ui-langgraph-${version}.patch was applied to another version of @ag-ui/langgraph, or twice: it is for ${version} only. ` +
        "Take the patch of the installed version, or remove the patch and install the package again.",
    );
  }
  guardMergedHistory(agent);
  return [resultsToLangChain(toLangChain), resultsToAgui(toAgui)];
}
