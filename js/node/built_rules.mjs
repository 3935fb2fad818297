// The rules for Node as the build leaves them, for tests.
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository's folder. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** What `load` gives for a file that a command makes; without the file the error names the command. */
export function made(file, command, load) {
  try {
    return load(file);
  } catch (error) {
    throw new Error(`${file} cannot be loaded (${error.code ?? error.message}). Make it first: ${command}`);
  }
}

export const { Ruleset, validate } = made(
  join(root, "dist", ".work", "node", "flagservice_node.cjs"),
  "node scripts/build-node.mjs",
  createRequire(import.meta.url),
);
