import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { frontendTools, pendingFrontendCalls } from "ag-ui-langgraph/middlewares";

const schema = { type: "object", properties: { precise: { type: "boolean" } } };
const tool = (name: string, more: object = {}) => ({
  type: "function",
  name,
  function: { name, description: "where", parameters: schema, ...more },
});
const names = (state: unknown) => frontendTools(state).map((each) => each.function.name);

describe("frontendTools", () => {
  test("gives definitions for bindTools, without the second name that providers refuse", () => {
    expect(frontendTools({ "ag-ui": { tools: [tool("locate")] } })).toEqual([
      { type: "function", function: { name: "locate", description: "where", parameters: schema } },
    ]);
  });

  test("joins what AG-UI and CopilotKit declare; of one name the first counts", () => {
    const state = {
      "ag-ui": { tools: [tool("locate"), tool("scroll")] },
      copilotkit: {
        actions: [
          tool("locate", { description: "other" }),
          { name: "flat", parameters: JSON.stringify(schema) },
        ],
      },
      tools: [tool("ignored")],
    };
    expect(names(state)).toEqual(["locate", "scroll", "flat"]);
    expect(frontendTools(state)[0]?.function.description).toBe("where");
    expect(frontendTools(state)[2]?.function).toEqual({ name: "flat", description: "", parameters: schema });
  });

  test("reads the state's tools where nothing else is declared", () => {
    expect(names({ tools: [tool("locate")] })).toEqual(["locate"]);
  });

  test.each([undefined, null, {}, "{", "[]", { properties: {} }, 7])(
    "makes %j an object schema",
    (parameters) => {
      const [made] = frontendTools({ tools: [{ name: "x", parameters }] });
      expect(made?.function.parameters).toEqual({ type: "object", properties: {} });
    },
  );

  test.each([
    undefined,
    null,
    "x",
    {},
    { "ag-ui": null, copilotkit: { actions: "x" } },
    { "ag-ui": { tools: [null, 1, {}, { name: "" }, { function: {} }] } },
  ])("finds none in %j", (state) => {
    expect(frontendTools(state)).toEqual([]);
    expect(pendingFrontendCalls(state)).toEqual([]);
  });
});

describe("pendingFrontendCalls", () => {
  const call = (id: string, name: string) => ({ id, name, args: {}, type: "tool_call" as const });
  const asked = new AIMessage({
    content: "",
    tool_calls: [call("b", "backend"), call("f", "locate"), call("g", "locate")],
  });
  const answer = (id: string) => new ToolMessage({ tool_call_id: id, content: "x" });
  const pending = (...messages: unknown[]) =>
    pendingFrontendCalls({ messages, "ag-ui": { tools: [tool("locate")] } }).map(({ id }) => id);

  test.each<[string, unknown[], string[]]>([
    ["nothing was answered", [asked], ["f", "g"]],
    ["the agent's own call was answered", [asked, answer("b")], ["f", "g"]],
    ["one was answered", [asked, answer("b"), answer("g")], ["f"]],
    ["all were answered", [asked, answer("b"), answer("g"), answer("f")], []],
    ["the model spoke after them", [asked, new AIMessage("never mind")], []],
    ["the user spoke after them", [asked, new HumanMessage("never mind")], []],
    ["there is no assistant message", [new HumanMessage("hi")], []],
  ])("%s", (_, messages, expected) => {
    expect(pending(...messages)).toEqual(expected);
    expect(pending(...messages.map((message) => JSON.parse(JSON.stringify(message))))).toEqual(expected);
  });
});
