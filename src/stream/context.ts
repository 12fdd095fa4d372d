import type {
  LangChainMessage,
  LangGraphReasoning,
  ProcessedEvents,
  RunMetadata,
  State,
  StreamRow,
} from "../types";

/** What the translation of one run is handed: it knows no client, no network, no clock. */
export interface TranslationContext {
  /** The run as subclasses see it; read and written while the stream goes on. */
  run: RunMetadata;
  newId(): string;
  /** Whether the client speaks protocol 1.0. */
  protocol1: boolean;
  /** What the checkpoint held before the run. */
  knownMessages: readonly LangChainMessage[];
  /** The ids of the messages that the client has, in its order. */
  clientMessageIds: readonly string[];
  /** All texts of one node in one bubble while they stream, as the official adapter does it. */
  pinTextMessages: boolean;
  rawEvents: "full" | "slim" | "off";
  /** Whether what subgraphs and nested agents say is streamed. */
  subgraphs: boolean;
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
  /** The stream has ended: what was held back comes out, and what is open is closed. */
  end(): ProcessedEvents[];
  /** The run has come to a node by other ways than a row; `undefined` leaves the current one. */
  enterNode(nodeName: string | undefined): ProcessedEvents[];
  /** A piece of reasoning by other ways than a row. */
  reason(reasoning: LangGraphReasoning): ProcessedEvents[];
  /** The latest values of the root graph. */
  readonly values: State;
  readonly interrupts: Interrupt[];
  /** What the error row said. */
  readonly error?: StreamError;
  /** Whether the graph asked to exit. */
  readonly exitRequested: boolean;
}
