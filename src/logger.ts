/** Where the adapter writes its warnings and debug lines. They name ids, never contents, headers or keys. */
export interface Logger {
  debug(message: string): void;
  warn(message: string): void;
}

/** Warnings go to the console; debug lines too, where `DEBUG` names `ag-ui-langgraph`. */
export const consoleLogger: Logger = {
  debug(message) {
    if (globalThis.process?.env?.DEBUG?.includes("ag-ui-langgraph"))
      console.debug(`[ag-ui-langgraph] ${message}`);
  },
  warn(message) {
    console.warn(`[ag-ui-langgraph] ${message}`);
  },
};

export const silentLogger: Logger = { debug() {}, warn() {} };
