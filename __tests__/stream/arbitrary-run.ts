import {
  type AIMessage,
  type AIMessageChunk,
  type BaseMessage,
  HumanMessage,
  ToolMessage,
} from "@langchain/core/messages";
import fc from "fast-check";
import type { StreamRow } from "../../src/types";
import { type Block, blocks, type CutTurn, cut, type Provider, providers } from "./arbitrary-turn";
import { type Random, randomOf } from "./random";

/** The stream modes that a run may have; `messages` are the rows of `messages-tuple`. */
export type Mode = "events" | "messages" | "values" | "updates" | "tasks";

/** What a graph does: steps of nodes that run side by side, and what each says. */
export interface RunPlan {
  steps: { nodes: NodePlan[]; answers: boolean; tasksOfTools: boolean }[];
  form: "javascript" | "python" | "instances";
  modes: Mode[];
  seed: number;
}

interface NodePlan {
  provider: Provider;
  blocks: Block[];
  nested: boolean;
}

const node: fc.Arbitrary<NodePlan> = fc.record({
  provider: fc.constantFrom(...providers),
  blocks,
  nested: fc.boolean(),
});

export const runPlan = (modes: readonly Mode[][]): fc.Arbitrary<RunPlan> =>
  fc.record({
    steps: fc.array(
      fc.record({
        nodes: fc.array(node, { minLength: 1, maxLength: 3 }),
        answers: fc.boolean(),
        tasksOfTools: fc.boolean(),
      }),
      { minLength: 1, maxLength: 3 },
    ),
    form: fc.constantFrom("javascript" as const, "python" as const, "instances" as const),
    modes: fc.constantFrom(...modes),
    seed: fc.nat(),
  });

export interface PlayedRun {
  rows: StreamRow[];
  /** The messages of the checkpoint after the run. */
  final: BaseMessage[];
  /** The nested graphs that messages come from. */
  graphs: ReadonlyMap<string, string>;
}

type Queue = StreamRow[];

/** Plays the plan as LangGraph would tell it: callbacks run ahead, the rows of the other modes come in their own order. */
export function play(plan: RunPlan): PlayedRun {
  const random = randomOf(plan.seed);
  const player = new Player(plan, random);
  return player.play();
}

class Player {
  private readonly messages: BaseMessage[] = [new HumanMessage({ id: "u1", content: "hi" })];
  private readonly rows: StreamRow[] = [];
  private readonly graphs = new Map<string, string>();
  private ids = 0;
  private step = 0;

  constructor(
    private readonly plan: RunPlan,
    private readonly random: Random,
  ) {}

  play(): PlayedRun {
    const loop: Queue = [this.values("", this.messages)];
    const callbacks: Queue = [];
    for (const step of this.plan.steps) this.playStep(step, callbacks, loop);
    this.rows.push(...this.mixed(callbacks, loop));
    const rows = this.rows.filter(({ event }) => this.plan.modes.includes(event.split("|")[0] as Mode));
    return { rows: rows.map((row) => this.written(row)), final: this.messages, graphs: this.graphs };
  }

  /** Callbacks come before what tells of their outcome in other modes, and may run ahead of it. */
  private mixed(callbacks: Queue, loop: Queue): StreamRow[] {
    const out: StreamRow[] = [];
    let at = 0;
    for (const row of loop) {
      const { after = 0, until = Number.POSITIVE_INFINITY } = row as { after?: number; until?: number };
      while (at < callbacks.length && (at < after || (at < until && this.random.chance(0.3)))) {
        out.push(callbacks[at++]!);
      }
      out.push({ event: row.event, data: row.data });
    }
    return [...out, ...callbacks.slice(at)];
  }

  private playStep(step: RunPlan["steps"][number], callbacks: Queue, loop: Queue): void {
    this.step += 1;
    const named = step.nodes.map((plan, at) => ({ plan, name: ["zeta", "alpha", "mid"][at]! }));
    const turns = named.map(({ plan, name }) => this.say(plan, name));
    this.push(
      turns.map(({ callbacks: own }) => own),
      turns.map(({ loop: own }) => own),
      callbacks,
      loop,
    );
    // The checkpoint has what nodes wrote in the order of their names.
    const written = [...turns].sort((left, right) => (left.name < right.name ? -1 : 1));
    for (const { message } of written) this.messages.push(message);
    loop.push(this.after(callbacks, this.values("", this.messages)));
    const last = turns.length === 1 ? turns[0] : undefined;
    if (!step.answers || !last?.message.tool_calls?.length) return;
    this.answer(last.message, step.tasksOfTools, callbacks, loop);
  }

