/** The examples, each a file of `graphs/` and a graph of `langgraph.json`, with what it shows. */
export const EXAMPLES = {
  "frontend-tools": "The model calls a tool of the user's browser.",
  "frontend-tool-retry": "A tool of the browser fails; the model is told why and tries again.",
  "backend-tool": "A tool of the graph throws ToolException, and the model and the user see it as failed.",
  interrupt: "A tool waits until the user has approved it.",
  "several-interrupts": "Two tools wait at once; the user approves one and declines the other.",
  "shared-state": "The user and the graph work on one state.",
  "predictive-state": "The user sees the state grow while the model still writes it.",
  subgraphs: "A graph whose steps are graphs, each with a voice of its own.",
  supervisor: "An agent whose tools are agents.",
  "generative-ui": "The arguments of a tool call become a component on the page.",
  a2ui: "A model of its own designs an A2UI surface.",
  multimodal: "The user sends an image.",
  reasoning: "The model thinks aloud before it answers.",
  "node-failure": "A node fails twice and is retried, then fails for good, and the thread goes on.",
  "dead-thread": "A call that nobody answered kills a thread, and the thread comes back.",
} as const;

export type ExampleName = keyof typeof EXAMPLES;

export const isExample = (name: string): name is ExampleName => Object.hasOwn(EXAMPLES, name);
