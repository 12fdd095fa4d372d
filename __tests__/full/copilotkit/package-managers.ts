import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { run } from "../scratch";

/** A package manager that puts this package in the place of the official adapter. */
export interface PackageManager {
  name: string;
  /** Installs what the folder's `package.json` names, with `tarball` as `@ag-ui/langgraph`. */
  install(folder: string, tarball: string): Promise<void>;
}

/**
 * The npm of this machine. It cannot install CopilotKit's runtime without `--legacy-peer-deps`, with or without an
 * override. The path is absolute, since npm reads a relative one from the package that it overrides once there is a
 * lock file.
 */
export const npm: PackageManager = {
  name: "npm",
  async install(folder, tarball) {
    await changeManifest(folder, { overrides: { "@ag-ui/langgraph": `file:${tarball}` } });
    const flags = ["--legacy-peer-deps", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"];
    await run("npm", ["install", ...flags], folder);
  },
};

/** @param tools A folder for the package manager itself and what it caches. */
export function pnpm(version: string, tools: string): PackageManager {
  return {
    name: `pnpm ${version}`,
    async install(folder, tarball) {
      const settings = [
        "overrides:",
        `  '@ag-ui/langgraph': 'file:${tarball}'`,
        "autoInstallPeers: false",
        `storeDir: ${join(tools, "pnpm-store")}`,
      ];
      await writeFile(join(folder, "pnpm-workspace.yaml"), settings.join("\n"));
      const command = await fetched(`pnpm@${version}`, "pnpm", tools);
      await run(command, ["install", "--ignore-scripts", "--prefer-offline"], folder);
    },
  };
}

/** @param tools A folder for the package manager itself and what it caches. */
export function yarn(version: string, tools: string): PackageManager {
  return {
    name: `yarn ${version}`,
    async install(folder, tarball) {
      await changeManifest(folder, { resolutions: { "@ag-ui/langgraph": `file:${tarball}` } });
      if (version === "1") {
        const command = await fetched("yarn@1", "yarn", tools);
        const flags = ["--ignore-scripts", "--ignore-engines", "--non-interactive"];
        await run(command, ["install", ...flags, "--cache-folder", join(tools, "yarn-1")], folder);
        return;
      }
      const settings = [
        "nodeLinker: node-modules",
        "enableScripts: false",
        "enableTelemetry: false",
        `globalFolder: ${join(tools, "yarn")}`,
        // the one setting that it does not take from npm
        `npmRegistryServer: ${(await run("npm", ["config", "get", "registry"], folder)).trim()}`,
      ];
      await writeFile(join(folder, ".yarnrc.yml"), settings.join("\n"));
      await writeFile(join(folder, "yarn.lock"), "");
      const command = await fetched(`@yarnpkg/cli-dist@${version}`, "yarn", tools);
      await run(command, ["install", "--no-immutable"], folder);
    },
  };
}

async function changeManifest(folder: string, fields: object): Promise<void> {
  const file = join(folder, "package.json");
  const { overrides: _, ...manifest } = JSON.parse(await readFile(file, "utf8"));
  await writeFile(file, JSON.stringify({ ...manifest, ...fields }));
}

/** The command of a package manager that npm fetches into a folder of its own. */
async function fetched(specifier: string, command: string, tools: string): Promise<string> {
  const prefix = join(tools, specifier.replaceAll("/", "-"));
  await mkdir(prefix, { recursive: true });
  await writeFile(join(prefix, "package.json"), "{}");
  await run("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline", specifier], prefix);
  return join(prefix, "node_modules/.bin", command);
}
