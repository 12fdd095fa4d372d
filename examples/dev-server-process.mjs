// The LangGraph dev server in a process of its own: it is ESM only, and it must not share the tests' modules.
import { rmSync } from "node:fs";
import { startServer } from "@langchain/langgraph-api/server";

const options = JSON.parse(process.argv.at(-1));

// The channel closes when the parent is gone, however it went: neither server nor folder is left behind.
process.on("disconnect", () => {
  rmSync(options.cwd, { recursive: true, force: true });
  process.exit();
});

// A Ctrl-C in the terminal reaches the whole group; the parent decides what happens then.
process.on("SIGINT", () => {});

try {
  const { host } = await startServer(options);
  process.send({ host });
} catch (error) {
  // The server's logger catches what is thrown at the top level, and the process would stay.
  console.error(error);
  process.exit(1);
}
