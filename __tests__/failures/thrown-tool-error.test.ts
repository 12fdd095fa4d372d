import { passesThrough, thrownToolMessage } from "../../src/failures/thrown-tool-error";

const call = { id: "a", name: "lookup", args: { city: 1 } };
const told = (error: unknown) => {
  const message = thrownToolMessage(error, call);
  expect(message).toMatchObject({ status: "error", tool_call_id: "a", name: "lookup" });
  return [message.content, message.additional_kwargs.error];
};

class HostileError extends Error {
  override get message(): string {
    throw new Error("no");
  }
}

test.each<[string, unknown, string, string]>([
  ["an error", new TypeError("boom"), "TypeError: boom", "boom"],
  ["an error without a text", new Error(""), "Error", "Error"],
  ["a string", "boom", "boom", "boom"],
  ["nothing", undefined, "undefined", "undefined"],
  ["an object with a message", { message: "boom" }, "Error: boom", "boom"],
  ["an object without one", { code: 7 }, "Error", "Error"],
  ["an error that throws when it is read", new HostileError(), "Error", "Error"],
])("a tool that throws %s", (_, error, said, recorded) => {
  expect(told(error)).toEqual([`${said}\n Please fix your mistakes.`, recorded]);
});

test("a schema mismatch is told without a stack, also behind middlewares", () => {
  const mismatch = Object.assign(new Error(`with a stack ${new Error("x").stack}`), {
    "~brand": "ToolInvocationError",
    toolError: new Error("Expected a string at city"),
  });
  const wrapped = Object.assign(new Error("x"), { "~brand": "MiddlewareError", cause: mismatch });
  for (const error of [mismatch, wrapped]) {
    expect(passesThrough(error)).toBe(false);
    expect(told(error)).toEqual([
      `Error invoking tool 'lookup' with kwargs {"city":1} with error: Error: Expected a string at city\n Please fix the error and try again.`,
      "Expected a string at city",
    ]);
  }
});

test("interrupts, commands and the errors of middlewares are no failures of the tool", () => {
  expect(passesThrough(Object.assign(new Error("x"), { is_bubble_up: true }))).toBe(true);
  expect(passesThrough(Object.assign(new Error("x"), { "~brand": "MiddlewareError" }))).toBe(true);
  expect(passesThrough(new Error("x"))).toBe(false);
  expect(passesThrough(undefined)).toBe(false);
});
