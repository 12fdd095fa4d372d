import type {
  AguiMessage,
  LangChainMessage,
  LangGraphReasoning,
  ProcessedEvents,
  RunMetadata,
  State,
  StreamRow,
} from "../types";

import type { ShownMessages } from "./shown-messages";

/** What the translation of one run is handed: it knows no client, no network, no clock. */
export interface TranslationContext {
  /** The run as subclasses see it; read and written while the stream goes on. */
  run: RunMetadata;
  newId(): string;
  /** Whether the client speaks protocol 1.0. */
  protocol1: boolean;
  /** What the checkpoint held before the run. */
  knownMessages: readonly LangChainMessage[];
  /** What nested graphs said before the run that lets them go on: the client has it, and the checkpoint has not. */
  nestedMessages?: readonly LangChainMessage[];
  /** The ids of the messages that the client has, in its order. */
  clientMessageIds: readonly string[];
  /** The same messages, where the client has told which are a subagent's. */
  clientMessages?: readonly AguiMessage[];
  /** What the client said that the checkpoint gets with the next run. */
  held?: readonly AguiMessage[];
  /** All texts of one node in one bubble while they stream, as the official adapter does it. */
  pinTextMessages: boolean;
  rawEvents: "full" | "slim" | "off";
  /** Whether what subgraphs and nested agents say is streamed. */
  subgraphs: boolean;
  /** Nested graphs and agents of which the client sees nothing: by the names of nodes, agents and tools, or all. */
  hideSubgraphs?: true | readonly string[];
  /** The ids of messages that are known to be theirs; added to while the stream goes on. */
  hiddenMessages?: Set<string>;
  stateUpdates: "snapshot" | "delta";
  /** Shapes the values of a graph for the client; called only when a snapshot is due. */
  stateSnapshot(values: State): State;
  debug(message: string): void;
}

/** An interrupt as LangGraph tells it. */
export interface Interrupt {
  id?: string;
  value?: unknown;
  [key: string]: unknown;
}

/** What the error row of a stream says. */
export interface StreamError {
  name: string;
  message: string;
  code?: string;
  /** What was thrown; only where the graph runs in this process. */
  cause?: unknown;
}

export interface Translator {
  /** The events of one row. Never throws. */
  translate(row: StreamRow): ProcessedEvents[];
  /**
   * The stream has ended: what was held back comes out, and what is open is closed.
   *
   * @param failure What the client is told of a run that failed. Default: what the error row said.
   */
  end(failure?: Pick<StreamError, "message" | "code">): ProcessedEvents[];
  /** The events that bring what the client has into the order of these messages. */
  arrange(messages: readonly unknown[]): ProcessedEvents[];
  /** The run has come to a node by other ways than a row; `undefined` leaves the current one. */
  enterNode(nodeName: string | undefined): ProcessedEvents[];
  /** A piece of reasoning by other ways than a row. */
  reason(reasoning: LangGraphReasoning): ProcessedEvents[];
  /** The latest values of the root graph. */
  readonly values: State;
  /** What is told of a graph by other ways than a row, as its subagent's. */
  tell(event: ProcessedEvents, graph: string): ProcessedEvents[];
  /** Whether the client is to see nothing of a graph. */
  isHidden(graph: string): boolean;
  /** The messages of a thread as the client sees them. */
  readonly shown: ShownMessages;
  /** Calls that were announced in this run and have no result, in their order. */
  readonly openCalls: readonly { id: string; name: string }[];
  /** Which subagent raised an interrupt. */
  interruptedBy(interruptId: string): string | undefined;
  readonly interrupts: Interrupt[];
  /** What the error row said. */
  readonly error?: StreamError;
  /** Whether the graph asked to exit. */
  readonly exitRequested: boolean;
}