  /** Rows of tasks side by side mix; what a row tells has been called back before. */
  private push(callbackQueues: Queue[], loopQueues: Queue[], callbacks: Queue, loop: Queue): void {
    const before = callbacks.length;
    callbacks.push(...this.random.interleave(callbackQueues));
    const position = new Map(callbacks.slice(before).map((row, at) => [row, before + at + 1]));
    const merged = this.random.interleave(loopQueues);
    // Rows may lag far behind. Without the values, the first of a mode must come before it is missed.
    const until = this.plan.modes.includes("values") ? undefined : callbacks.length;
    for (const row of merged) {
      const cause = (row as { cause?: StreamRow }).cause;
      loop.push(Object.assign(row, { after: cause ? position.get(cause) : before, until }));
    }
  }

  private after(callbacks: Queue, row: StreamRow): StreamRow {
    return Object.assign(row, { after: callbacks.length });
  }

  private say(plan: NodePlan, name: string) {
    const runId = `run${++this.ids}`;
    const id = this.random.chance(0.5) ? `msg_${runId}` : `run-${runId}`;
    const turn = plan.blocks.map((block) =>
      block.kind === "call" ? { ...block, id: `call_${++this.ids}` } : block,
    );
    const spoken = cut(turn, plan.provider, this.random, id);
    const task = `${name}:${++this.ids}`;
    const place = plan.nested
      ? { ns: `${task}|inner:${++this.ids}`, node: "inner" }
      : { ns: task, node: name };
    const metadata = {
      langgraph_node: place.node,
      langgraph_step: plan.nested ? 1 : this.step,
      langgraph_checkpoint_ns: place.ns,
      ls_provider: plan.provider,
    };
    const { callbacks, loop } = this.modelRows(spoken, runId, metadata, plan.nested ? task : "");
    if (plan.nested) this.wrapInGraph(spoken.whole, task, loop);
    if (plan.nested && spoken.whole.id) this.graphs.set(spoken.whole.id, task);
    if (plan.nested) callbacks.push(this.graphEnd(name, task, spoken.whole));
    const cause = callbacks.at(-1)!;
    loop.push(caused(cause, { event: "updates", data: { [name]: { messages: [spoken.whole] } } }));
    loop.push(
      caused(cause, {
        event: "tasks",
        data: { id: task, name, result: { messages: [spoken.whole] }, interrupts: [] },
      }),
    );
    return { name, message: spoken.whole as AIMessage, callbacks, loop };
  }

  private modelRows(
    { chunks, whole }: CutTurn,
    runId: string,
    metadata: Record<string, unknown>,
    graph: string,
  ) {
    const at = graph ? `|${graph}` : "";
    const event = (name: string, data: unknown): StreamRow => ({
      event: "events",
      data: { event: name, name: "Model", run_id: runId, tags: [], metadata, data },
    });
    const start = event("on_chat_model_start", { input: {} });
    const callbacks = [start];
    const loop: Queue = [];
    const told = this.plan.modes.includes("messages");
    chunks.forEach((chunk, place) => {
      // Without the messages mode, chunks have the id of the run where the provider gives none.
      const seen =
        told || place === 0 ? chunk : withId(chunk, this.random.chance(0.5) ? chunk.id : `run-${runId}`);
      const row = event("on_chat_model_stream", { chunk: seen });
      callbacks.push(row);
      loop.push(caused(row, { event: `messages${at}`, data: [chunk, metadata] }));
    });
    const end = event("on_chat_model_end", { output: whole });
    const nodeEnd = { ...event("on_chain_end", { output: { messages: [whole] } }) };
    nodeEnd.data = { ...(nodeEnd.data as object), name: metadata.langgraph_node, run_id: `n-${runId}` };
    callbacks.push(end, nodeEnd);
    if (chunks.length === 0) loop.push(caused(end, { event: `messages${at}`, data: [whole, metadata] }));
    return { callbacks, loop };
  }

  /** The node that runs a graph gives all that the graph has. */
  private graphEnd(name: string, task: string, message: BaseMessage): StreamRow {
    const metadata = {
      langgraph_node: name,
      langgraph_step: this.step,
      langgraph_checkpoint_ns: task,
    };
    const data = { output: { messages: [...this.messages, message] } };
    return {
      event: "events",
      data: { event: "on_chain_end", name, run_id: `g-${task}`, tags: [], metadata, data },
    };
  }

  private wrapInGraph(message: BaseMessage, graph: string, loop: Queue): void {
    loop.unshift(this.values(graph, [...this.messages]));
    loop.push({ event: `updates|${graph}`, data: { inner: { messages: [message] } } });
    loop.push(this.values(graph, [...this.messages, message]));
  }

