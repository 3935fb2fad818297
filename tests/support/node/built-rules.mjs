// The rules for Node as the build made them.
import { createRequire } from "node:module";
import { join } from "node:path";
import { root } from "../../../scripts/setup.mjs";

/** Loads a file that a build command makes; if it is missing, the error names the command. */
export function loadBuilt(file, command, load) {
  try {
    return load(file);
  } catch (error) {
    throw new Error(`${file} cannot be loaded (${error.code ?? error.message}). Run first: ${command}`);
  }
}

export const { Ruleset, validate } = loadBuilt(
  join(root, "dist", ".work", "node", "flagservice_node.cjs"),
  "node scripts/build-node.mjs",
  createRequire(import.meta.url),
);
