import type { AgentToolMessage } from "ag-ui-langgraph";
import type { Provider } from "../model";
import { object } from "../providers/rules";
import { readWire, type WireResult } from "./wire";

/** One tool failure at every place that it passes. What was not found there is `null`. */
export interface Hops {
  /** The AG-UI tool message that the client sent. */
  client: AgentToolMessage;
  /** The LangChain tool message in the checkpoint, as a plain object. */
  stored: Record<string, unknown> | null;
  /** The tool result in the provider's request. */
  wire: WireResult | null;
  /** The tool message of the last MESSAGES_SNAPSHOT. */
  snapshot: Record<string, unknown> | null;
}

export interface Verdict {
  hop: keyof Hops | "answer";
  /** What is right, or what got lost. */
  finding: string;
  lost: boolean;
}

/** Whether the failure is still one at every hop, by what the provider's API can carry. */
export function judge(provider: Provider, { client, stored, wire, snapshot }: Hops): Verdict[] {
  const error = client.error ?? "";
  return [
    verdict("client", "the tool message has an error", [
      [error.trim() !== "", "the tool message has no error"],
    ]),
    verdict("stored", 'the status is "error" and the text is kept', [
      [stored, "the checkpoint has no result of the call"],
      [stored?.status === "error", `the status is ${JSON.stringify(stored?.status)}`],
      [
        object(stored?.additional_kwargs).error === error,
        "additional_kwargs.error is not the text of the failure",
      ],
    ]),
    verdict(
      "wire",
      FLAGS[provider]?.right ?? "the content says that it failed",
      onWire(provider, wire, error),
    ),
    verdict("snapshot", "the client has the same failure afterwards", [
      [snapshot, "the last MESSAGES_SNAPSHOT has no result of the call"],
      [snapshot?.error === error, `the error is ${JSON.stringify(snapshot?.error)}`],
      [snapshot?.id === client.id, `the message id is ${JSON.stringify(snapshot?.id)}`],
      [snapshot?.content === client.content, "the content is not the one that was sent"],
    ]),
  ];
}

/** A scripted model says what it was told; so its answer shows whether it was told. */
export function judgeAnswer(answer: string, error: string): Verdict {
  return verdict("answer", "the model acknowledges the failure", [
    [answer !== "", "the model gave no answer"],
    [answer.includes(error), "the answer does not name the failure"],
  ]);
}

/** The providers whose API has a flag that LangChain can set. */
const FLAGS: Partial<Record<Provider, { right: string; missing: string }>> = {
  anthropic: { right: "is_error is true and the content says why", missing: "is_error is not true" },
  google: { right: "response.error says why", missing: "the response has no error" },
};

type Check = [holds: unknown, otherwise: string];

function onWire(provider: Provider, wire: WireResult | null, error: string): Check[] {
  if (!wire) return [[false, "the provider's request has no result of the call"]];
  const { text, flagged } = readWire(provider, wire);
  const flag = FLAGS[provider];
  return [
    [!flag || flagged, flag?.missing ?? ""],
    [text.includes(error), "the content does not say why"],
  ];
}

function verdict(hop: Verdict["hop"], right: string, checks: readonly Check[]): Verdict {
  const broken = checks.find(([holds]) => !holds);
  return broken ? { hop, finding: broken[1], lost: true } : { hop, finding: right, lost: false };
}
