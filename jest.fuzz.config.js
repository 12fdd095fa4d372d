const {
  projects: [unit],
} = require("./jest.config");

/**
 * The laws that are property tests, for `npm run test:fuzz`, which says how many cases and from which seed.
 *
 * @type {import("jest").Config}
 */
module.exports = {
  ...unit,
  displayName: "fuzz",
  testMatch: [
    "<rootDir>/__tests__/history/{laws,providers-accept}.test.ts",
    "<rootDir>/__tests__/messages/{tool-result,read-message}.test.ts",
    "<rootDir>/__tests__/stream/{gate,law-3,law-4}.test.ts",
  ],
  setupFiles: ["<rootDir>/scripts/fuzz/setup.ts"],
  testTimeout: 3_600_000,
};
