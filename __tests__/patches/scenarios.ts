/** What a run against a scripted server is told: see `play-run.cjs`. */
export interface Scenario {
  /** The thread's messages before the run. */
  stored?: object[];
  /** The client's messages. */
  sent: object[];
  /** What else the run's input has. */
  input?: object;
}

/** What came of it. */
export interface Played {
  payload: Record<string, unknown>[];
  thread: Record<string, unknown>[];
  snapshot: Record<string, unknown>[];
}

export const formats = ["play.cjs", "play.mjs"] as const;

const user = { id: "u", role: "user", content: "Book a table" };
const call = { id: "c", type: "function", function: { name: "book", arguments: "{}" } };
const calling = { id: "a", role: "assistant", content: "", toolCalls: [call] };

/** A frontend tool that failed, and what has to become of it in every patched package. */
export const failure = {
  sent: [
    user,
    calling,
    { id: "t", role: "tool", toolCallId: "c", content: '{"booked":false}', error: "No bookings today" },
  ],
};

export const failureOnTheWire = {
  id: "t",
  type: "tool",
  role: "tool",
  name: "book",
  tool_call_id: "c",
  status: "error",
  content: 'No bookings today\n{"booked":false}',
  additional_kwargs: {
    error: "No bookings today",
    "ag-ui": JSON.stringify({ content: '{"booked":false}' }),
  },
};

/** A thread that every provider refuses: a call without a result, and a result without a call. */
export const brokenThread = {
  stored: [
    { id: "u", type: "human", content: "Book a table" },
    {
      id: "a",
      type: "ai",
      content: "",
      tool_calls: [{ id: "c", name: "book", args: {}, type: "tool_call" }],
    },
    { id: "v", type: "human", content: "Well?" },
    { id: "s", type: "tool", tool_call_id: "gone", name: "seat", content: "stray", status: "success" },
  ],
  sent: [
    user,
    calling,
    { id: "v", role: "user", content: "Well?" },
    { id: "w", role: "user", content: "Hello?" },
  ],
};
