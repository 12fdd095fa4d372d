import { readOptions } from "../../examples/demo/options";
import { startProviderStub } from "../../examples/demo/provider";
import { PROVIDERS, type Provider } from "../../examples/model";
import { UsageError } from "../../examples/terminal/command";
import { expectTheFailure, hopsOf, runDemo } from "../support/run-demo";

test("a person sees the conversation, each hop and its verdict", async () => {
  const { code, stdout } = await runDemo([]);
  expect(code).toBe(0);
  const lines = stdout.split("\n").map((line) => line.trim());
  for (const shown of [
    /^\d\.\d{3}s {2}user +Please book a table/,
    /^\d\.\d{3}s {2}call +book_table \{.*"Da Enzo"/,
    /^\d\.\d{3}s {2}text +The table could not be booked: Da Enzo takes no bookings online today\.$/,
    /^1\. what the client sent/,
    /^2\. what the graph stored/,
    /^3\. what the provider got/,
    /^4\. what the client has afterwards/,
    /^✓ is_error is true/,
    /^The failure arrived on every hop\.$/,
  ])
    expect(lines).toContainEqual(expect.stringMatching(shown));
  expect(stdout).not.toContain("\u001b");
}, 60_000);

test("a failure that gets lost is told with its hop, and the exit code is 1", async () => {
  const { code, stdout, stderr } = await runDemo(["--json", "--without-middleware"]);
  expect(code).toBe(1);
  expect(JSON.parse(stdout).wire).not.toHaveProperty("is_error");
  expect(stderr).toBe('The failure got lost at "wire": is_error is not true.\n');
}, 60_000);

const places: Record<Provider, { key: string; url: string; env?: Record<string, string> }> = {
  anthropic: { key: "ANTHROPIC_API_KEY", url: "ANTHROPIC_BASE_URL" },
  openai: { key: "OPENAI_API_KEY", url: "OPENAI_BASE_URL" },
  google: { key: "GOOGLE_API_KEY", url: "GOOGLE_GEMINI_BASE_URL" },
  bedrock: {
    key: "AWS_ACCESS_KEY_ID",
    url: "AWS_ENDPOINT_URL_BEDROCK_RUNTIME",
    env: { AWS_SECRET_ACCESS_KEY: "secret" },
  },
};

test.each(PROVIDERS)(
  "--live talks to what stands at the address of %s, through a recorder",
  async (provider) => {
    const upstream = await startProviderStub(provider);
    try {
      const { key, url, env } = places[provider];
      expectTheFailure(
        await hopsOf(["--live", "--provider", provider], { [key]: "key", [url]: upstream.url, ...env }),
        provider,
      );
      expect(upstream.requests).toHaveLength(2);
    } finally {
      await upstream.close();
    }
  },
  60_000,
);

test("--live without a key says which one is missing", async () => {
  const { code, stdout, stderr } = await runDemo(["--live"]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain("--live talks to anthropic and needs ANTHROPIC_API_KEY in the environment.\n");
  expect(stderr).toContain("Usage: npm run demo");
}, 60_000);

test("--help shows the usage and is no mistake", async () => {
  const { code, stdout, stderr } = await runDemo(["--help"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain("--provider NAME        anthropic, openai, google, bedrock");
}, 60_000);

test.each([
  [["--bogus"], "Unknown option '--bogus'"],
  [["--provider", "acme"], 'Unknown provider "acme".'],
  [["--provider"], "'--provider <value>' argument missing"],
  [["again"], "Unexpected argument 'again'"],
])("%j is refused with a message", (args, message) => {
  expect(() => readOptions(args)).toThrow(UsageError);
  expect(() => readOptions(args)).toThrow(message);
});
