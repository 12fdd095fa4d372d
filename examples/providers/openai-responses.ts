import type { ServerResponse } from "node:http";
import { argumentText, pieces, type ScriptedTurn, slices } from "./script";
import { eventStream, json } from "./server";

/** One output item of a response, and the events by which it streams between its start and its end. */
interface Item {
  started: object;
  done: { type: string; id: string };
  events: { type: string; [key: string]: unknown }[];
}

/** Answers a request to OpenAI's Responses API, as a whole or as its stream of events. */
export function answerResponses(
  response: ServerResponse,
  turn: ScriptedTurn,
  request: { id: number; model: unknown; stream: boolean },
  newId: () => string,
): void {
  const items = itemsOf(turn, request.id, newId);
  const whole = {
    id: `resp_stub_${request.id}`,
    object: "response",
    created_at: 1_700_000_000,
    status: "completed",
    model: request.model,
    output: items.map(({ done }) => done),
    error: null,
    incomplete_details: null,
    usage: {
      input_tokens: 10,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 5,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 15,
    },
  };
  if (!request.stream) {
    json(response, 200, whole);
    return;
  }
  const send = eventStream(response);
  let sequence_number = 0;
  const event = (type: string, data: object) =>
    send({ type, sequence_number: sequence_number++, ...data }, type);
  event("response.created", { response: { ...whole, status: "in_progress", output: [], usage: null } });
  items.forEach((item, output_index) => {
    event("response.output_item.added", { output_index, item: item.started });
    for (const { type, ...data } of item.events)
      event(type, { item_id: item.done.id, output_index, ...data });
    event("response.output_item.done", { output_index, item: item.done });
  });
  event("response.completed", { response: whole });
  response.end();
}

function itemsOf(turn: ScriptedTurn, request: number, newId: () => string): Item[] {
  const items: Item[] = [];
  if (turn.text) items.push(message(turn.text, `msg_stub_${request}`));
  (turn.toolCalls ?? []).forEach((call, index) => {
    const base = {
      type: "function_call",
      id: `fc_stub_${request}_${index}`,
      call_id: call.id ?? newId(),
      name: call.name,
    };
    const args = argumentText(call);
    items.push({
      started: { ...base, arguments: "", status: "in_progress" },
      done: { ...base, arguments: args, status: "completed" } as Item["done"],
      events: [
        ...slices(args).map((delta) => ({ type: "response.function_call_arguments.delta", delta })),
        { type: "response.function_call_arguments.done", arguments: args },
      ],
    });
  });
  return items;
}

function message(text: string, id: string): Item {
  const base = { type: "message", id, role: "assistant" };
  const part = { type: "output_text", text, annotations: [] };
  return {
    started: { ...base, status: "in_progress", content: [] },
    done: { ...base, status: "completed", content: [part] } as Item["done"],
    events: [
      { type: "response.content_part.added", content_index: 0, part: { ...part, text: "" } },
      ...pieces(text).map((delta) => ({ type: "response.output_text.delta", content_index: 0, delta })),
      { type: "response.output_text.done", content_index: 0, text },
      { type: "response.content_part.done", content_index: 0, part },
    ],
  };
}
