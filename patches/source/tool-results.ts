import { readExtras } from "../../src/messages/extras";
import { readMessage } from "../../src/messages/read-message";
import { toolMessageToAgui, toolMessageToLangChain } from "../../src/messages/tool-result";
import type { ToAgui, ToLangChain } from "./official";

/** The package's converter, with tool results converted by ours. It leaves out other messages, but no tool result. */
export function resultsToLangChain(official: ToLangChain): ToLangChain {
  return (messages) => {
    const results = messages.filter((message) => message.role === "tool").values();
    return official(messages).map((converted) => {
      if (converted.type !== "tool") return converted;
      const { value } = results.next();
      return value ? toolMessageToLangChain(value) : converted;
    });
  };
}

/** The package's converter for the client, with tool results converted by ours. */
export function resultsToAgui(official: ToAgui): ToAgui {
  return (messages) => {
    const results = messages.filter((message) => message.type === "tool").values();
    return official(messages).map((shown) => {
      if (shown.role !== "tool") return shown;
      const { value } = results.next();
      const result = readMessage(value);
      if (result?.type !== "tool") return shown;
      // Only a client that takes parts has ever sent them.
      return toolMessageToAgui(result, { protocol1: Array.isArray(readExtras(result).content) });
    });
  };
}
