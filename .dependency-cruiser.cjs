/** The rooms of docs/architecture.md: data flows one way, no room reaches back. */
const room = (name, mayImport) => ({
  name: `${name}-reaches-only-below`,
  severity: "error",
  from: { path: `^src/${name}/` },
  to: {
    path: "^src/",
    pathNot: [
      `^src/${name}/`,
      "^src/(types|logger|namespace|thrown)\\.ts$",
      ...mayImport.map((other) => `^src/${other}/`),
    ],
  },
});

module.exports = {
  forbidden: [
    {
      name: "no-cycle",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    room("messages", []),
    room("history", ["messages"]),
    room("run", ["history", "messages"]),
    room("graphs", []),
    room("stream", ["messages"]),
    room("failures", ["messages"]),
    room("middlewares", ["failures", "history", "messages"]),
    room("frontend", []),
    room("doctor", ["graphs", "history", "messages"]),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
  },
};
