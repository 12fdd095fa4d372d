const { LangGraphAgent } = require("@ag-ui/langgraph");
const playRun = require("./play-run.cjs");

playRun(LangGraphAgent, JSON.parse(process.argv[2])).then((played) => console.log(JSON.stringify(played)));
