import { idOf, isRecord, textOrNothing } from "../messages/json";
import { readMessage } from "../messages/read-message";
import { wholeCallsOf } from "./call-pieces";

/** The tool call that runs a subagent, where a task runs one tool. */
export interface Callers {
  taskStarted(task: string, input: unknown): void;
  toolStarted(task: string, name: string | undefined): void;
  taskEnded(task: string): void;
  toolOf(task: string): string | undefined;
  callOf(task: string): { parentToolCallId?: string; parentMessageId?: string };
}

interface Task {
  input: unknown;
  tools: string[];
}

/** LangGraph's tool nodes run either one call per task, which the input names, or the calls of the last message. */
export function createCallers(): Callers {
  const tasks = new Map<string, Task>();

  const toolOf = (task: string): string | undefined => {
    const tools = tasks.get(task)?.tools ?? [];
    return tools.length === 1 ? tools[0] : undefined;
  };

  return {
    taskStarted(task, input) {
      tasks.set(task, { input, tools: [] });
    },
    toolStarted(task, name) {
      if (name !== undefined) tasks.get(task)?.tools.push(name);
    },
    taskEnded(task) {
      tasks.delete(task);
    },
    toolOf,
    callOf(task) {
      const tool = toolOf(task);
      const input = tasks.get(task)?.input;
      if (tool === undefined || !isRecord(input)) return {};
      const parent = lastWithCalls(input.messages);
      const calls = parent ? wholeCallsOf(parent) : [];
      const sent = isRecord(input.lg_tool_call) ? input.lg_tool_call : undefined;
      const named = calls.filter(({ name }) => name === tool);
      const callId = idOf(sent?.id) ?? (named.length === 1 ? idOf(named[0]?.id) : undefined);
      if (callId === undefined) return {};
      const messageId = calls.some(({ id }) => id === callId) ? textOrNothing(parent?.id) : undefined;
      return { parentToolCallId: callId, ...(messageId !== undefined && { parentMessageId: messageId }) };
    },
  };
}

function lastWithCalls(messages: unknown) {
  if (!Array.isArray(messages)) return undefined;
  for (let at = messages.length - 1; at >= 0; at -= 1) {
    const message = readMessage(messages[at]);
    if (message?.type === "ai") return message;
  }
  return undefined;
}
