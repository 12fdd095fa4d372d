import { describeRunError } from "../../src/failures/run-error";
import { errorRow } from "../../src/graphs/error-row";

class OrderError extends Error {
  override name = "OrderError";
  code = "E_ORDER";
}

describe("describeRunError", () => {
  it("tells an error's own message, and its code, also where it was wrapped", () => {
    expect(describeRunError(new OrderError("refused"))).toEqual({ message: "refused", code: "E_ORDER" });
    const wrapped = new Error("refused", { cause: new OrderError("refused") });
    expect(describeRunError(wrapped)).toEqual({ message: "refused", code: "E_ORDER" });
  });

  it("tells LangGraph's own errors by their codes where a server sends only the name", () => {
    const row = { error: "GraphRecursionError", message: "Recursion limit of 3 reached" };
    expect(describeRunError(row).code).toBe("GRAPH_RECURSION_LIMIT");
  });

  it("takes the quotes off a text that a server writes as JSON", () => {
    expect(describeRunError({ error: "Error", message: '"a bare string"' }).message).toBe("a bare string");
  });

  it("tells no more than the message of an object that was thrown", () => {
    const secret = { headers: { authorization: "Bearer secret" } };
    const told = (message: unknown) =>
      describeRunError({ error: "Error", message: JSON.stringify(message) }).message;
    expect(told(secret)).toBe("The graph threw an object without a message");
    expect(told({ ...secret, message: "refused" })).toBe("refused");
    expect(told({ ...secret, error: { message: "refused" } })).toBe("refused");
    expect(told([secret])).toBe("The graph threw an object without a message");
  });

  it.each([
    ["a list", [{ authorization: "Bearer secret" }]],
    ["an object with a name and no message", { name: "HttpError", headers: "Bearer secret" }],
    ["a function", () => "Bearer secret"],
  ])("tells nothing of what is in %s that a graph in this process threw", (_what, thrown) => {
    expect(JSON.stringify(describeRunError(errorRow(thrown).data))).not.toContain("secret");
  });

  it("cuts a code as it cuts a message", () => {
    expect(describeRunError({ message: "m", code: "x".repeat(10_000_000) }).code).toHaveLength(201);
    expect(describeRunError({ message: "m", code: "https://user:pw@host/x?key=1" }).code).toBe(
      "https://host/x",
    );
  });

  it("leaves out stacks and what is secret in an address, and what nobody reads", () => {
    expect(describeRunError(new Error("inner\n    at work (/srv/app/a.js:1:2)")).message).toBe("inner");
    const url = "request to https://user:pw@host/x?api_key=1 failed";
    expect(describeRunError(new Error(url)).message).toBe("request to https://host/x failed");
    expect(describeRunError(new Error("x".repeat(10_000_000))).message).toHaveLength(2001);
  });

  const hostile = {
    get message() {
      throw new Error("no");
    },
  };
  it.each([
    ["undefined", undefined],
    ["null", null],
    ["an empty text", ""],
    ["an empty object", {}],
    ["a number", 7],
    ["an object whose message throws", hostile],
    ["an error without a message", new Error("")],
  ])("says something of %s", (_what, thrown) => {
    expect(describeRunError(thrown).message).toMatch(/\w/);
  });
});
