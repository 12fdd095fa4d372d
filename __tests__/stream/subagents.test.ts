import type { BaseEvent, Message } from "@ag-ui/client";
import { createLocalClient, type RunnableGraph } from "../../src/graphs/local";
import type { LangChainMessage, ProcessedEvents, StreamRow } from "../../src/types";
import { comparable, expectAccepted, fold, outsideOfSubagents, translateRun } from "../support/fold";
import * as graphs from "../support/graphs";
import { overTheWire, recordThread } from "./recordings";

type Fields = BaseEvent & Record<string, unknown>;

const MODES = ["events", "values", "updates", "messages-tuple", "custom"];
const asks = (id = "u1", content = "hi") => ({ input: { messages: [{ type: "human", id, content }] } });

const byName = new Map<string, unknown>(Object.entries(graphs));

async function recorded(name: keyof typeof graphs, modes = MODES, ...payloads: Record<string, unknown>[]) {
  const client = createLocalClient(byName.get(name) as RunnableGraph, { graphId: name });
  const runs = await recordThread(client, name, payloads.length > 0 ? payloads : [asks()], modes);
  return runs.map((run) => ({
    rows: overTheWire(run.rows),
    after: overTheWire(run.after.messages ?? []) as LangChainMessage[],
  }));
}

async function recordedOnce(name: keyof typeof graphs, modes = MODES) {
  const [run] = await recorded(name, modes);
  if (!run) throw new Error("nothing was recorded");
  return run;
}

const user: Message = { id: "u1", role: "user", content: "hi" };

const fieldsOf = (events: readonly unknown[]) => [...events] as Fields[];

const ofType = (events: readonly ProcessedEvents[], ...types: string[]) =>
  fieldsOf(events).filter(({ type }) => types.includes(type));

/** The events in between an event and another, both by their type and subagent. */
const within = (events: readonly ProcessedEvents[], subagentRunId: unknown) => {
  const all = fieldsOf(events);
  const at = (type: string) =>
    all.findIndex((event) => event.type === type && event.subagentRunId === subagentRunId);
  return all.slice(at("SUBAGENT_STARTED"), at("SUBAGENT_FINISHED") + 1);
};

const spoken = (events: readonly ProcessedEvents[]) => {
  const owners = new Map<string, unknown>();
  for (const event of fieldsOf(events)) {
    const id = event.messageId as string;
    if (event.type === "TEXT_MESSAGE_START") owners.set(id, event.subagentRunId);
  }
  return owners;
};

const textsBy = (events: readonly ProcessedEvents[], subagentRunId: unknown) => {
  const owners = spoken(events);
  return ofType(events, "TEXT_MESSAGE_CONTENT")
    .filter(({ messageId }) => owners.get(messageId as string) === subagentRunId)
    .map(({ delta }) => delta)
    .join("");
};

const tagged = (events: readonly ProcessedEvents[]) =>
  fieldsOf(events).filter(({ subagentRunId }) => subagentRunId !== undefined);

const translate = (rows: readonly StreamRow[], options = {}) => {
  const translation = translateRun(rows, { clientMessages: [user], ...options });
  expectAccepted(translation.events);
  return translation;
};

const all = [
  "nested",
  "nestedInterrupt",
  "nestedFailure",
  "supervisor",
  "desk",
  "helped",
] as (keyof typeof graphs)[];

describe("a client before protocol 1.0", () => {
  it.each(all)("is told nothing of subagents: %s", async (name) => {
    const { rows } = await recordedOnce(name);
    const { events } = translate(rows, { protocol1: false, rawEvents: "slim" });
    expect(tagged(events)).toEqual([]);
  });
});

// What follows is what a client of 1.0 gets, which both versions take.
const one = { protocol1: true };

