import type { AgentConfig } from "@ag-ui/client";
import type { Client, Config } from "@langchain/langgraph-sdk";
import type { RunnableGraph } from "./graphs/compiled-graph";
import type { Logger } from "./logger";
import type { AgentToolMessage, HistoryRepair } from "./types";

/** What the adapter does beyond the official one; every option has the default that most people want. */
export interface LangGraphAgentOptions {
  /**
   * How a failed tool result is written for the model. `"legible"` (default): where the content does not
   * already say the error text, the text is put before it, since LangChain's JavaScript providers drop
   * `status`. `"as-is"`: the content goes as it is; only a blank one is filled, since providers refuse it.
   */
  toolErrorContent?: "legible" | "as-is";
  /**
   * Recognises failed tool results of clients that cannot say `error`. `true` (default): the result of one of the
   * client's tools failed if its content is `Error: <text>`, as CopilotKit writes it. A function is asked about every
   * tool message without an `error` instead and gives the error's text, or `undefined`. `false`: nothing is inferred.
   */
  inferToolErrors?: boolean | ((message: AgentToolMessage) => string | undefined);
  /**
   * What becomes of a tool call in the history that nothing will answer any more. `"answer"` (default): a
   * failed result right after it. `"demote"`: the call is taken out of its message.
   */
  danglingCalls?: "answer" | "demote";
  /**
   * The tools whose calls are recognised where a small model wrote them as text and a result follows at once. Default:
   * none, so that a text stays a text.
   */
  allowedToolNames?: Iterable<string>;
  /** Told of every repair of a history. Repairs name ids, never contents. */
  onHistoryRepair?: (repair: HistoryRepair) => void;
  /** Also send each run's repairs to the client, as one CUSTOM event `history_repaired`. Default `false`. */
  emitHistoryRepairs?: boolean;
  /**
   * What a new message of the user means while an interrupt is pending and nothing else answers it. `false` (default):
   * the interrupt is shown again, and the message goes to the graph together with the answer. `true`: the text of the
   * message is the answer, which `interrupt()` returns, and the message is in the thread as well.
   *
   * It answers exactly one pending interrupt: where several are pending, where the message has no text, or where the
   * graph keeps no messages (so that nothing tells which is new), the interrupts are shown again. An answer that the
   * client gives (`resume`, `forwardedProps.command.resume`) counts before the message. Graphs whose `interrupt()`
   * expects an object make it of the text in `buildCommandResumeFromAgui`.
   *
   * Either way a message stands behind the results of calls that wait for them: it is added to the thread after the run
   * in which they come. Until the answer only the client has a message that does not answer, so a reload forgets it.
   */
  resumeWithUserMessage?: boolean;
  /**
   * RAW events and `rawEvent`. `"slim"` (default): event name, run id, the metadata keys that subclasses
   * read, and the model chunk; neither prompts nor state travel to the browser. `"full"`: LangGraph's event
   * as it came. `"off"`: none.
   */
  rawEvents?: "full" | "slim" | "off";
  /** Stream the texts of one node under the id of its first one, as the official adapter does. Default `false`. */
  pinTextMessages?: boolean;
  /**
   * How state that changed during a run is told: `"snapshot"` (default), or `"delta"`, JSON Patch in STATE_DELTA events.
   */
  stateUpdates?: "snapshot" | "delta";
  /**
   * Subgraphs and nested agents of which the client sees nothing: no text, call, result, reasoning or step while the run
   * goes on, and none of their messages in snapshots. A list names nodes, agents (the `name` of `createAgent`) or the
   * tools that run them; `true` hides all. Default: none, since clients of protocol 1.0 can tell them apart by
   * `subagentRunId`.
   *
   * A call and its result go together: the result of a shown call is shown whoever gives it. Custom events pass, except
   * messages and calls that are emitted by hand. Messages of earlier runs are known by their agent's name, while this
   * process remembers them, or by the thread's checkpoints, which are read where neither tells. These tell subgraphs that
   * are nodes; a graph that a node's function calls is found there only by the name of the node in a list.
   */
  hideSubgraphs?: true | readonly string[];
  /**
   * Also report each attempt of a node's retry policy that failed and is made again, as a CUSTOM event `node_retry` with
   * the keys of `node_error`. LangGraph tells why an attempt failed only where a graph within the node failed, or this
   * process runs the graph. Default `false`.
   */
  nodeRetries?: boolean;
  /** Whether the last STATE_SNAPSHOT of a run holds the messages. Default `true`. */
  snapshotMessagesInState?: boolean;
  /** Where warnings and debug lines go. Default: the console. `false` silences them. */
  logger?: Logger | false;
}

/** Configuration of an agent whose graph runs on a LangGraph server. */
export interface LangGraphAgentConfig extends AgentConfig, LangGraphAgentOptions {
  /** A client of one's own. Header options (`propertyHeaders`, `headerFactory`, `headers`) are then its matter. */
  client?: Client;
  /** The address of the LangGraph server. */
  deploymentUrl: string;
  langsmithApiKey?: string;
  /** Headers that are sent with every request. */
  propertyHeaders?: Record<string, string>;
  /** The configuration of the runs: `configurable`, `recursion_limit`, `tags`. */
  assistantConfig?: Config;
  agentName?: string;
  /** The name of the graph in the server's `langgraph.json`. */
  graphId: string;
  /** The assistant that runs the graph. Default: the one that the server made for the graph. */
  assistantId?: string;
  /** Headers that are computed for each request, for instance from the agent's `headers` (the default). */
  headerFactory?: () => Record<string, string>;
  /** Announce interrupts as CUSTOM `on_interrupt` events. Default `true`. */
  enableLegacyOnInterruptEvent?: boolean;
  /**
   * End interrupted runs with `outcome: { type: "interrupt", interrupts }`. Default `false`: clients that
   * resume through `forwardedProps.command.resume` stop doing so once they see the outcome. With the
   * `on_interrupt` event switched off the outcome is always there.
   */
  emitInterruptOutcome?: boolean;
}

/** Configuration of an agent whose graph runs in this process. */
export interface LocalLangGraphAgentConfig
  extends Omit<
    LangGraphAgentConfig,
    "assistantId" | "client" | "deploymentUrl" | "graphId" | "langsmithApiKey"
  > {
  /**
   * A compiled graph of `@langchain/langgraph`, or what `createAgent` of `langchain` returns. With a
   * checkpointer `threadId` is its thread; without one the client's history is all there is.
   */
  graph: RunnableGraph;
  /** A name for the graph. Default: the graph's own name, else `"graph"`. */
  graphId?: string;
}
