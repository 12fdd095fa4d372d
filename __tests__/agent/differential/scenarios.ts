import type { AbstractAgent, Message, ResumeEntry, Tool } from "@ag-ui/client";
import type { ThreadState } from "@langchain/langgraph-sdk";
import * as scenes from "../../stream/graphs";
import { user } from "../../support/play";
import type { Step } from "./observe";
import { type Recording, recordRuns } from "./recording";
import {
  asking,
  asksForConfirmation,
  configured,
  counting,
  plainConfig,
  speaker,
  text,
  toolUser,
} from "./scenario-graphs";
import type { Failing } from "./scripted-client";

export interface Scenario {
  name: string;
  record(): Promise<Recording>;
  steps: Step[];
  config?: object;
  headers?: Record<string, string>;
  failing?: Failing;
}

const human = (id: string, content: unknown) => ({ input: { messages: [{ type: "human", id, content }] } });

function scene({ graph, runs }: scenes.Scene): Promise<Recording> {
  return recordRuns(graph, runs as never);
}

const twoTurns = () =>
  recordRuns(speaker([text("Hel", "lo"), text("Again", "!")]), [human("u1", "Hi"), human("u2", "And?")]);

const confirm: Tool = {
  name: "confirm",
  description: "Asks the user",
  parameters: { type: "object", properties: { what: { type: "string" } } },
};
/** The client's tool is called, and its result continues the thread. */
function frontendTool(name: string, result: Partial<Message>, stored: object): Scenario {
  const toolMessage = { id: "result-1", role: "tool", toolCallId: "call-1", ...result } as Message;
  return {
    name,
    record: () =>
      recordRuns(speaker([asksForConfirmation, text("As you wish")]), [
        human("u1", "Do it"),
        { input: { messages: [{ type: "tool", id: "result-1", tool_call_id: "call-1", ...stored }] } },
      ]),
    steps: [
      { says: [user("Do it", "u1")], with: { tools: [confirm] } },
      { says: [toolMessage], with: { tools: [confirm] } },
    ],
  };
}

const pending = (agent: AbstractAgent) => agent.pendingInterrupts;
const answers = (agent: AbstractAgent, payload: unknown): ResumeEntry[] =>
  pending(agent).map(({ id }) => ({ interruptId: id, status: "resolved", payload }));
const waiting = (state: ThreadState | undefined) =>
  (state?.tasks ?? []).flatMap(({ interrupts }) => interrupts.flatMap(({ id }) => id ?? []));
const structured = { emitInterruptOutcome: true };

const parts = [
  { type: "text", text: "What is it?" },
  { type: "image", source: { type: "url", value: "https://example.com/cat.png" } },
];

