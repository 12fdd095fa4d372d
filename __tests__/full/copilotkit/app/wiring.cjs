/** Tells which package CopilotKit's packages get for `@ag-ui/langgraph`. */
const { createRequire } = require("node:module");

const fromRuntime = createRequire(require.resolve("@copilotkit/runtime/langgraph"));
const fromSdk = createRequire(require.resolve("@copilotkit/sdk-js/langgraph-middlewares"));
const { LangGraphAgent } = require("@copilotkit/runtime/langgraph");
const middlewares = require("@copilotkit/sdk-js/langgraph-middlewares");
const agent = new LangGraphAgent({ deploymentUrl: "http://127.0.0.1:9", graphId: "graph" });

const name = (from) => from("@ag-ui/langgraph/package.json").name;

import("@copilotkit/sdk-js/langgraph-middlewares").then((esm) =>
  console.log(
    JSON.stringify({
      runtime: name(fromRuntime),
      sdk: name(fromSdk),
      runtimeExtendsIt: agent instanceof fromRuntime("@ag-ui/langgraph").LangGraphAgent,
      oneClient: agent instanceof fromRuntime("@ag-ui/client").AbstractAgent,
      sdkExportsIt:
        middlewares.frontendToolsMiddleware ===
        fromSdk("@ag-ui/langgraph/middlewares").frontendToolsMiddleware,
      sdkExportsItAsModule: Object.keys(esm).sort().join() === Object.keys(middlewares).sort().join(),
    }),
  ),
);
