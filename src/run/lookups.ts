import type { Assistant, Client, GraphSchema } from "@langchain/langgraph-sdk";
import type { MessageChannel, SchemaKeys } from "../types";
import type { HiddenMessages } from "./hidden-messages";

/** Look-ups that hold for every run: shared by an agent, its runs and its clones, so that each is made once. */
export interface Lookups {
  assistant?: Promise<Assistant>;
  schemaKeys?: Promise<SchemaKeys>;
  /** What the graph's `messages` do with what they are sent; on a server not known until a repair was tried. */
  messageChannel?: MessageChannel;
  /** Whether the server does not know the `tasks` mode. */
  refusesTasks?: boolean;
  /** What is known of messages of hidden subgraphs, by thread. */
  hiddenMessages?: Map<string, HiddenMessages>;
}

/** How many threads have their hidden messages remembered; those that were not used for longest are forgotten. */
const REMEMBERED_THREADS = 1000;

/** What is known of the messages of a thread's hidden subgraphs, to be added to. */
export function hiddenMessagesOf(lookups: Lookups, threadId: string): HiddenMessages {
  lookups.hiddenMessages ??= new Map();
  const { hiddenMessages: threads } = lookups;
  const known = threads.get(threadId) ?? { ids: new Set() };
  threads.delete(threadId);
  threads.set(threadId, known);
  for (const oldest of threads.keys()) {
    if (threads.size <= REMEMBERED_THREADS) break;
    threads.delete(oldest);
  }
  return known;
}

/**
 * How long a run waits for the graph's schema beyond its other look-ups, in milliseconds. A server may need
 * many seconds for the first one; a run that has no schema filters nothing by it, and the next run has it.
 * Only the schema tells which keys of `configurable` are the graph's context, so a run that has some waits.
 */
const SCHEMA_GRACE = { optional: 100, needed: 20_000 };

/** The value of a look-up, made by `load` at most once unless it fails: a failure is not remembered. */
export function lookUpOnce<K extends "assistant" | "schemaKeys">(
  lookups: Lookups,
  key: K,
  load: () => NonNullable<Lookups[K]>,
): NonNullable<Lookups[K]> {
  const known = lookups[key];
  if (known) return known;
  const loading = load();
  lookups[key] = loading;
  Promise.resolve<unknown>(loading).catch(() => {
    if (lookups[key] === loading) delete lookups[key];
  });
  return loading;
}

/**
 * The assistant that runs a graph: the configured one, else the graph's default one, which the server made itself, else
 * the first that it lists.
 *
 * @throws Error when there is none for the graph.
 */
export async function findAssistant(
  client: Client,
  graphId: string,
  assistantId?: string,
): Promise<Assistant> {
  if (assistantId) return client.assistants.get(assistantId);
  const search = (query: object = {}) => client.assistants.search({ graphId, limit: 1, ...query });
  const madeByServer = { metadata: { created_by: "system" } };
  // The SDK does not repeat a POST, but this one only reads, and a connection may have gone stale while idle.
  const defaults = await search(madeByServer).catch((error) => {
    if (error?.name !== "ConnectionError") throw error;
    return search(madeByServer);
  });
  const ofGraph = (assistants: Assistant[]) => assistants.find(({ graph_id }) => graph_id === graphId);
  const assistant = ofGraph(defaults) ?? ofGraph(await search());
  if (assistant) return assistant;
  throw new Error(
    `No assistant found for graph "${graphId}". Check \`graphId\` against the graphs in the server's langgraph.json.`,
  );
}

const keysOf = (schema: { properties?: object } | null | undefined): string[] | null =>
  schema?.properties ? Object.keys(schema.properties) : null;

/**
 * LangGraph lists only the messages where a graph's state is of a kind that has no JSON schema, as zod 3's, and a schema
 * that is told incompletely must not lose the other keys. A graph of messages alone ignores what it does not have.
 */
const tellsMore = (keys: string[] | null): keys is string[] =>
  keys?.some((key) => key !== "messages") ?? false;

/** The keys of a graph's schemas, with the constant keys added to those of input and output. */
export function toSchemaKeys(schema: GraphSchema, constantKeys: readonly string[]): SchemaKeys {
  const { context_schema } = schema as { context_schema?: { properties?: object } };
  const input = keysOf(schema.input_schema);
  const output = keysOf(schema.output_schema);
  const known = input && output;
  const withConstants = (keys: string[] | null) => (tellsMore(keys) ? [...keys, ...constantKeys] : null);
  return {
    input: known ? withConstants(input) : null,
    output: known ? withConstants(output) : null,
    context: keysOf(context_schema) ?? [],
    config: known ? keysOf(schema.config_schema) : [],
  };
}

/** The schema keys where they are known in time, else `null`. Never rejects. */
export function withinGrace(
  schemaKeys: Promise<SchemaKeys>,
  need: keyof typeof SCHEMA_GRACE,
): Promise<SchemaKeys> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLate = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, SCHEMA_GRACE[need], null);
  });
  return Promise.race([schemaKeys.catch(() => null), tooLate]).finally(() => clearTimeout(timer));
}
