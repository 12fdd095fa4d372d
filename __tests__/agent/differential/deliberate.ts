import { protocol1 } from "../../support/fold";
import type { Difference } from "./diff";

/** One way in which we differ from the official adapter on purpose. */
export interface Deliberate {
  /** The defect that users report about the official adapter, by its id, or the decision. */
  why: string;
  /** Where: scenario, number of the run, and path. */
  where: RegExp;
  /** What has to hold of the two values. */
  holds?: (difference: Difference) => boolean;
}

const onlyOurs = ({ official, ours }: Difference) => official === undefined && ours !== undefined;
const onlyOfficial = ({ official, ours }: Difference) => official !== undefined && ours === undefined;
const oursIs =
  (value: unknown) =>
  ({ ours }: Difference) =>
    JSON.stringify(ours) === JSON.stringify(value);
const isText = (value: unknown): value is string => typeof value === "string";

/** What only clients of protocol 1.0 are told, by us. */
const ofProtocol1: Deliberate[] = [
  {
    why: "Protocol 1.0: the calls that the run leaves to the client",
    where: /^a frontend tool that (works|fails) \/ 1 \/ end\.events\.0\.outcome$/,
    holds: oursIs({ type: "success", pendingToolCallIds: ["call-1"] }),
  },
  {
    why: "L10: what nested agents say is labelled",
    where: /^subgraphs \/ 1 \/ messages\.[^.]+\.subagentRunId$/,
    holds: ({ official, ours }) => official === undefined && isText(ours) && ours.startsWith("worker:"),
  },
];

