// The Node package: one CommonJS module with the rules as wasm beside it, a module that gives the same to importers, and types.
import { cp, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { step } from "../progress.mjs";
import { root } from "../setup.mjs";

const NAME = "flagservice-node-sdk";
const EXPORTS = ["FlagService", "anonymousCookie", "anonymousId", "init", "newAnonymousId"];

/** Both kinds of module share one client library, and so one instance of the wasm. */
const IMPORTED = `import sdk from "./index.cjs";
export const { ${EXPORTS.join(", ")} } = sdk;
export default FlagService;
`;

/** The wasm comes as a script of its own: bundlers take it along, which they do not with a file that is read. */
const wasmApart = {
  name: "wasm-apart",
  setup(build) {
    build.onLoad({ filter: /flagservice_node\.cjs$/ }, async ({ path }) => {
      const glue = await readFile(path, "utf8");
      const reading = /^const wasmPath = .*\n(const wasmBytes = )require\(.*$/m;
      if (!reading.test(glue))
        throw new Error("wasm-bindgen reads the wasm otherwise than it did: see node-package.mjs.");
      return { contents: glue.replace(reading, '$1require("./rules-wasm.cjs");') };
    });
    build.onResolve({ filter: /rules-wasm\.cjs$/ }, () => ({ path: "./rules-wasm.cjs", external: true }));
  },
};

/** Fills dist/flagservice-node-sdk with exactly what is published. */
export async function bundleNodePackage(wasm) {
  await step(`${NAME}: bundle`, async () => {
    const folder = join(root, "dist", NAME);
    // Made beside it and moved: whoever reads the folder meanwhile finds all of it.
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
