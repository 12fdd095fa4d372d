import { parseArgs } from "node:util";
import { isProvider, PROVIDERS, type Provider } from "../model";
import { UsageError } from "../terminal/command";

export interface DemoOptions {
  provider: Provider;
  json: boolean;
  server: boolean;
  live: boolean;
  withoutMiddleware: boolean;
  failures: boolean;
}

export const USAGE = `Usage: npm run demo -- [options]

A tool of the client fails. Plays the conversation through the adapter and shows, hop by hop, what becomes of the failure.

  --provider NAME        ${PROVIDERS.join(", ")} (default: anthropic)
  --server               run the graph in a LangGraph dev server, which is started and stopped
  --live                 talk to the real provider; its key is read from the environment
                         (ANTHROPIC_API_KEY, OPENAI_API_KEY, GOOGLE_API_KEY, AWS_*; EXAMPLE_MODEL names the model)
  --json                 one JSON object with the keys client, stored, wire and snapshot on standard output
                         (npm run --silent demo -- --json leaves out what npm itself prints)
  --without-middleware   leave out toolFailureMiddleware, to see what gets lost then
  --failures             play one failure of each kind instead, and show what is told of it; takes --server and --json
  --help                 this text

Exit codes: 0 the failure arrived everywhere, 1 it got lost or the run broke, 2 wrong usage.
`;

/** @returns The options, or nothing where only the usage is asked for. */
export function readOptions(args: readonly string[]): DemoOptions | undefined {
  const values = parse(args);
  if (values.help) return undefined;
  if (!isProvider(values.provider))
    throw new UsageError(`Unknown provider "${values.provider}". Providers: ${PROVIDERS.join(", ")}.`, USAGE);
  if (values.failures && (values.live || values["without-middleware"] || args.some(isProviderOption)))
    throw new UsageError("--failures takes --server and --json, and no other option.", USAGE);
  return {
    provider: values.provider,
    json: values.json,
    server: values.server,
    live: values.live,
    withoutMiddleware: values["without-middleware"],
    failures: values.failures,
  };
}

const isProviderOption = (arg: string) => arg.startsWith("--provider");

function parse(args: readonly string[]) {
  const flag = { type: "boolean", default: false } as const;
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        provider: { type: "string", default: "anthropic" },
        json: flag,
        server: flag,
        live: flag,
        "without-middleware": flag,
        failures: flag,
        help: { ...flag, short: "h" },
      },
    });
    return values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), USAGE);
  }
}
