// wasm-opt: small code, and short names between wasm and glue.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { run } from "../processes.mjs";
import { root } from "../setup.mjs";

/** What every browser of the README's table understands. */
const FEATURES = [
  "--enable-reference-types",
  "--enable-bulk-memory",
  "--enable-sign-ext",
  "--enable-mutable-globals",
  "--enable-nontrapping-float-to-int",
  "--enable-multivalue",
];
/** The lowest kilobyte is the last that the stack would reach. */
const PASSES = ["--low-memory-unused", "--flatten", "--rereloop", "-Oz", "-Oz", "--converge"];
const STRIPS = ["--strip-debug", "--strip-producers", "--strip-target-features"];

/** The wasm made small, and its names: imports by module, exports, each old name with its new one. */
export async function optimise(wasm, folder) {
  const file = join(folder, "optimised.wasm");
  await writeFile(file, wasm);
  await wasmOpt([...FEATURES, ...PASSES, ...STRIPS, file, "-o", file]);
  const output = await wasmOpt([...FEATURES, "--minify-imports-and-exports-and-modules", file, "-o", file]);
  return { optimised: await readFile(file), names: JSON.parse(output.slice(output.indexOf("{"))) };
}

function wasmOpt(args) {
  return run(process.execPath, [join(root, "node_modules", "binaryen", "bin", "wasm-opt"), ...args], { cwd: root });
}