/** Every difference from the official adapter, with its reason. What is not in this list is a mistake. */
export const deliberate: Deliberate[] = [
  ...(protocol1 ? ofProtocol1 : []),
  // The run, in every scenario
  {
    why: "L2: every event has the client's run id; the server's is only for cancelling",
    where: /\/ end\.events\.0\.runId$/,
    holds: ({ ours }) => isText(ours) && /^run-\d$/.test(ours),
  },
  {
    why: "Stream modes: what a node writes with the stream writer reaches the client",
    where: /\/ payload\.streamMode\.4$/,
    holds: oursIs("custom"),
  },
  {
    why: "Node failures: the mode says which node failed, and where",
    where: /\/ payload\.streamMode\.5$/,
    holds: oursIs("tasks"),
  },
  {
    why: "Node failures are recorded where they happened",
    where: /^an error in mid (text|call) \/ 1 \/ custom\.0$/,
    holds: ({ official, ours }) =>
      official === undefined && JSON.stringify(ours).includes('"path":["model"],"errorType":"Error"'),
  },
  {
    why: "Stream modes: what a node writes with the stream writer reaches the client",
    where: /^custom and manual events \/ 1 \/ custom\.2$/,
    holds: oursIs({ type: "CUSTOM", name: "custom", value: { wrote: true } }),
  },
  {
    why: "L10: what nested agents say is told apart by the namespaces of their rows",
    where: /\/ payload\.streamSubgraphs$/,
    holds: oursIs(true),
  },
  {
    why: "The client's tools and context reach the graph whatever its schema says: a schema may be told incompletely",
    where: /\/ payload\.input\.(ag-ui|copilotkit)$/,
    holds: onlyOurs,
  },
  {
    why: "C1: what the checkpoint has is not sent again",
    where: /\/ [23] \/ payload\.input\.messages\.(?!order)[^.]+$/,
    holds: onlyOfficial,
  },
  {
    why: "C1: what the checkpoint has is not sent again",
    where: /\/ [23] \/ payload\.input\.messages\.order$/,
    holds: ({ official, ours }) => isText(official) && isText(ours) && official.endsWith(` ${ours}`),
  },
  {
    why: "LangGraph does not read the input of a run that resumes",
    where:
      /^((legacy|structured|cancelled) resume.*|(two|one of two) interrupts answered|a message while .*) \/ [23] \/ payload\.input$/,
    holds: oursIs(null),
  },

  // Tool calls and results
  {
    why: "T4: the arguments in the chunk that starts a call are lost",
    where: /^(a frontend tool .*|predicted state) \/ 1 \/ live\..*toolCalls\.call-1\.function\.arguments$/,
    holds: oursIs('{"what":"it"}'),
  },
  {
    why: "T1: a live result has an id of its own, and comes to stand after the answer",
    where:
      /^a backend tool \/ 1 \/ live\.(made-1|.*-tool-w1|order)$|^a backend tool \/ [12] \/ (live|messages)\.order$/,
  },
  {
    why: "T1, T4: the call of a message that was not streamed hangs on a message of its own, and the text comes at the end",
    where: /^a model that does not stream \/ 1 \/ (live\..*|messages\.order)$/,
  },
  {
    why: "T2, T3, T5, T7, T8: calls side by side are lost or glued together, and a result without a name ends the stream",
    where: /^backend tools in parallel \/ [12] \/ (live|messages|state|steps|end|payload|fate)(\..*)?$/,
  },
  {
    why: "T1, T2, T6, T7: calls are lost at the interrupt and doubled after it, results have ids of their own",
    where: /^legacy resume \/ [12] \/ live\..*$|^legacy resume \/ 2 \/ messages\.order$/,
  },
  {
    why: "H7: the name of a result is taken from its call",
    where: /^a frontend tool .* \/ 2 \/ payload\.input\.messages\.result-1\.name$/,
    holds: oursIs("confirm"),
  },
  {
    why: "H8, decision 'What the model reads': the content says that the call failed",
    where: /^a frontend tool that fails \/ 2 \/ payload\.input\.messages\.result-1\.content$/,
    holds: oursIs("no permission\nIt went wrong"),
  },
  {
    why: "Decision 'Where the error text lives'",
    where: /^a frontend tool that fails \/ 2 \/ payload\.input\.messages\.result-1\.additional_kwargs$/,
    holds: oursIs({ error: "no permission", "ag-ui": '{"content":"It went wrong"}' }),
  },
  {
    why: "H9: the client gets its own content and error back",
    where: /^a frontend tool that fails \/ 2 \/ messages\.result-1\.(content|error)$/,
    holds: ({ ours }) => ours === "It went wrong" || ours === "no permission",
  },

  // Interrupts
  {
    why: "L4, decision 'Resume': LangGraph takes several answers as a map by interrupt id only",
    where: /^two interrupts answered \/ 2 \/ payload\.command\.resume\.(__agui_resume_map__|[0-9a-f]{32})$/,
    holds: ({ ours }) => ours === undefined || ours === "yes",
  },
  {
    why: "L4, decision 'Resume': while several are pending an answer says which one it answers, and the last is bare",
    where: /^one of two interrupts answered \/ [23] \/ payload\.command\.resume$/,
    holds: ({ path, ours }) =>
      path.includes("/ 2 /") ? Object.values(ours as object)[0] === "yes" : ours === "no",
  },
  {
    why: "L4: an interrupt that is answered is not asked again",
    where: /^one of two interrupts answered \/ 2 \/ (interrupts|end\.events\.0\.outcome\.interrupts)\..*$/,
  },
  {
    why: "L4: LangGraph takes a bare null for no answer at all",
    where: /^structured resume with null \/ 2 \/ payload\.command\.resume$/,
    holds: ({ ours }) => Object.values(ours as object)[0] === null,
  },
  {
    why: "L5: the message is not lost, and snapshots are sent",
    where: /^a message while an interrupt is pending \/ 2 \/ (live|state\.messages\..*)$/,
  },
  {
    why: "L5: the message reaches the graph together with the answer",
    where: /^a message while an interrupt is pending \/ 3 \/ payload\.command\.update$/,
    holds: oursIs({ messages: [{ id: "u2", type: "human", role: "user", content: "Hello?" }] }),
  },

  // A run that is given up
  {
    why: "L3: a run that is given up is cancelled on the server, also by unsubscribing",
    where: /^unsubscribing in mid (text|tool) \/ 1 \/ (fate|updates\.1)$/,
    holds: ({ path, ours }) =>
      path.endsWith("fate") ? ours === "cancelled" : (ours as { method: string }).method === "runs.cancel",
  },
  {
    why: "L3: a run that is given up ends once, with every span closed, and keeps what it has said",
    where: /^aborting in mid (text|tool) \/ 1 \/ (live|messages\..*|state\.messages|end\..*)$/,
  },
  {
    why: "L3: a run that is given up before it is sent is not sent",
    where:
      /^aborting before the stream opens \/ 1 \/ (live|messages|state|steps|end|payload|fate|updates)(\..*)?$/,
    holds: ({ path, ours }) => !/(payload|fate)$/.test(path) || ours === null,
  },

  // Coming back
  {
    why: "connect: the official adapter has none",
    where: /^coming back to (a thread|an interrupt) \/ 2 \/ (messages|interrupts\.0|end\.events\.0)$/,
  },

  // State, configuration, start again
  {
    why: "H12, decision 'State from the client': only what differs from the checkpoint is sent",
    where: /^state \/ [23] \/ payload\.input\.(count|log|note)$/,
    holds: onlyOfficial,
  },
  {
    why: "Properties for the adapter are not LangGraph's",
    where: /^a node that the client names \/ 1 \/ payload\.nodeName$/,
    holds: onlyOfficial,
  },
  {
    why: "Decision 'Continuation or regeneration': a run at an earlier checkpoint forks the thread by itself",
    where: /^regenerate \/ 3 \/ (updates\.0|payload\.checkpointId)$/,
  },
  {
    why: "H11: new text under a known id forks the thread before it",
    where: /^edit \/ 2 \/ payload\.(checkpointId|input\.messages\..*)$/,
  },

  // What the client has while the run goes on, and after it
  {
    why: "Law 3: messages that no model streamed reach the client when their node has made them",
    where: /^(state|configuration .*|custom and manual events) \/ \d \/ live\.(order|.*-out-\d)$/,
    holds: ({ path, ours }) => path.endsWith("order") || ours !== undefined,
  },
  {
    why: "T1: the client's order is the checkpoint's, also where it had lost messages that the checkpoint has",
    where: /^(regenerate \/ 3|edit \/ 2) \/ (live\..*|messages\.order)$/,
  },
  {
    why: "Law 3: reasoning has one id for life, and its signature and redacted blocks with it",
    where: /^reasoning \/ 1 \/ (live|messages)\.(order|made-1|.*-(redacted_)?thinking-\d)$/,
  },
  {
    why: "L9, T7: snapshots in mid run lag behind the stream and take its messages away",
    where: /^subgraphs \/ 1 \/ (live\..*|messages\.order)$/,
  },
  {
    why: "Decision 'Bubbles': nodes that speak at the same time have messages of their own",
    where: /^parallel nodes \/ 1 \/ live\..*$/,
  },
  {
    why: "A step starts once, not again with every chunk of nodes side by side",
    where: /^(parallel nodes|subgraphs|(one of )?two interrupts answered) \/ \d \/ steps\.\d+$/,
  },

  // Failures
  {
    why: "L1: nothing comes after RUN_ERROR, so that the client hears its cause, and keeps what was said before",
    where: /^an error in mid (text|call) \/ 1 \/ (fate|(end|messages)\..*)$/,
  },
  {
    why: "L6: a thread is created on 404 only; any other answer is told as it is",
    where:
      /^a thread (that may not be read|whose server is down) \/ 1 \/ (live|messages|state|end|steps|payload|fate|updates)(\..*)?$/,
  },
  {
    why: "L6: the cause is told as it is, by RUN_ERROR after RUN_STARTED",
    where:
      /^(no assistant|an assistant that may not be read|a (thread that may not be made|state that may not be read)) \/ 1 \/ end\.(events\.0(\.message)?|refused)$/,
  },
  {
    why: "C3: thread and assistant are looked up at the same time",
    where: /^(no assistant|an assistant that may not be read) \/ 1 \/ updates\.0$/,
    holds: onlyOurs,
  },
];
