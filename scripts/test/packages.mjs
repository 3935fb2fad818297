// Checks of the packages as npm publishes them: publint for their manifests, attw for their types.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureNodeModules, root } from "../setup.mjs";
import { checks, command } from "./results.mjs";

const TOOLS = join(root, "tests", "packaging");
const CLIENT = "flagservice-client";
const PACKAGES = [
  ...[CLIENT, "react-flagservice-client", "flagservice-node-sdk"],
  ...["flagservice-openfeature-web", "flagservice-openfeature-server"],
];
/** Entries that are ES modules or scripts and nothing else: files for browsers need no CommonJS. The wasm has no types. */
const MODULES_ONLY = ["wasm", "script", "script/no-wasm"];

export function packageChecks() {
  return async (note) => {
    await ensureNodeModules(TOOLS);
    const folder = await mkdtemp(join(tmpdir(), "flagservice-packages-"));
    try {
      const tarballs = await pack(folder, note);
      const check = (name, ...args) => command(join(TOOLS, "node_modules", ".bin", name), args, { note });
      const attw = (name, ...args) => check("attw", tarballs.get(name), ...args);
      return await checks(
        ...PACKAGES.map((name) => () => check("publint", "--strict", tarballs.get(name))),
        ...PACKAGES.filter((name) => name !== CLIENT).map((name) => () => attw(name)),
        () => attw(CLIENT, "--exclude-entrypoints", ...MODULES_ONLY, "core.wasm"),
        () => attw(CLIENT, "--profile", "esm-only", "--entrypoints", ...MODULES_ONLY),
      )(note);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
}

/** Packs all packages into the folder, once: a tool that packs for itself writes into `dist`, which other steps are packing. */
async function pack(folder, note) {
  const sources = PACKAGES.map((name) => join(root, "dist", name));
  const output = await command("npm", ["pack", "--json", "--silent", "--pack-destination", folder, ...sources], {
    note,
  });
  return new Map(JSON.parse(output).map(({ name, filename }) => [name, join(folder, filename)]));
}
