/** The graphs that the application's agents run, in a LangGraph server. */
import {
  copilotkitCustomizeConfig,
  copilotkitEmitMessage,
  copilotkitEmitState,
  copilotkitExit,
  copilotkitMiddleware,
} from "@copilotkit/sdk-js/langgraph";
// this package's, which CopilotKit's SDK exports again
import {
  frontendToolsMiddleware,
  stateItem,
  stateStreamingMiddleware,
  toolFailureMiddleware,
} from "@copilotkit/sdk-js/langgraph-middlewares";
import { ChatAnthropic } from "@langchain/anthropic";
import { AIMessage, ToolMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import {
  Annotation,
  END,
  interrupt,
  type LangGraphRunnableConfig,
  MessagesAnnotation,
  START,
  StateGraph,
} from "@langchain/langgraph";
import { createAgent } from "langchain";
import { z } from "zod";

const model = () =>
  new ChatAnthropic({
    model: "claude-haiku-4-5",
    apiKey: "stub",
    anthropicApiUrl: process.env.PROVIDER_URL,
    maxRetries: 0,
  });

/** The client's tools reach the model through this package's middleware. */
export const assistant = () =>
  createAgent({
    model: model(),
    tools: [],
    middleware: [frontendToolsMiddleware(), toolFailureMiddleware()],
  });

/** The client's tools reach the model through CopilotKit's middleware. */
export const copilotkitAssistant = () =>
  createAgent({ model: model(), tools: [], middleware: [copilotkitMiddleware, toolFailureMiddleware()] });

const writeDocument = tool(async () => "Written.", {
  name: "write_document",
  description: "Writes the document",
  schema: z.object({ document: z.string() }),
});

const State = Annotation.Root({ ...MessagesAnnotation.spec, document: Annotation<string>() });
type Config = LangGraphRunnableConfig;

/** `copilotkitCustomizeConfig` writes into the metadata that it is given. */
const customized = (config: Config, options: Parameters<typeof copilotkitCustomizeConfig>[1]): Config =>
  copilotkitCustomizeConfig({ ...config, metadata: { ...config.metadata } }, options);

/** Two model calls that the user is not to see, and one that is for the user. */
export const discreet = new StateGraph(State)
  .addNode("think", async ({ messages }, config: Config) => {
    await model().invoke(messages, customized(config, { emitMessages: false }));
    return {};
  })
  .addNode("plan", async ({ messages }, config: Config) => {
    await model()
      .bindTools([writeDocument])
      .invoke(messages, customized(config, { emitToolCalls: false }));
    return {};
  })
  .addNode("speak", async ({ messages }, config: Config) => ({
    messages: [await model().invoke(messages, config)],
  }))
  .addEdge(START, "think")
  .addEdge("think", "plan")
  .addEdge("plan", "speak")
  .addEdge("speak", END)
  .compile();

/** Streams the document into the state while the model writes it as a tool's argument. */
export const writer = new StateGraph(State)
  .addNode("write", async ({ messages }, config: Config) => {
    const answer = await model()
      .bindTools([writeDocument])
      .invoke(
        messages,
        customized(config, {
          emitIntermediateState: [{ stateKey: "document", tool: "write_document", toolArgument: "document" }],
        }),
      );
    const [call] = answer.tool_calls ?? [];
    const done = new ToolMessage({ tool_call_id: call?.id ?? "", name: call?.name, content: "Written." });
    return { messages: [answer, done], document: call?.args.document };
  })
  .addEdge(START, "write")
  .addEdge("write", END)
  .compile();

/** The same with this package's middleware. */
export const writerAgent = () =>
  createAgent({
    model: model(),
    tools: [writeDocument],
    middleware: [
      stateStreamingMiddleware(
        stateItem({ stateKey: "document", tool: "write_document", toolArgument: "document" }),
      ),
    ],
  });

/** Shows a state and a message before it has them, and says that it is done. */
export const herald = new StateGraph(State)
  .addNode("work", async (_state, config: Config) => {
    await copilotkitEmitState(config, { document: "half of it" });
    await copilotkitEmitMessage(config, "Still at work.");
    return { document: "all of it", messages: [new AIMessage({ id: "done", content: "Done." })] };
  })
  .addNode("leave", async (_state, config: Config) => {
    await copilotkitExit(config);
    return {};
  })
  .addEdge(START, "work")
  .addEdge("work", "leave")
  .addEdge("leave", END)
  .compile();

/** Asks the user, and tells what the answer was. */
export const asks = new StateGraph(State)
  .addNode("ask", async () => {
    const answer = interrupt({ question: "Book it?" });
    return { messages: [new AIMessage(`The answer was ${JSON.stringify(answer)}.`)] };
  })
  .addEdge(START, "ask")
  .addEdge("ask", END)
  .compile();

/** Waits until its run is stopped. */
export const waits = new StateGraph(State)
  .addNode("wait", async (_state, config: Config) => {
    await copilotkitEmitMessage(config, "Waiting.");
    await new Promise((_, reject) => {
      config.signal?.addEventListener("abort", () => reject(new Error("stopped")));
    });
    return {};
  })
  .addEdge(START, "wait")
  .addEdge("wait", END)
  .compile();
