import type { Message } from "@ag-ui/client";
import type { ExampleName } from "../../examples/examples";
import { PlayClient } from "../../examples/play/client";
import { type agentFor, loadExample } from "../../examples/play/home";
import { oneLine, paintFor } from "../../examples/terminal/paint";
import { createTimeline } from "../../examples/terminal/timeline";

/** What a user has seen of a play. */
export interface Seen {
  /** The timeline as it grew, without what tells how the adapter and the graph work. */
  live: string[];
  /** What is on the page in the end. */
  conversation: string[];
  /** The graph's own state in the end. */
  state: Record<string, unknown>;
}

/** Plays an example, with the timeline that the terminal shows. */
export async function see(name: ExampleName, agent: ReturnType<typeof agentFor>): Promise<Seen> {
  let text = "";
  const timeline = createTimeline({
    paint: paintFor({}),
    write: (line) => {
      text += line;
    },
  });
  const { play } = await loadExample(name);
  await play(new PlayClient(agent, timeline));
  const { messages: _, tools: _tools, "ag-ui": _agui, copilotkit: _copilotkit, ...state } = agent.state;
  return {
    live: text.trimEnd().split("\n").map(withoutTime).filter(isForUsers),
    conversation: page(agent.messages),
    state,
  };
}

const withoutTime = (line: string) => line.replace(/^ *[\d.]+s {2}(\S+) +/, "$1: ");

const isForUsers = (line: string) =>
  !/^(step|state|messages|subagent): |^run: (started|finished)|^custom: node_/.test(line);

/** What is on the page: who said what, which tools were called, and what failed. */
function page(messages: readonly Message[]): string[] {
  return messages.map((message) => {
    const calls = message.role === "assistant" ? (message.toolCalls ?? []) : [];
    const failed = message.role === "tool" && message.error;
    const shown = [
      spoken(message.content),
      ...calls.map(({ function: { name } }) => `${name}()`),
      ...(failed ? [`failed: ${message.error}`] : []),
    ];
    return `${message.role}: ${shown.filter(Boolean).join(" ")}`;
  });
}

const spoken = (content: Message["content"]): string =>
  Array.isArray(content)
    ? content.map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join(" ")
    : oneLine(content ?? "", 100);