  private answer(message: AIMessage, asTasks: boolean, callbacks: Queue, loop: Queue): void {
    this.step += 1;
    const nodeRun = `tools${++this.ids}`;
    const results = (message.tool_calls ?? []).map(({ id, name }) => this.result(nodeRun, id!, name));
    const groups = asTasks ? results.map((result) => [result]) : [results];
    const played = groups.map((group) => this.toolRows(group, nodeRun));
    this.push(
      played.map(({ callbacks: own }) => own),
      played.map(({ loop: own }) => own),
      callbacks,
      loop,
    );
    this.messages.push(...results.map(({ message }) => message));
    loop.push(this.after(callbacks, this.values("", this.messages)));
  }

  private result(nodeRun: string, id: string, name: string) {
    const outcome = this.random.pick(["works", "throws", "unknown", "empty", "parts"]);
    const failed = outcome === "throws" || outcome === "unknown";
    const content =
      outcome === "parts"
        ? [
            { type: "text", text: "a" },
            { type: "image_url", image_url: { url: "https://x/y.png" } },
          ]
        : outcome === "empty"
          ? ""
          : `${outcome} ${id}`;
    const message = new ToolMessage({
      id: `run-${nodeRun}-tool-${id}`,
      tool_call_id: id,
      name,
      content: content as never,
      status: failed ? "error" : "success",
    });
    return { outcome, message };
  }

  private toolRows(group: { outcome: string; message: ToolMessage }[], nodeRun: string) {
    const metadata = {
      langgraph_node: "tools",
      langgraph_step: this.step,
      langgraph_checkpoint_ns: `tools:${++this.ids}`,
    };
    const event = (name: string, tool: string, data: unknown): StreamRow => ({
      event: "events",
      data: { event: name, name: tool, run_id: `t${++this.ids}`, tags: [], metadata, data },
    });
    const ends = group.flatMap(({ outcome, message }) => {
      const tool = message.name ?? "";
      if (outcome === "unknown") return [];
      if (outcome === "throws") return [event("on_tool_error", tool, { error: "stack" })];
      return [event("on_tool_end", tool, { input: {}, output: withId(message, undefined) })];
    });
    const messages = group.map(({ message }) => message);
    const nodeEnd = event("on_chain_end", "tools", {
      output: {
        messages: this.plan.modes.includes("messages")
          ? messages
          : messages.map((message) => withId(message, undefined)),
      },
    });
    const callbacks = [...this.random.shuffle(ends), nodeEnd];
    const told: Queue = messages.map((message) =>
      caused(nodeEnd, { event: "messages", data: [message, metadata] }),
    );
    const updates = this.plan.modes.includes("messages")
      ? messages
      : messages.map((message) => withId(message, undefined));
    const loop = [...told, caused(nodeEnd, { event: "updates", data: { tools: { messages: updates } } })];
    return { callbacks, loop, nodeRun };
  }

  private values(graph: string, messages: readonly BaseMessage[]): StreamRow {
    return { event: graph ? `values|${graph}` : "values", data: { messages: [...messages] } };
  }

  private written(row: StreamRow): StreamRow {
    if (this.plan.form === "instances") return row;
    return { event: row.event, data: dicts(row.data, this.plan.form) };
  }
}

function caused(cause: StreamRow, row: StreamRow): StreamRow {
  return Object.assign(row, { cause });
}

function withId<T extends AIMessageChunk | ToolMessage>(message: T, id: string | undefined): T {
  const copy: T = Object.assign(Object.create(Object.getPrototypeOf(message)), message);
  copy.id = id;
  return copy;
}

/** Messages as servers write them. */
function dicts(value: unknown, form: "javascript" | "python"): unknown {
  if (Array.isArray(value)) return value.map((item) => dicts(item, form));
  if (typeof value !== "object" || value === null) return value;
  const message = value as BaseMessage & { toDict?(): { type: string; data: Record<string, unknown> } };
  if (typeof message.toDict === "function") return dictOf(message, form);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, dicts(item, form)]));
}

const FIELDS = [
  "id",
  "name",
  "content",
  "additional_kwargs",
  "response_metadata",
  "tool_calls",
  "invalid_tool_calls",
  "tool_call_chunks",
  "usage_metadata",
  "tool_call_id",
  "status",
] as const;

function dictOf(message: BaseMessage, form: "javascript" | "python"): Record<string, unknown> {
  const fields = message as unknown as Record<string, unknown>;
  const dict: Record<string, unknown> = {};
  for (const field of FIELDS)
    if (fields[field] !== undefined) dict[field] = JSON.parse(JSON.stringify(fields[field]));
  const isChunk = form === "python" && "tool_call_chunks" in dict;
  return { ...dict, type: isChunk ? "AIMessageChunk" : message.getType() };
}
