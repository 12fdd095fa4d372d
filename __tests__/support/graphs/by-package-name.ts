import { END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import * as middlewares from "ag-ui-langgraph/middlewares";

/** A graph whose file imports this package by its name, as the graphs of users do. */
export const byPackageName = new StateGraph(MessagesAnnotation)
  .addNode("tell", async () => ({
    messages: [{ type: "ai", id: "told", content: Object.keys(middlewares).sort().join(" ") }],
  }))
  .addEdge(START, "tell")
  .addEdge("tell", END)
  .compile({ name: "by_package_name" });
