import type { Hops } from "../../examples/demo/judge";
import type { Provider } from "../../examples/model";
import { runCommand } from "./run-command";

/** Runs the demo as `npm run demo` does. */
export const runDemo = (args: readonly string[], env?: Record<string, string>, interruptAt?: string) =>
  runCommand("examples/demo/main.ts", args, env, interruptAt);

/** What `--json` says of a demo that went well. */
export async function hopsOf(args: readonly string[], env?: Record<string, string>): Promise<Hops> {
  const { code, stdout, stderr } = await runDemo(["--json", ...args], env);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const hops = JSON.parse(stdout);
  expect(Object.keys(hops)).toEqual(["client", "stored", "wire", "snapshot"]);
  return hops;
}

const error = "Da Enzo takes no bookings online today";
const content = 'Form filled in: {"restaurant":"Da Enzo","time":"20:00","persons":2}';
const legible = `${error}\n${content}`;

const wires: Record<Provider, unknown> = {
  anthropic: { type: "tool_result", content: legible, is_error: true },
  openai: { role: "tool", content: legible },
  google: { functionResponse: { name: "book_table", response: { error: { details: legible } } } },
  bedrock: { toolResult: { content: [{ text: legible }] } },
};

/** The failure is at every hop what its provider's API can carry. */
export function expectTheFailure({ client, stored, wire, snapshot }: Hops, provider: Provider): void {
  expect(client).toMatchObject({ role: "tool", content, error });
  expect(stored).toMatchObject({
    type: "tool",
    id: client.id,
    tool_call_id: client.toolCallId,
    status: "error",
    additional_kwargs: { error },
  });
  expect(wire).toMatchObject(wires[provider] as object);
  expect(snapshot).toEqual(client);
}
