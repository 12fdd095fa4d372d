import { defineConfig } from "tsup";

const library = { index: "src/index.ts", "middlewares/index": "src/middlewares/index.ts" };

export default defineConfig({
  entry: {
    ...library,
    "doctor/cli": "src/doctor/cli.ts",
  },
  format: ["cjs", "esm"],
  dts: { entry: library },
  clean: true,
  splitting: true,
  target: "node20",
});
