// Builds the rules for Node into dist/.work/node, the wasm and the JavaScript that loads it, and of them the published package.
import { readFile, rename, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { gzipSync } from "node:zlib";
import { cachedBuild } from "./build/cached-build.mjs";
import { compileWasm } from "./build/compile-wasm.mjs";
import { bundleNodePackage } from "./build/node-package.mjs";
import { run } from "./processes.mjs";
import { script, step } from "./progress.mjs";
import { ensureNodeModules, ensureWasmBindgen, root } from "./setup.mjs";

const HELP = `node scripts/build-node.mjs [--force]

Compiles crates/node to wasm and writes dist/.work/node: flagservice_node.cjs, its types and its wasm, unless that folder holds
what these sources make. Fills dist/flagservice-node-sdk with exactly what is published of the Node SDK.
--force  compiles the wasm even if its sources have not changed
`;

const OUT = join(root, "dist", ".work", "node");
/** Everything that the rules are made of. */
const INPUTS = [
  ...["Cargo.lock", "Cargo.toml", "rust-toolchain.toml", "package-lock.json"],
  ...["crates/core", "crates/rules", "crates/node", "scripts/build-node.mjs"],
  ...["scripts/build/compile-wasm.mjs", "scripts/supply/source-paths.mjs"],
];
const WASM = "flagservice_node_bg.wasm";

async function main([argument]) {
  if (argument !== undefined && argument !== "--force") {
    process.stdout.write(argument === "--help" ? HELP : `build-node takes no argument ${argument}.\n\n${HELP}`);
    process.exitCode = argument === "--help" ? 0 : 2;
    return;
  }
  await ensureNodeModules();
  const force = argument === "--force";
  await cachedBuild({ name: "rules-for-node", folder: OUT, inputs: INPUTS, force }, buildRules);
  const wasm = join(OUT, WASM);
  const { size } = await stat(wasm);
  const zipped = gzipSync(await readFile(wasm), { level: 9 }).length;
  process.stdout.write(`${relative(root, wasm)}: ${size} bytes, ${zipped} gzip\n`);
  await bundleNodePackage(wasm);
}

/** Compiles the rules, and fills the folder by wasm-bindgen and wasm-opt with what the package takes. */
async function buildRules(folder) {
  const wasmBindgen = await ensureWasmBindgen();
  const compiled = await step("rules for Node: compile", (note) =>
    compileWasm({ crate: "flagservice-node", profile: "wasm-node", note }),
  );
  await step("rules for Node: glue", async (note) => {
    await run(wasmBindgen, [compiled, "--target", "nodejs", "--out-dir", folder], { cwd: root, note });
    // It is CommonJS, which .js is not in this repository.
    await rename(join(folder, "flagservice_node.js"), join(folder, "flagservice_node.cjs"));
    await rename(join(folder, "flagservice_node.d.ts"), join(folder, "flagservice_node.d.cts"));
  });
  await step("rules for Node: optimise", (note) => {
    // The strips come last in wasm-opt's work: it reads there which features of wasm it may use.
    const strips = ["--strip-debug", "--strip-producers", "--strip-target-features"];
    const wasmOpt = join(root, "node_modules", "binaryen", "bin", "wasm-opt");
    const wasm = join(folder, WASM);
    return run(process.execPath, [wasmOpt, "-O3", ...strips, wasm, "-o", wasm], { cwd: root, note });
  });
}

script(main);
