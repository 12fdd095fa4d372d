import { LangGraphAgent } from "@ag-ui/langgraph";
import playRun from "./play-run.cjs";

console.log(JSON.stringify(await playRun(LangGraphAgent, JSON.parse(process.argv[2]))));
