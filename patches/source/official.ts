import type { AguiMessage, LangChainMessage, RunAgentExtendedInput, State } from "../../src/types";

/** The package's converter for what goes to the graph. */
export type ToLangChain = (messages: AguiMessage[]) => LangChainMessage[];

/** The package's converter for what goes to the client. */
export type ToAgui = (messages: LangChainMessage[]) => AguiMessage[];

/** What is touched of the package's agent class. */
export interface AgentClass {
  prototype: {
    /**
     * The state that a run starts with, out of the thread's state and the client's messages.
     *
     * @param messages The client's messages, converted.
     */
    langGraphDefaultMergeState(
      state: State,
      messages: LangChainMessage[],
      input: RunAgentExtendedInput,
    ): State;
  };
}
