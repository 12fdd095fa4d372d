// The LangGraph dev server in a process of its own: it is ESM only, and it must not share its parent's modules.
import { startServer } from "@langchain/langgraph-api/server";

// The channel closes when the parent is gone, however it went: no server is left behind.
process.on("disconnect", () => process.exit());

// A Ctrl-C in the terminal reaches the whole group; the parent decides what happens then.
process.on("SIGINT", () => {});

const { host } = await startServer(JSON.parse(process.argv.at(-1)));
process.send({ host });
