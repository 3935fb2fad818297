// The shell for the headless tests of the core, which have the core's own names and no package around it.
import { join } from "node:path";
import { build } from "esbuild";
import { root } from "../setup.mjs";

/** Writes the module that `tests/page/mod.rs` imports. */
export async function bundleHeadlessShell() {
  await build({
    entryPoints: [join(root, "js", "browser", "shell.ts")],
    outfile: join(root, "dist", ".work", "headless", "shell.js"),
    bundle: true,
    format: "esm",
    target: "es2021",
    logLevel: "warning",
  });
}
