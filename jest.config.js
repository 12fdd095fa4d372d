const swc = [
  "@swc/jest",
  { jsc: { target: "es2022", parser: { syntax: "typescript" } }, module: { type: "commonjs" } },
];

const ours = {
  "^ag-ui-langgraph$": "<rootDir>/src/index.ts",
  "^ag-ui-langgraph/middlewares$": "<rootDir>/src/middlewares/index.ts",
};

const base = {
  testEnvironment: "node",
  transform: { "\\.[jt]sx?$": swc },
  moduleNameMapper: ours,
  modulePathIgnorePatterns: ["<rootDir>/dist/"],
  // The slow suites of jest.full.config.js.
  testPathIgnorePatterns: ["/node_modules/", "<rootDir>/__tests__/full/"],
};

/** The rooms that meet the client run on both of its versions; the pure ones once. */
const meetsTheClient = [
  "<rootDir>/__tests__/{agent,stream,e2e}/**/*.test.ts",
  "<rootDir>/__tests__/examples/plays.test.ts",
];

/** @type {import("jest").Config} */
module.exports = {
  // A loaded machine and the first call of a server's worker take their time; nothing is measured by it.
  testTimeout: 60_000,
  // The end-to-end tests wait for servers more than they compute, so a core to spare would be idle.
  maxWorkers: "100%",
  projects: [
    { ...base, displayName: "client-1.0", testMatch: ["<rootDir>/__tests__/**/*.test.ts"] },
    {
      ...base,
      displayName: "client-0.0.59",
      testMatch: meetsTheClient,
      moduleNameMapper: {
        ...ours,
        "^@ag-ui/client$": "<rootDir>/node_modules/@ag-ui/client-0.0.59",
        "^@ag-ui/core$": "<rootDir>/node_modules/@ag-ui/client-0.0.59/node_modules/@ag-ui/core",
      },
    },
  ],
};