describe("a graph within a graph", () => {
  it("is a subagent of the one around it, and is finished when it has ended", async () => {
    const { rows } = await recordedOnce("nested");
    const { events } = translate(rows, one);
    const [team, worker, ...others] = ofType(events, "SUBAGENT_STARTED");
    expect(others).toEqual([]);
    expect(team).toMatchObject({ name: "team" });
    expect(team).not.toHaveProperty("parentSubagentRunId");
    expect(worker).toMatchObject({ name: "worker", parentSubagentRunId: team?.subagentRunId });
    expect(textsBy(events, worker?.subagentRunId)).toBe("From within");
    expect(ofType(events, "SUBAGENT_FINISHED").map(({ subagentRunId }) => subagentRunId)).toEqual([
      worker?.subagentRunId,
      team?.subagentRunId,
    ]);
  });

  it("names itself on everything that it produces", async () => {
    const { rows } = await recordedOnce("nested");
    const { events } = translate(rows, { ...one, rawEvents: "slim" });
    const [, worker] = ofType(events, "SUBAGENT_STARTED");
    const inside = within(events, worker?.subagentRunId);
    expect(inside.map(({ type }) => type)).toEqual(
      expect.arrayContaining([
        "STEP_STARTED",
        "RAW",
        "TEXT_MESSAGE_START",
        "TEXT_MESSAGE_CONTENT",
        "TEXT_MESSAGE_END",
        "STEP_FINISHED",
      ]),
    );
    const others = inside.filter(({ subagentRunId }) => subagentRunId !== worker?.subagentRunId);
    expect(others.filter(({ type }) => type !== "RAW")).toEqual([]);
  });

  it("has steps of its own within the step of its node", async () => {
    const { rows } = await recordedOnce("nested");
    const { events } = translate(rows, one);
    const steps = ofType(events, "STEP_STARTED", "STEP_FINISHED", "SUBAGENT_STARTED", "SUBAGENT_FINISHED");
    const ids = ofType(events, "SUBAGENT_STARTED").map(({ subagentRunId }) => subagentRunId);
    expect(
      steps.map(({ type, stepName, name, subagentRunId }) =>
        [type, stepName ?? name, ids.indexOf(subagentRunId)].filter((part) => part !== undefined),
      ),
    ).toEqual([
      ["STEP_STARTED", "team", -1],
      ["SUBAGENT_STARTED", "team", 0],
      ["STEP_STARTED", "worker", 0],
      ["SUBAGENT_STARTED", "worker", 1],
      ["STEP_STARTED", "speak", 1],
      ["STEP_FINISHED", "speak", 1],
      ["SUBAGENT_FINISHED", 1],
      ["STEP_FINISHED", "worker", 0],
      ["SUBAGENT_FINISHED", 0],
      ["STEP_FINISHED", "team", -1],
    ]);
  });

  it("is suspended where it interrupts the run, with those around it", async () => {
    const { rows } = await recordedOnce("nestedInterrupt");
    const { events, translator } = translate(rows, one);
    const [interrupt] = translator.interrupts;
    const [team] = ofType(events, "SUBAGENT_STARTED");
    expect(ofType(events, "SUBAGENT_FINISHED")).toEqual([
      {
        type: "SUBAGENT_FINISHED",
        subagentRunId: team?.subagentRunId,
        outcome: { type: "suspended", interruptIds: [interrupt?.id] },
      },
    ]);
    expect(translator.interruptedBy(String(interrupt?.id))).toBe(team?.subagentRunId);
  });

  it("is the same one when the next run resumes it", async () => {
    const [asked, resumed] = await recorded("nestedInterrupt", MODES, asks(), { command: { resume: "yes" } });
    const [before] = ofType(translate(asked?.rows ?? [], one).events, "SUBAGENT_STARTED");
    const { events } = translate(resumed?.rows ?? [], one);
    expect(ofType(events, "SUBAGENT_STARTED")).toEqual([before]);
    expect(ofType(events, "SUBAGENT_FINISHED")).toEqual([
      { type: "SUBAGENT_FINISHED", subagentRunId: before?.subagentRunId },
    ]);
  });

  it("fails with the run", async () => {
    const { rows } = await recordedOnce("nestedFailure");
    const { events } = translate(rows, one);
    expect(ofType(events, "SUBAGENT_FINISHED", "SUBAGENT_ERROR")).toMatchObject([
      { type: "SUBAGENT_ERROR", message: "too deep" },
    ]);
  });

  it("is finished at the end of a stream that is cut off", async () => {
    const { rows } = await recordedOnce("nested");
    for (let end = 0; end <= rows.length; end += 1) translate(rows.slice(0, end), one);
  });
});

