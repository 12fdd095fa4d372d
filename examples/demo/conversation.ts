import { randomUUID } from "node:crypto";
import { type BaseEvent, EventType, type Tool } from "@ag-ui/client";
import type { AgentToolMessage, LangGraphAgent } from "ag-ui-langgraph";
import type { Provider } from "../model";
import type { ScriptedTurn } from "../providers/script";
import type { Line } from "../terminal/describe";
import { readWire, resultsOnWire } from "./wire";

const QUESTION = "Please book a table for two at Da Enzo tonight at eight.";

/** What the client offers the model. */
const BOOK_TABLE: Tool = {
  name: "book_table",
  description: "Books a table in the user's browser.",
  parameters: {
    type: "object",
    properties: {
      restaurant: { type: "string" },
      time: { type: "string", description: "HH:MM" },
      persons: { type: "number" },
    },
    required: ["restaurant", "time", "persons"],
  },
};

/** The client's tool. It gets as far as the form, whose text looks like a success, and then fails. */
function bookTable(args: string): Pick<AgentToolMessage, "content" | "error"> {
  return { content: `Form filled in: ${args}`, error: "Da Enzo takes no bookings online today" };
}

/** The scripted model: it calls the tool, then says what it was told, as far as its provider's API told it. */
export function scriptFor(provider: Provider): (body: unknown) => ScriptedTurn {
  return (body) => {
    const result = resultsOnWire(provider, body).at(-1);
    if (!result) {
      const args = { restaurant: "Da Enzo", time: "20:00", persons: 2 };
      return { text: "I will book that for you.", toolCalls: [{ name: BOOK_TABLE.name, args }] };
    }
    const { text, flagged } = readWire(provider, result);
    const failed = flagged || !text.startsWith("Form filled in");
    return {
      text: failed ? `The table could not be booked: ${text.split("\n")[0]}.` : "Your table is booked.",
    };
  };
}

export interface Played {
  call: { id: string; name: string };
  /** The tool message that the client sent. */
  sent: AgentToolMessage;
  /** The messages of the last MESSAGES_SNAPSHOT. */
  snapshot: readonly Record<string, unknown>[];
  answer: string;
}

interface Audience {
  onEvent(params: { event: BaseEvent }): void;
  note(line: Line): void;
}

/** Plays the conversation: the model calls the client's tool, which fails, and is told so. */
export async function play(agent: LangGraphAgent, audience: Audience): Promise<Played> {
  let snapshot: Played["snapshot"] = [];
  let broken: unknown;
  const run = async () => {
    await agent.runAgent(
      { tools: [BOOK_TABLE] },
      {
        onEvent({ event }) {
          audience.onEvent({ event });
          if (event.type === EventType.RUN_ERROR) broken = (event as { message?: unknown }).message;
          if (event.type === EventType.MESSAGES_SNAPSHOT)
            snapshot = (event as unknown as { messages: Played["snapshot"] }).messages;
        },
      },
    );
    if (broken !== undefined) throw new Error(`The run failed: ${String(broken)}`);
  };

  agent.addMessage({ id: randomUUID(), role: "user", content: QUESTION });
  audience.note({ kind: "user", content: QUESTION });
  await run();

  const asked = agent.messages.at(-1);
  const call = asked?.role === "assistant" ? asked.toolCalls?.at(-1) : undefined;
  if (!call) throw new Error("The model did not call the client's tool.");
  const outcome = bookTable(call.function.arguments);
  const sent: AgentToolMessage = { id: randomUUID(), role: "tool", toolCallId: call.id, ...outcome };
  agent.addMessage(sent);
  audience.note({ kind: "client", content: `${call.function.name} failed: ${sent.error}`, failed: true });
  await run();

  const said = agent.messages.at(-1);
  const answer = said?.role === "assistant" && typeof said.content === "string" ? said.content : "";
  return { call: { id: call.id, name: call.function.name }, sent, snapshot, answer };
}
