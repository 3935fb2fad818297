// The Node package: one CommonJS module, the rules as wasm beside it, an ES module that re-exports it, types and licences.
import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { step } from "../progress.mjs";
import { root } from "../setup.mjs";
import { recordBundled } from "../supply/bundled.mjs";
import { containedCrates, TARGETS } from "../supply/crates.mjs";
import { crateEntries, NOTICES, notices, packageEntries } from "../supply/notices.mjs";
import { freshFolder, replaceFolder } from "./fresh-folder.mjs";

const NAME = "flagservice-node-sdk";

/**
 * The ES module re-exports the CommonJS module, so that a process has only one instance of the wasm. For Node its default is
 * `module.exports`, for Rollup and Vite `module.exports.default`, which is FlagService.
 */
const ES_MODULE = `import sdk from "./index.cjs";
export const { anonymousCookie, anonymousId, init, newAnonymousId } = sdk;
export const FlagService = sdk.FlagService ?? sdk;
export default FlagService;
`;

/** Puts the wasm into a script of its own. Bundlers include a required script, but not a file that is read at run time. */
const separateWasm = {
  name: "separate-wasm",
  setup(build) {
    build.onLoad({ filter: /flagservice_node\.cjs$/ }, async ({ path }) => {
      const glue = await readFile(path, "utf8");
      const reading = /^const wasmPath = .*\n(const wasmBytes = )require\(.*$/m;
      if (!reading.test(glue))
        throw new Error("wasm-bindgen's generated code has changed: update separateWasm in node-package.mjs.");
      return { contents: glue.replace(reading, '$1require("./rules-wasm.cjs");') };
    });
    build.onResolve({ filter: /rules-wasm\.cjs$/ }, () => ({ path: "./rules-wasm.cjs", external: true }));
  },
};

/** Writes dist/flagservice-node-sdk: exactly what is published. */
export async function bundleNodePackage(wasm) {
  await step(`${NAME}: bundle`, async () => {
    const folder = join(root, "dist", NAME);
    const fresh = await freshFolder(folder);
    await cp(join(root, "pkg-template", NAME), fresh, { recursive: true });
    await cp(join(root, "LICENSE"), join(fresh, "LICENSE"));
    const dist = join(fresh, "dist");
    const { metafile } = await build({
      entryPoints: [join(root, "js", "node", "index.ts")],
      outfile: join(dist, "index.cjs"),
      ...{ bundle: true, platform: "node", format: "cjs", target: "node20", charset: "ascii" },
      ...{ legalComments: "none", logLevel: "warning", plugins: [separateWasm] },
      ...{ metafile: true, absWorkingDir: root },
    });
    const { version } = JSON.parse(await readFile(join(fresh, "package.json"), "utf8"));
    const crates = await crateEntries(await containedCrates("flagservice-node", TARGETS.wasm));
    const packages = await packageEntries(await recordBundled(NAME, [metafile]));
    await writeFile(join(dist, NOTICES), notices(`${NAME} ${version}`, [...crates, ...packages]));
    await writeFile(join(dist, "index.mjs"), ES_MODULE);
    const text = (await readFile(wasm)).toString("base64");
    await writeFile(join(dist, "rules-wasm.cjs"), `module.exports = Buffer.from("${text}", "base64");\n`);
    const types = await readFile(join(root, "js", "node", "public.d.ts"), "utf8");
    for (const name of ["index.d.ts", "index.d.cts"]) {
      await writeFile(join(dist, name), types.replace(/^.*\bbiome-ignore\b.*\n/gm, ""));
    }
    await replaceFolder(folder, fresh);
  });
}
