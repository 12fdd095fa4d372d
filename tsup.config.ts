import { defineConfig } from "tsup";

export default defineConfig({
  entry: { index: "src/index.ts", "middlewares/index": "src/middlewares/index.ts" },
  format: ["cjs", "esm"],
  dts: true,
  clean: true,
  splitting: true,
  target: "node20",
});
