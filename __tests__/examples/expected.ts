import type { ExampleName } from "../../examples/examples";
import { protocol1 } from "../support/fold";
import type { Seen } from "./seen";

const NEVER_ANSWERED = "The tool call was never answered: the run ended before its result came.";

/** What nested agents say stays on the page where the client can tell it from the conversation. */
const nested = (line: string) => (protocol1 ? [line] : []);

/** What a user sees of each example, in this process and on a server. */
export const EXPECTED: Record<ExampleName, Seen> = {
  "frontend-tools": {
    live: [
      "user: Make the page blue, please.",
      "text: Blue it is.",
      'call: set_background {"color":"blue"}',
      "browser: set_background the page is blue",
      "text: Done: the page is blue.",
    ],
    conversation: [
      "user: Make the page blue, please.",
      "assistant: Blue it is. set_background()",
      "tool: the page is blue",
      "assistant: Done: the page is blue.",
    ],
    state: {},
  },
  "frontend-tool-retry": {
    live: [
      "user: A table for two at Da Enzo at eight in the evening, please.",
      "text: I will book that.",
      'call: book_table {"restaurant":"Da Enzo","time":"20:00"}',
      "browser: book_table failed: Da Enzo is full at 20:00, and has a table at 21:00",
      "text: It failed: Da Enzo is full at 20:00, and has a table at 21:00. I take that.",
      'call: book_table {"restaurant":"Da Enzo","time":"21:00"}',
      "browser: book_table Da Enzo expects you at 21:00",
      "text: Done: Da Enzo expects you at 21:00.",
    ],
    conversation: [
      "user: A table for two at Da Enzo at eight in the evening, please.",
      "assistant: I will book that. book_table()",
      "tool: failed: Da Enzo is full at 20:00, and has a table at 21:00",
      "assistant: It failed: Da Enzo is full at 20:00, and has a table at 21:00. I take that. book_table()",
      "tool: Da Enzo expects you at 21:00",
      "assistant: Done: Da Enzo expects you at 21:00.",
    ],
    state: {},
  },
  "backend-tool": {
    live: [
      "user: Where is my order A-7?",
      'call: track_order {"order":"A-7"}',
      "result: track_order failed: there is no order A-7",
      "text: I did not find it: there is no order A-7.",
    ],
    conversation: [
      "user: Where is my order A-7?",
      "assistant: track_order()",
      "tool: there is no order A-7 failed: there is no order A-7",
      "assistant: I did not find it: there is no order A-7.",
    ],
    state: {},
  },
  interrupt: {
    live: [
      "user: Refund the 40 € of order A-1, please.",
      'call: refund {"order":"A-1","euros":40}',
      'custom: on_interrupt {"message":"Refund 40 € for A-1?"}',
      "user: Refund 40 € for A-1? true",
      "result: refund 40 € refunded",
      "text: Done: 40 € refunded.",
    ],
    conversation: [
      "user: Refund the 40 € of order A-1, please.",
      "assistant: refund()",
      "tool: 40 € refunded",
      "assistant: Done: 40 € refunded.",
    ],
    state: {},
  },
  "several-interrupts": {
    live: [
      "user: Book the flight for 90 € and the hotel for 800 €, please.",
      'call: book {"what":"the flight","euros":90}',
      'call: book {"what":"the hotel","euros":800}',
      'custom: on_interrupt {"message":"Book the flight for 90 €?"}',
      'custom: on_interrupt {"message":"Book the hotel for 800 €?"}',
      "user: Book the flight for 90 €? true",
      "user: Book the hotel for 800 €? false",
      "result: book the flight is booked",
      "result: book the hotel is not booked",
      "text: Here is what I did: the flight is booked, the hotel is not booked.",
    ],
    conversation: [
      "user: Book the flight for 90 € and the hotel for 800 €, please.",
      "assistant: book() book()",
      "tool: the flight is booked",
      "tool: the hotel is not booked",
      "assistant: Here is what I did: the flight is booked, the hotel is not booked.",
    ],
    state: {},
  },
  "shared-state": {
    live: [
      "user: Add some basil.",
      'call: add_ingredient {"ingredient":"basil"}',
      "result: add_ingredient basil",
      "text: There is basil in it now. The recipe is for 2 people.",
      "user: sets the servings on the page to 6",
      "user: And some more.",
      'call: add_ingredient {"ingredient":"basil"}',
      "result: add_ingredient basil",
      "text: There is basil in it now. The recipe is for 6 people.",
    ],
    conversation: [
      "user: Add some basil.",
      "assistant: add_ingredient()",
      "tool: basil",
      "assistant: There is basil in it now. The recipe is for 2 people.",
      "user: And some more.",
      "assistant: add_ingredient()",
      "tool: basil",
      "assistant: There is basil in it now. The recipe is for 6 people.",
    ],
    state: { recipe: { servings: 6, ingredients: ["tomatoes", "basil", "basil"] } },
  },
  "predictive-state": {
    live: [
      "user: Write me a short poem about a slow morning.",
      'custom: PredictState [{"state_key":"document","tool":"write_document","tool_argument":"text"}]',
      "screen: The kettle sings, the window fogs, a ca▌",
      "screen: The kettle sings, the window fogs, a cat asleep on yesterday's news; the mo▌",
      'call: write_document {"text":"The kettle sings, the window fogs, a cat asleep on yesterday\'s news; the morning takes its time."}',
      "result: write_document written",
      "text: There it is.",
      "screen: The kettle sings, the window fogs, a cat asleep on yesterday's news; the morning takes its time.",
    ],
    conversation: [
      "user: Write me a short poem about a slow morning.",
      "assistant: write_document()",
      "tool: written",
      "assistant: There it is.",
    ],
    state: {
      document:
        "The kettle sings, the window fogs, a cat asleep on yesterday's news; the morning takes its time.",
    },
  },
  subgraphs: {
    live: [
      "user: A weekend in Lisbon, please.",
      "text: Fly to Lisbon at nine.",
      "text: Stay at the Casa Azul.",
    ],
    conversation: [
      "user: A weekend in Lisbon, please.",
      "assistant: Fly to Lisbon at nine.",
      "assistant: Stay at the Casa Azul.",
    ],
    state: {},
  },
  supervisor: {
    live: [
      "user: A line of verse about the octopus, with a fact in it.",
      'call: ask_researcher {"task":"A fact about the octopus"}',
      "text: An octopus has three hearts.",
      "result: ask_researcher An octopus has three hearts.",
      'call: ask_poet {"task":"An octopus has three hearts."}',
      "text: Three hearts keep time beneath the tide.",
      "result: ask_poet Three hearts keep time beneath the tide.",
      "text: Here is your line: Three hearts keep time beneath the tide.",
    ],
    conversation: [
      "user: A line of verse about the octopus, with a fact in it.",
      "assistant: ask_researcher()",
      "tool: An octopus has three hearts.",
      ...nested("assistant: An octopus has three hearts."),
      "assistant: ask_poet()",
      "tool: Three hearts keep time beneath the tide.",
      ...nested("assistant: Three hearts keep time beneath the tide."),
      "assistant: Here is your line: Three hearts keep time beneath the tide.",
    ],
    state: {},
  },
  "generative-ui": {
    live: [
      "user: How many visitors did we have this week?",
      'call: show_chart {"title":"Visitors","bars":[{"label":"Mon","value":12},{"label":"Tue","value":30},{"label":"Wed","value":21}]}',
      "screen: Visitors",
      "screen: Mon ████████████ 12",
      "screen: Tue ██████████████████████████████ 30",
      "screen: Wed █████████████████████ 21",
      "browser: show_chart shown",
      "text: That is how the week went.",
    ],
    conversation: [
      "user: How many visitors did we have this week?",
      "assistant: show_chart()",
      "tool: shown",
      "assistant: That is how the week went.",
    ],
    state: {},
  },
  a2ui: {
    live: [
      "user: I would like to visit you.",
      'call: generate_a2ui {"intent":"create"}',
      expect.stringMatching(/^call: render_a2ui {"surfaceId":"days"/),
      expect.stringMatching(/^result: generate_a2ui {"a2ui_operations":/),
      "text: Please pick a day.",
      "screen: │ When do you want to come?",
      "screen: │ Friday",
      "screen: │ Sunday",
    ],
    conversation: [
      "user: I would like to visit you.",
      "assistant: generate_a2ui()",
      expect.stringMatching(/^tool: {"a2ui_operations":/),
      "assistant: Please pick a day.",
    ],
    state: {},
  },
  multimodal: {
    live: ["user: What is this? [image]", "text: I see a red circle (image/png)."],
    conversation: ["user: What is this? [image]", "assistant: I see a red circle (image/png)."],
    state: {},
  },
  reasoning: {
    live: [
      "user: A bat and a ball cost 1.10; the bat costs 1 more than the ball. What does the ball cost?",
      "reasoning: If the ball costs x, the bat costs x + 1, and together 2x + 1 = 1.10.",
      "text: The ball costs five cents.",
    ],
    conversation: [
      "user: A bat and a ball cost 1.10; the bat costs 1 more than the ball. What does the ball cost?",
      "reasoning: If the ball costs x, the bat costs x + 1, and together 2x + 1 = 1.10.",
      "assistant: The ball costs five cents.",
    ],
    state: {},
  },
  "node-failure": {
    live: [
      "user: How much is a euro in dollars?",
      'custom: rate_service {"attempt":1,"up":false}',
      'custom: rate_service {"attempt":2,"up":false}',
      'custom: rate_service {"attempt":3,"up":true}',
      "text: A euro is 1.08 dollars.",
      "user: And in gold?",
      "run: failed: there is no rate for gold",
      "user: Then in dollars again.",
      'custom: rate_service {"attempt":1,"up":false}',
      'custom: rate_service {"attempt":2,"up":false}',
      'custom: rate_service {"attempt":3,"up":true}',
      "text: A euro is 1.08 dollars.",
    ],
    conversation: [
      "user: How much is a euro in dollars?",
      "assistant: A euro is 1.08 dollars.",
      "user: And in gold?",
      "user: Then in dollars again.",
      "assistant: A euro is 1.08 dollars.",
    ],
    state: { rate: 1.08 },
  },
  "dead-thread": {
    live: [
      "user: What is in my calendar?",
      "text: I will look.",
      "call: read_calendar {}",
      expect.stringMatching(
        /^unguarded: messages\.1: `tool_use` ids were found without `tool_result` blocks/,
      ),
      "user: Are you still there?",
      "text: I am here. The calendar did not answer; shall I try again?",
    ],
    conversation: [
      "user: What is in my calendar?",
      "assistant: I will look. read_calendar()",
      `tool: ${NEVER_ANSWERED} failed: ${NEVER_ANSWERED}`,
      "user: Hello?",
      "user: Are you still there?",
      "assistant: I am here. The calendar did not answer; shall I try again?",
    ],
    state: {},
  },
};