/** Only the values of a nested graph have its messages whole. */
const combinations = [MODES, ["values", "messages-tuple"], ["events", "values"], ["values"]];

test("a client takes the word of a snapshot: without the name of a subagent, a message is the run's own", async () => {
  const { rows, after } = await recordedOnce("nested");
  const { events, translator } = translate(rows, one);
  const owners = async (messages: Message[]) => {
    const snapshot = { type: "MESSAGES_SNAPSHOT", messages } as ProcessedEvents;
    const { messages: folded } = await fold([...events.slice(0, -1), snapshot, ...events.slice(-1)], [user]);
    return folded.map((message) => (message as { subagentRunId?: string }).subagentRunId);
  };
  const shown = translator.shown.of(after);
  const [, worker] = ofType(events, "SUBAGENT_STARTED");
  expect(await owners(shown)).toEqual([undefined, worker?.subagentRunId]);
  const unnamed = shown.map(({ subagentRunId: _, ...message }) => message as Message);
  expect(await owners(unnamed)).toEqual([undefined, undefined]);
});

describe.each(["supervisor", "desk"] as const)("agents that the tools of a %s run side by side", (name) => {
  it("are subagents of the calls, by their own names or those of the tools", async () => {
    const { rows, after } = await recordedOnce(name);
    const { events } = translate(rows, one);
    const started = ofType(events, "SUBAGENT_STARTED");
    const asking = after.find(({ type }) => type === "ai");
    // Two tools of one task: which of them runs the agent without a name is not told.
    expect(started.map((event) => event.name).sort()).toEqual(
      name === "supervisor" ? ["researcher", "write"] : ["act", "researcher"],
    );
    if (name === "supervisor") {
      for (const { name: agent, parentToolCallId, parentMessageId } of started) {
        expect(parentMessageId).toBe(asking?.id);
        expect(parentToolCallId).toMatch(agent === "write" ? /^write-/ : /^research-/);
      }
    }
    const byName = (agent: string) => started.find((event) => event.name === agent)?.subagentRunId;
    expect(textsBy(events, byName("researcher"))).toBe("Looking.I found a fact.");
    expect(textsBy(events, byName(name === "supervisor" ? "write" : "act"))).toBe("A text.");
    expect(textsBy(events, undefined)).toBe("I ask both.All done.");
    const results = ofType(events, "TOOL_CALL_RESULT");
    const own = results.filter(({ subagentRunId }) => subagentRunId === byName("researcher"));
    expect(own).toMatchObject([{ content: "a fact" }]);
    expect(results.filter(({ subagentRunId }) => subagentRunId === undefined)).toHaveLength(2);
  });

  it("are finished before the run goes on", async () => {
    const { rows } = await recordedOnce(name);
    const { events } = translate(rows, one);
    const types = fieldsOf(events).map(({ type }) => type as string);
    const last = fieldsOf(events).findLastIndex((event) => event.type === "TEXT_MESSAGE_START");
    expect(types.lastIndexOf("SUBAGENT_FINISHED")).toBeLessThan(last);
  });

  it.each(combinations.map((modes) => [modes.join("+"), modes]))(
    "keep what they said, each its own, in every snapshot: %s",
    async (_title, modes) => {
      const { rows, after } = await recordedOnce(name, modes as string[]);
      const { events, translator } = translate(rows, one);
      const streamed = await fold(events, [user]);
      const snapshot = { type: "MESSAGES_SNAPSHOT", messages: translator.shown.of(after) };
      const [end] = events.slice(-1);
      const whole = [...events.slice(0, -1), snapshot, end] as ProcessedEvents[];
      expectAccepted(whole);
      const { messages } = await fold(whole, [user]);
      const told = (list: Message[]) =>
        list.map((message) => ({
          ...comparable(message),
          subagentRunId: (message as { subagentRunId?: string }).subagentRunId,
        }));
      expect(told(messages)).toEqual(told(streamed.messages));
      expect(told(messages).filter(({ subagentRunId }) => subagentRunId !== undefined)).toHaveLength(4);
    },
  );

  it("keep it when the client comes with its next message", async () => {
    const [first, second] = await recorded(name, MODES, asks(), asks("u2", "more"));
    const { events, translator } = translate(first?.rows ?? [], one);
    const snapshot = { type: "MESSAGES_SNAPSHOT", messages: translator.shown.of(first?.after ?? []) };
    const { messages } = await fold([...events.slice(0, -1), snapshot, ...events.slice(-1)] as never, [user]);
    const next: Message[] = [...messages, { id: "u2", role: "user", content: "more" }];
    const later = translate(second?.rows ?? [], {
      ...one,
      clientMessages: next,
      clientMessageIds: next.map(({ id }) => id),
      knownMessages: first?.after,
    });
    const shown = later.translator.shown.of(second?.after ?? []);
    expect(shown.slice(0, messages.length)).toEqual(messages);
  });
});

