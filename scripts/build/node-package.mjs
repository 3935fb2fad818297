// Bundles the Node SDK: a CommonJS module, the rules as wasm in a separate script, an ES module that re-exports it, and types.
import { cp, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { step } from "../progress.mjs";
import { root } from "../setup.mjs";

const NAME = "flagservice-node-sdk";
const EXPORTS = ["FlagService", "anonymousCookie", "anonymousId", "init", "newAnonymousId"];

/** Both module formats share one library and therefore one instance of the wasm. */
const IMPORTED = `import sdk from "./index.cjs";
export const { ${EXPORTS.join(", ")} } = sdk;
export default FlagService;
`;

/** Puts the wasm into a separate script, because bundlers include scripts but not files that are read from disk. */
const wasmApart = {
  name: "wasm-apart",
  setup(build) {
    build.onLoad({ filter: /flagservice_node\.cjs$/ }, async ({ path }) => {
      const glue = await readFile(path, "utf8");
      const reading = /^const wasmPath = .*\n(const wasmBytes = )require\(.*$/m;
      if (!reading.test(glue))
        throw new Error("wasm-bindgen's code to read the wasm has changed: update scripts/build/node-package.mjs.");
      return { contents: glue.replace(reading, '$1require("./rules-wasm.cjs");') };
    });
    build.onResolve({ filter: /rules-wasm\.cjs$/ }, () => ({ path: "./rules-wasm.cjs", external: true }));
  },
};

/** Fills dist/flagservice-node-sdk with exactly the published files. */
export async function bundleNodePackage(wasm) {
  await step(`${NAME}: bundle`, async () => {
    const folder = join(root, "dist", NAME);
    // Built in a new folder and moved, so that the folder is always complete.
    const fresh = `${folder}.fresh`;
    await rm(fresh, { recursive: true, force: true });
    await mkdir(fresh, { recursive: true });
    await cp(join(root, "pkg-template", NAME), fresh, { recursive: true });
    await cp(join(root, "LICENSE"), join(fresh, "LICENSE"));
    const dist = join(fresh, "dist");
    await build({
      entryPoints: [join(root, "js", "node", "index.ts")],
      outfile: join(dist, "index.cjs"),
      ...{ bundle: true, platform: "node", format: "cjs", target: "node20", charset: "ascii" },
      ...{ legalComments: "none", logLevel: "warning", plugins: [wasmApart] },
    });
    await writeFile(join(dist, "index.mjs"), IMPORTED);
    const text = (await readFile(wasm)).toString("base64");
    await writeFile(join(dist, "rules-wasm.cjs"), `module.exports = Buffer.from("${text}", "base64");\n`);
    const types = await readFile(join(root, "js", "node", "public.d.ts"), "utf8");
    for (const name of ["index.d.ts", "index.d.cts"]) {
      await writeFile(join(dist, name), types.replace(/^.*\bbiome-ignore\b.*\n/gm, ""));
    }
    await rm(folder, { recursive: true, force: true });
    await rename(fresh, folder);
  });
}