export const scenarios: Scenario[] = [
  {
    name: "two turns",
    record: twoTurns,
    steps: [{ says: [user("Hi", "u1")] }, { says: [user("And?", "u2")] }],
  },
  frontendTool("a frontend tool that works", { content: "yes" }, { content: "yes", status: "success" }),
  frontendTool("a frontend tool that fails", { content: "It went wrong", error: "no permission" } as never, {
    content: "no permission\nIt went wrong",
    status: "error",
    additional_kwargs: { error: "no permission", "ag-ui": '{"content":"It went wrong"}' },
  }),
  {
    name: "a backend tool",
    record: () => recordRuns(toolUser(), [human("u1", "Hi"), human("u2", "And?")]),
    steps: [{ says: [user("Hi", "u1")] }, { says: [user("And?", "u2")] }],
  },
  {
    name: "backend tools in parallel",
    record: () => scene(scenes.toolLoop()),
    steps: [{ says: [user("Hi", "h1")] }, { says: [user("And?", "h2")] }],
  },
  {
    name: "a model that does not stream",
    record: () => scene(scenes.notStreaming()),
    steps: [{ says: [user("Hi", "h1")] }],
  },
  {
    name: "legacy resume",
    record: () => scene(scenes.resumed()),
    steps: [{ says: [user("Hi", "h1")] }, { with: { forwardedProps: { command: { resume: "yes" } } } }],
  },
  {
    name: "structured resume",
    config: structured,
    record: () => recordRuns(asking("sure?"), [human("u1", "Hi"), { command: { resume: { ok: true } } }]),
    steps: [
      { says: [user("Hi", "u1")] },
      {
        with: (agent) => ({ resume: answers(agent, { ok: true }) }),
      },
    ],
  },
  {
    name: "cancelled resume",
    config: structured,
    record: () => recordRuns(asking("sure?"), [human("u1", "Hi"), { command: { resume: "no" } }]),
    steps: [
      { says: [user("Hi", "u1")] },
      {
        with: (agent) => ({
          resume: pending(agent).map(({ id }) => ({ interruptId: id, status: "cancelled" })),
        }),
      },
    ],
  },
  {
    name: "two interrupts answered",
    config: structured,
    record: () => recordRuns(asking("left?", "right?"), [human("u1", "Hi"), { command: { resume: "yes" } }]),
    steps: [
      { says: [user("Hi", "u1")] },
      {
        with: (agent) => ({ resume: answers(agent, "yes") }),
      },
    ],
  },
  {
    name: "one of two interrupts answered",
    config: structured,
    record: () =>
      recordRuns(asking("left?", "right?"), [
        human("u1", "Hi"),
        ([asked]) => ({ command: { resume: { [String(waiting(asked)[0])]: "yes" } } }),
        ([asked]) => ({ command: { resume: { [String(waiting(asked)[1])]: "no" } } }),
      ]),
    steps: [
      { says: [user("Hi", "u1")] },
      {
        // A host that makes an agent for each request does not check that all are answered.
        before: (agent) => agent.pendingInterrupts.splice(1),
        with: (agent) => ({ resume: answers(agent, "yes") }),
      },
      { with: (agent) => ({ resume: answers(agent, "no") }) },
    ],
  },
  ...[false, 0, "", null].map(
    (payload): Scenario => ({
      name: `structured resume with ${JSON.stringify(payload)}`,
      config: structured,
      record: () => recordRuns(asking("sure?"), [human("u1", "Hi"), { command: { resume: "no" } }]),
      steps: [{ says: [user("Hi", "u1")] }, { with: (agent) => ({ resume: answers(agent, payload) }) }],
    }),
  ),
  ...[false, 0, "", "false"].map(
    (resume): Scenario => ({
      name: `legacy resume with ${JSON.stringify(resume)}`,
      record: () => recordRuns(asking("sure?"), [human("u1", "Hi"), { command: { resume: "no" } }]),
      steps: [{ says: [user("Hi", "u1")] }, { with: { forwardedProps: { command: { resume } } } }],
    }),
  ),
  {
    name: "a message while an interrupt is pending",
    record: () =>
      recordRuns(asking("sure?"), [
        human("u1", "Hi"),
        {
          command: { resume: "yes", update: { messages: [{ type: "human", id: "u2", content: "Hello?" }] } },
        },
      ]),
    steps: [
      { says: [user("Hi", "u1")] },
      { says: [user("Hello?", "u2")] },
      { with: { forwardedProps: { command: { resume: "yes" } } } },
    ],
  },
  {
    name: "state",
    record: () => recordRuns(counting(), [human("u1", "Hi"), human("u2", "Echo"), human("u3", "Change")]),
    steps: [
      { says: [user("Hi", "u1")], before: (agent) => agent.setState({ note: "first" }) },
      { says: [user("Echo", "u2")] },
      {
        says: [user("Change", "u3")],
        before: (agent) => agent.setState({ ...agent.state, note: "changed" }),
      },
    ],
  },
  {
    name: "configuration by context schema",
    config: { assistantConfig: { tags: ["shop"], configurable: { user: "Ada" }, recursion_limit: 25 } },
    headers: { "x-trace": "t-1", authorization: "secret" },
    record: () => recordRuns(configured(), [{ ...human("u1", "Hi"), context: { user: "Ada" } }]),
    steps: [
      {
        says: [user("Hi", "u1")],
        with: {
          context: [{ description: "page", value: "/cart" }],
          forwardedProps: { config: { recursion_limit: 7 } },
        },
      },
    ],
  },
  {
    name: "configuration without context schema",
    config: { assistantConfig: { configurable: { tone: "kind" } } },
    record: () => recordRuns(plainConfig(), [human("u1", "Hi")]),
    steps: [
      {
        says: [user("Hi", "u1")],
        with: { forwardedProps: { config: { configurable: { lang: "de" } }, metadata: { source: "test" } } },
      },
    ],
  },
  {
    name: "regenerate",
    config: { assistantConfig: { configurable: { tone: "kind" } } },
    record: () =>
      recordRuns(speaker([text("One"), text("Two"), text("Two, again")]), [
        human("u1", "Hi"),
        human("u2", "And?"),
        human("u2", "And?"),
      ]),
    steps: [
      { says: [user("Hi", "u1")] },
      { says: [user("And?", "u2")] },
      {
        before: (agent) => {
          const [first, , third] = agent.messages;
          agent.setMessages([
            first as Message,
            { id: "half-seen", role: "assistant", content: "On" },
            third as Message,
          ]);
        },
        with: { context: [{ description: "page", value: "/cart" }] },
      },
    ],
  },
  {
    name: "edit",
    record: () =>
      recordRuns(speaker([text("One"), text("Two")]), [
        human("u1", "Hi"),
        ([first]) => ({ ...human("u1", "Hello"), checkpointId: first?.checkpoint?.checkpoint_id }),
      ]),
    steps: [{ says: [user("Hi", "u1")] }, { before: (agent) => agent.setMessages([user("Hello", "u1")]) }],
  },
  {
    name: "reasoning",
    record: () => recordRuns(scenes.reasoning().graph, [human("h1", "Hi")]),
    steps: [{ says: [user("Hi", "h1")] }],
  },
  {
    name: "multimodal",
    record: () =>
      recordRuns(speaker([text("A cat")]), [
        human("u1", [
          { type: "text", text: "What is it?" },
          { type: "image_url", image_url: { url: "https://example.com/cat.png" } },
        ]),
      ]),
    steps: [{ says: [{ id: "u1", role: "user", content: parts } as Message] }],
  },
  {
    name: "custom and manual events",
    record: () => scene(scenes.byHand()),
    steps: [{ says: [user("Hi", "h1")] }],
  },
  {
    name: "emit-messages off",
    record: () => recordRuns(speaker([text("Hidden")], { "emit-messages": false }), [human("u1", "Hi")]),
    steps: [{ says: [user("Hi", "u1")] }],
  },
  {
    name: "emit-tool-calls off",
    record: () =>
      recordRuns(speaker([asksForConfirmation], { "emit-tool-calls": false }), [human("u1", "Hi")]),
    steps: [{ says: [user("Hi", "u1")] }],
  },
  {
    name: "predicted state",
    record: () =>
      recordRuns(
        speaker([asksForConfirmation], {
          predict_state: [{ tool: "confirm", state_key: "what", tool_argument: "what" }],
        }),
        [human("u1", "Hi")],
      ),
    steps: [{ says: [user("Hi", "u1")] }],
  },
  {
    name: "a node that the client names",
    record: twoTurns,
    steps: [{ says: [user("Hi", "u1")], with: { forwardedProps: { nodeName: "speak" } } }],
  },
  ...(["aborting", "unsubscribing"] as const).map((by) => ({
    name: `${by} in mid text`,
    record: twoTurns,
    steps: [{ says: [user("Hi", "u1")], stops: { at: "on_chat_model_stream", by } }],
  })),
  ...(["aborting", "unsubscribing"] as const).map((by) => ({
    name: `${by} in mid tool`,
    record: () => recordRuns(toolUser(), [human("u1", "Hi")]),
    steps: [{ says: [user("Hi", "u1")], stops: { at: "on_tool_start", by } }],
  })),
  {
    name: "aborting before the stream opens",
    record: twoTurns,
    steps: [{ says: [user("Hi", "u1")], stops: { at: "threads.get", by: "aborting" } }],
  },
  {
    name: "coming back to a thread",
    record: twoTurns,
    steps: [{ says: [user("Hi", "u1")] }, { before: (agent) => agent.setMessages([]), connects: true }],
  },
  {
    name: "coming back to an interrupt",
    record: () => recordRuns(asking("sure?"), [human("u1", "Hi"), { command: { resume: "yes" } }]),
    steps: [{ says: [user("Hi", "u1")] }, { before: (agent) => agent.setMessages([]), connects: true }],
  },
  {
    name: "a thread that may not be read",
    failing: { "threads.get": 403 },
    record: twoTurns,
    steps: [{ says: [user("Hi", "u1")] }],
  },
  {
    name: "an assistant that may not be read",
    failing: { "assistants.search": 401 },
    record: twoTurns,
    steps: [{ says: [user("Hi", "u1")] }],
  },
  {
    name: "a thread whose server is down",
    failing: { "threads.get": 500 },
    record: twoTurns,
    steps: [{ says: [user("Hi", "u1")] }],
  },
  {
    name: "a thread that may not be made",
    failing: { "threads.create": 403 },
    record: twoTurns,
    steps: [{ says: [user("Hi", "u1")] }],
  },
  {
    name: "a state that may not be read",
    failing: { "threads.getState": 403 },
    record: twoTurns,
    steps: [{ says: [user("Hi", "u1")] }],
  },
  {
    name: "a schema that may not be read",
    failing: { "assistants.getSchemas": 500 },
    record: twoTurns,
    steps: [{ says: [user("Hi", "u1")] }],
  },
  {
    name: "no assistant",
    failing: { "assistants.search": "nothing" },
    record: twoTurns,
    steps: [{ says: [user("Hi", "u1")] }],
  },
  { name: "subgraphs", record: () => scene(scenes.nested()), steps: [{ says: [user("Hi", "h1")] }] },
  {
    name: "parallel nodes",
    record: () => scene(scenes.sideBySide()),
    steps: [{ says: [user("Hi", "h1")] }],
  },
  {
    name: "an error in mid text",
    record: () => scene(scenes.breaksInText()),
    steps: [{ says: [user("Hi", "h1")] }],
  },
  {
    name: "an error in mid call",
    record: () => scene(scenes.breaksInCall()),
    steps: [{ says: [user("Hi", "h1")] }],
  },
];