describe.each(all)("whatever a nested graph produces: %s", (name) => {
  it.each(combinations.map((modes) => [modes.join("+"), modes]))(
    "comes between its start and its end: %s",
    async (_title, modes) => {
      const { rows } = await recordedOnce(name, modes as string[]);
      const { events } = translate(rows, { ...one, rawEvents: "slim" });
      expect(outsideOfSubagents(events)).toEqual([]);
    },
  );
});

describe("hidden subgraphs", () => {
  const texts = (messages: readonly Message[]) =>
    messages.map(({ role, content }) => `${role}: ${typeof content === "string" ? content : ""}`);

  async function hiding(name: keyof typeof graphs, hideSubgraphs: true | string[], modes = MODES) {
    const { rows, after } = await recordedOnce(name, modes);
    const hidden = new Set<string>();
    const options = {
      hideSubgraphs,
      hiddenMessages: hidden,
      clientMessages: [user],
      rawEvents: "slim" as const,
    };
    const { events, translator } = translate(rows, { ...options, protocol1: true });
    const old = translate(rows, { ...options, protocol1: false });
    const { messages } = await fold(events, [user]);
    expect((await fold(old.events, [user])).messages.map(comparable)).toEqual(messages.map(comparable));
    const snapshot = translator.shown.of(after);
    return { events, messages, snapshot };
  }

  it.each<[true | string[], string]>([
    [true, "all"],
    [["worker"], "one inside another"],
    [["team"], "one with another inside"],
  ])("say nothing, live and in the snapshot: %p (%s)", async (hide) => {
    const { events, messages, snapshot } = await hiding("nested", hide);
    expect(texts(messages)).toEqual(["user: hi"]);
    expect(texts(snapshot)).toEqual(["user: hi"]);
    expect(JSON.stringify(events)).not.toContain("within");
    expect(ofType(events, "STEP_STARTED").map(({ stepName }) => stepName)).not.toContain("speak");
  });

  it.each([[["researcher"]], [["research"]]])(
    "are agents by their names or their tools' names: %p",
    async (hide) => {
      const { messages, snapshot, events } = await hiding("supervisor", hide);
      const said = texts(messages);
      expect(said).toContain("tool: I found a fact.");
      expect(said).not.toContain("assistant: I found a fact.");
      expect(said).not.toContain("tool: a fact");
      expect(said).toContain("assistant: A text.");
      expect(snapshot.map(comparable)).toEqual(messages.map(comparable));
      expect(ofType(events, "SUBAGENT_STARTED")).toMatchObject([{ name: "write" }]);
    },
  );

  it("hide everything that the tools' agents say, and nothing else", async () => {
    const { messages } = await hiding("supervisor", true);
    expect(texts(messages)).toEqual([
      "user: hi",
      "assistant: I ask both.",
      "tool: I found a fact.",
      "tool: A text.",
      "assistant: All done.",
    ]);
  });

  it("do not take a result from the graph's own call", async () => {
    const { messages, snapshot } = await hiding("helped", true);
    expect(texts(messages)).toEqual(["user: hi", "assistant: I look.", "tool: a fact"]);
    expect(snapshot.map(comparable)).toEqual(messages.map(comparable));
  });

  it.each(combinations.map((modes) => [modes.join("+"), modes]))(
    "are hidden whatever the stream tells: %s",
    async (_title, modes) => {
      const { messages } = await hiding("nested", ["team"], modes as string[]);
      expect(texts(messages)).toEqual(["user: hi"]);
    },
  );
});
