import { type DevServer, type DevServerOptions, startDevServer as start } from "../../examples/dev-server";

export type { DevServer };

/** The real LangGraph dev server; by default with the graphs of `support/graphs`. */
export async function startDevServer(options: DevServerOptions = {}): Promise<DevServer> {
  return start({ graphs: options.graphs ?? (await sharedGraphs()), ...options });
}

async function sharedGraphs(): Promise<Record<string, string>> {
  const graphs = await import("./graphs");
  return Object.fromEntries(
    Object.keys(graphs).map((name) => [name, `__tests__/support/graphs/index.ts:${name}`]),
  );
}
