// The package: bundles of the shell with the core inside, beside what stands in pkg-template.
import { cp, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { step } from "../progress.mjs";
import { root } from "../setup.mjs";

/** What the browsers of the README's table understand. */
const TARGET = "es2021";

const SHARED = {
  bundle: true,
  minify: true,
  target: TARGET,
  charset: "ascii",
  sourcemap: "linked",
  sourcesContent: true,
  legalComments: "none",
  // Members whose names begin with an underscore are nobody's but ours.
  mangleProps: /^_[a-zA-Z]/,
  logLevel: "warning",
};

/** Fills a folder with exactly what is published. */
export async function bundlePackage(folder) {
  await step("flagservice-client: bundle", async () => {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    await cp(join(root, "pkg-template", "flagservice-client"), folder, { recursive: true });
    await cp(join(root, "LICENSE"), join(folder, "LICENSE"));
    const dist = join(folder, "dist");
    const entry = (name) => join(root, "js", "browser", "entry", name);
    await build({ ...SHARED, entryPoints: [entry("module.ts")], format: "esm", outfile: join(dist, "index.mjs") });
    await build({ ...SHARED, entryPoints: [entry("module.ts")], format: "cjs", outfile: join(dist, "index.cjs") });
    const scriptTag = join(dist, "flagservice.min.js");
    await build({ ...SHARED, entryPoints: [entry("script-tag.ts")], format: "iife", outfile: scriptTag });
    for (const types of ["index.d.ts", "index.d.cts"]) {
      await cp(join(root, "js", "browser", "public.d.ts"), join(dist, types));
    }
  });
}
