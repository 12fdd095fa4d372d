import type { Assistant, Config } from "@langchain/langgraph-sdk";
import type { SchemaKeys } from "../types";

/** LangGraph's own default, which a server leaves out of an assistant's configuration. */
const DEFAULT_RECURSION_LIMIT = 25;

/** The entries of `record` whose key is one of `keys`. */
export function pickKeys(record: Record<string, unknown>, keys: Iterable<string>): Record<string, unknown> {
  const allowed = new Set(keys);
  return Object.fromEntries(Object.entries(record).filter(([key]) => allowed.has(key)));
}

/**
 * An assistant's configuration with others laid over it, the last one winning. `configurable` keeps only
 * keys of the graph's schemas, where they are known; a recursion limit equal to LangGraph's default is no change.
 */
export function mergeConfigs(args: {
  configs: readonly Config[];
  assistant: Assistant;
  schemaKeys: SchemaKeys;
  constantKeys: readonly string[];
}): Config {
  const { configs, assistant, schemaKeys, constantKeys } = args;
  const known = schemaKeys?.config && [...constantKeys, ...schemaKeys.config, ...(schemaKeys.context ?? [])];
  let merged = assistant.config;
  for (const { recursion_limit, configurable, ...rest } of configs) {
    const changesLimit =
      recursion_limit != null &&
      (merged.recursion_limit != null || recursion_limit !== DEFAULT_RECURSION_LIMIT);
    merged = {
      ...merged,
      ...rest,
      ...(changesLimit && { recursion_limit }),
      ...(configurable && { configurable: known ? pickKeys(configurable, known) : configurable }),
    };
  }
  return merged;
}

/**
 * What a run's payload says of configuration: keys of `configurable` that the graph's context schema
 * declares go into `context`, and where there is a context nothing else is configurable, since servers
 * refuse both. Forwarded `x-*` headers ride in `configurable` all the same.
 */
export function shapeConfig(args: {
  config: Config | undefined;
  schemaKeys: SchemaKeys;
  headers: Record<string, string>;
  warn: (message: string) => void;
}): { config?: Config; context?: Record<string, unknown> } {
  const { configurable = {}, ...rest } = args.config ?? {};
  const contextKeys = new Set(args.schemaKeys?.context ?? []);
  const context = pickKeys(configurable, contextKeys);
  const others = pickKeys(
    configurable,
    Object.keys(configurable).filter((key) => !contextKeys.has(key)),
  );
  const hasContext = Object.keys(context).length > 0;
  if (hasContext && Object.keys(others).length > 0) {
    args.warn(
      `Dropped configurable keys that the graph's context schema does not declare: ${Object.keys(others).join(", ")}. ` +
        "Declare them there, or send none of the context keys.",
    );
  }
  const forwarded = forwardedHeaders(args.headers);
  const kept = { ...(!hasContext && others), ...(forwarded && { copilotkit_forwarded_headers: forwarded }) };
  const config = { ...rest, ...(Object.keys(kept).length > 0 && { configurable: kept }) };
  return {
    ...(Object.keys(config).length > 0 && { config: config as Config }),
    ...(hasContext && { context }),
  };
}

function forwardedHeaders(headers: Record<string, string>): Record<string, string> | undefined {
  const forwarded = Object.entries(headers).filter(([name]) => name.toLowerCase().startsWith("x-"));
  return forwarded.length > 0 ? Object.fromEntries(forwarded) : undefined;
}
