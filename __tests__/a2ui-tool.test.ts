import { EventType, type ToolCallArgsEvent, type ToolCallStartEvent } from "@ag-ui/client";
import * as official from "@ag-ui/langgraph";
import { AIMessage, type BaseMessage, HumanMessage, type ToolMessage } from "@langchain/core/messages";
import { END, MemorySaver, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import * as ours from "ag-ui-langgraph";
import fc from "fast-check";
import { play, user } from "./support/play";
import { type Script, ScriptedModel, type Turn } from "./support/scripted-model";

type Adapter = Pick<typeof ours, "getA2UITools" | "A2UI_OPERATIONS_KEY">;
type Params = Omit<ours.A2UIToolParams, "model">;

/** A model that also notes what it was given to call. */
class Designer extends ScriptedModel {
  bound: unknown[][] = [];

  override bindTools(...args: unknown[]) {
    this.bound.push(args);
    return this;
  }
}

const surface = (components: unknown[], rest: object = {}) => ({ surfaceId: "card", components, ...rest });
const valid = surface([{ id: "root", component: "Text", text: "Hello" }], { data: { a: 1 } });
const rootless = surface([{ id: "lost", component: "Text", text: "Hello" }]);

/** The render call as providers stream it: the name first, the arguments in pieces. */
function renders(args: object, pieces = 3): Turn {
  const text = JSON.stringify(args);
  const size = Math.ceil(text.length / pieces);
  const parts = Array.from({ length: pieces }, (_, at) => text.slice(at * size, (at + 1) * size));
  const chunk = (fields: object) => ({ content: "", tool_call_chunks: [{ index: 0, ...fields }] }) as never;
  return {
    chunks: [
      chunk({ id: "render-1", name: "render_a2ui", args: "" }),
      ...parts.map((part) => chunk({ args: part })),
    ],
  };
}
const talks: Turn = { chunks: [{ content: "I would rather talk." }] };

const asks = (args: object, id = "call-ui", name = "generate_a2ui"): AIMessage =>
  new AIMessage({ id: `asks-${id}`, content: "", tool_calls: [{ id, name, args, type: "tool_call" }] });

const plain = ({ content, status, name, tool_call_id }: ToolMessage) => ({
  content,
  status,
  name,
  tool_call_id,
});

/** What each of the two adapters' tools does in a real graph with the same script. */
async function inGraph(
  { getA2UITools }: Adapter,
  script: Script,
  { calls = [{}], params = {} }: { calls?: object[]; params?: Params } = {},
) {
  const attempts: unknown[] = [];
  const model = new Designer(script);
  const tool = getA2UITools({ model, onA2UIAttempt: (record) => attempts.push(record), ...params });
  let asked = 0;
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("plan", async () => ({
      messages: [asks(calls[asked] ?? {}, `call-${asked++}`, params.toolName ?? "generate_a2ui")],
    }))
    .addNode("act", new ToolNode([tool]))
    .addEdge(START, "plan")
    .addEdge("plan", "act")
    .addConditionalEdges("act", () => (asked < calls.length ? "plan" : END))
    .compile();
  const { messages } = await graph.invoke({ messages: [new HumanMessage({ id: "h", content: "Draw" })] });
  const results = messages.filter((message): message is ToolMessage => message.type === "tool");
  const seen = model.calls.map((call: BaseMessage[]) => call.map(({ type, content }) => ({ type, content })));
  return { results, seen, attempts, bound: model.bound, tool };
}

async function sideBySide(script: () => Script, options?: Parameters<typeof inGraph>[2]) {
  return {
    mine: await inGraph(ours, script(), options),
    theirs: await inGraph(official as never, script(), options),
  };
}

const toolsOf = (bound: unknown[][]) => bound.map(([tools]) => tools);

/** All but the result is the same in any case: prompts, attempts, the tools bound, how the tool describes itself. */
function expectSameWork({ mine, theirs }: Awaited<ReturnType<typeof sideBySide>>) {
  expect(mine.seen).toEqual(theirs.seen);
  expect(mine.attempts).toEqual(theirs.attempts);
  expect(toolsOf(mine.bound)).toEqual(toolsOf(theirs.bound));
  // the official one says it in OpenAI's form, which other providers refuse
  for (const [, options] of mine.bound) expect(options).toEqual({ tool_choice: "render_a2ui" });
  expect(mine.tool.name).toBe(theirs.tool.name);
  expect(mine.tool.description).toBe(theirs.tool.description);
  expect(mine.tool.schema).toEqual(theirs.tool.schema);
}

const isText = expect.any(String);

describe("getA2UITools", () => {
  it("gives the official tool's operations", async () => {
    const both = await sideBySide(() => [renders(valid)]);
    expectSameWork(both);
    expect(both.mine.results.map(plain)).toEqual(both.theirs.results.map(plain));
    const [result] = both.mine.results;
    expect(result?.status).not.toBe("error");
    expect(JSON.parse(String(result?.content))[ours.A2UI_OPERATIONS_KEY]).toContainEqual(
      expect.objectContaining({ createSurface: { surfaceId: "card", catalogId: ours.BASIC_CATALOG_ID } }),
    );
  });

  it("goes by the caller's settings as the official tool does", async () => {
    const params: Params = {
      toolName: "draw",
      toolDescription: "Draws",
      defaultCatalogId: "https://catalog.example",
      defaultSurfaceId: "stage",
      guidelines: { generationGuidelines: "", designGuidelines: "Be bold", compositionGuide: "Compose" },
      catalog: { components: { Text: { required: ["text"] } } },
      recovery: { maxAttempts: 2 },
    };
    const nameless = { components: [{ id: "root", component: "Text", text: "Hi" }] };
    const lacking = { components: [{ id: "root", component: "Text" }] };
    const both = await sideBySide(() => [renders(lacking), renders(nameless)], { params });
    expectSameWork(both);
    expect(both.mine.results.map(plain)).toEqual(both.theirs.results.map(plain));
    expect(both.mine.attempts).toHaveLength(2);
    expect(both.mine.results[0]?.content).toContain('"surfaceId":"stage"');
  });

  it("updates a surface of the conversation as the official tool does", async () => {
    const calls = [{}, { intent: "update", target_surface_id: "card", changes: "make it blue" }];
    const both = await sideBySide(() => [renders(valid), renders(valid)], { calls });
    expectSameWork(both);
    expect(both.mine.results.map(plain)).toEqual(both.theirs.results.map(plain));
    expect(both.mine.results[1]?.content).not.toContain("createSurface");
  });

  it("joins arguments however they are cut into chunks", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 60 }),
        fc.string({ unit: "grapheme" }),
        async (pieces, text) => {
          const args = surface([{ id: "root", component: "Text", text }]);
          const { results } = await inGraph(ours, [renders(args, pieces)]);
          expect(results[0]?.content).toContain(JSON.stringify(text));
        },
      ),
      { numRuns: 50 },
    );
  });

  it.each<{ why: string; script: () => Script; calls?: object[]; error: string }>([
    {
      why: "no attempt validates",
      script: () => [renders(rootless), talks, renders(rootless)],
      error: "Failed to generate valid A2UI after 3 attempt(s)",
    },
    {
      why: "the surface to update is not there",
      script: () => [],
      calls: [{ intent: "update", target_surface_id: "card" }],
      error: expect.stringContaining("no prior render of that surface was found"),
    },
  ])("is a failure where $why, with the official content", async ({ script, calls, error }) => {
    const both = await sideBySide(script, calls && { calls });
    expectSameWork(both);
    expect(both.mine.results.map(plain)).toEqual(
      both.theirs.results.map((result) => ({ ...plain(result), status: "error" })),
    );
    expect(both.mine.results[0]?.additional_kwargs).toEqual({ error });
  });

  it("is a failure where the model cannot call tools", async () => {
    for (const model of [null, {}]) {
      const { results } = await inGraph(ours, [], { params: { model } as never });
      expect(results[0]).toMatchObject({
        status: "error",
        content: '{"error":"Provided model does not support bindTools"}',
        additional_kwargs: { error: "Provided model does not support bindTools" },
      });
    }
  });

  it("is a failure where the model breaks, and the run goes on", async () => {
    const both = await sideBySide(() => [{ chunks: [new Error("the model went away")] }]);
    expect(both.mine.results.map(plain)).toEqual(both.theirs.results.map(plain));
    expect(both.mine.results[0]).toMatchObject({
      status: "error",
      additional_kwargs: { error: "the model went away" },
    });
  });

  it("gives a text, or throws, where it is called by hand", async () => {
    const tool = ours.getA2UITools({ model: new Designer([renders(valid)]) });
    expect(await tool.invoke({})).toContain(ours.A2UI_OPERATIONS_KEY);
    expect(await tool.invoke({ intent: "update", target_surface_id: "x" })).toEqual(isText);
    await expect(tool.invoke({})).rejects.toThrow("the script has no turn");
  });

  it("lets the client see the surface grow, and the result that follows", async () => {
    const tool = ours.getA2UITools({ model: new Designer([renders(valid)]) });
    const graph = new StateGraph(MessagesAnnotation)
      .addNode("plan", async () => ({ messages: [asks({})] }))
      .addNode("act", new ToolNode([tool]))
      .addEdge(START, "plan")
      .addEdge("plan", "act")
      .addEdge("act", END)
      .compile({ checkpointer: new MemorySaver() });
    const { events, messages } = await play(
      new ours.LangGraphAgent({ graph, logger: false }),
      [user("Draw")],
      {},
      { differs: "the thread has no messages of the model that draws" },
    );
    const started = events.filter(
      (event): event is ToolCallStartEvent => event.type === EventType.TOOL_CALL_START,
    );
    const inner = started.find(({ toolCallName }) => toolCallName === "render_a2ui");
    const args = events.filter(
      (event): event is ToolCallArgsEvent =>
        event.type === EventType.TOOL_CALL_ARGS &&
        (event as ToolCallArgsEvent).toolCallId === inner?.toolCallId,
    );
    expect(args.length).toBeGreaterThan(1);
    expect(JSON.parse(args.map(({ delta }) => delta).join(""))).toEqual(valid);
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
    expect(messages.at(-1)?.content).toContain(ours.A2UI_OPERATIONS_KEY);
  });
});
