const {
  projects: [unit],
} = require("./jest.config");

/**
 * The slow suites, which install packages from the registry.
 *
 * @type {import("jest").Config}
 */
module.exports = {
  ...unit,
  displayName: "full",
  testMatch: ["<rootDir>/__tests__/full/**/*.test.ts"],
  testPathIgnorePatterns: ["/node_modules/"],
  testTimeout: 300_000,
};
