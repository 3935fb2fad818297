// Runs binaryen's tools: optimise, shorten the names between wasm and glue, and translate wasm to JavaScript.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { run } from "../processes.mjs";
import { root } from "../setup.mjs";

/** The wasm features that all supported browsers have. */
const FEATURES = [
  "--enable-reference-types",
  "--enable-bulk-memory",
  "--enable-sign-ext",
  "--enable-mutable-globals",
  "--enable-nontrapping-float-to-int",
  "--enable-multivalue",
];

/** Low memory is unused, because the stack would reach the lowest kilobyte last. */
const PASSES = ["--low-memory-unused", "--flatten", "--rereloop", "-Oz", "-Oz", "--converge"];
/** Once more, because names and numbers change: functions that are called often get small numbers. */
const SHORTEN = ["--low-memory-unused", "-Oz", "--minify-imports-and-exports-and-modules", "--reorder-functions"];
const STRIPS = ["--strip-debug", "--strip-producers", "--strip-target-features"];

/** Removes instructions that wasm2js does not support. */
const LOWERINGS = [
  "--llvm-memory-copy-fill-lowering",
  "--llvm-nontrapping-fptoint-lowering",
  "--signext-lowering",
  "-Oz",
];

/** Optimises the wasm for size. Its imports and exports get short names; `names` maps the old ones to them. */
export function optimise(wasm, folder) {
  return shortened(wasm, folder, [...PASSES, ...STRIPS]);
}

/** The same in the first version of the format. */
export function optimiseForJavaScript(wasm, folder) {
  return shortened(wasm, folder, [...PASSES, ...STRIPS, ...LOWERINGS]);
}

/** The optimised wasm with the names of its functions, imports and exports. */
export function optimiseWithNames(wasm, folder) {
  return pass(wasm, folder, [...PASSES, "-g"]);
}

async function shortened(wasm, folder, passes) {
  const optimised = await pass(wasm, folder, passes);
  let output = "";
  const short = await pass(optimised, folder, SHORTEN, (text) => {
    output = text;
  });
  return { wasm: short, names: JSON.parse(output.slice(output.indexOf("{"))) };
}

/** The wasm as a JavaScript module that exports `instantiate`: takes the imports and returns the exports of the wasm. */
export async function toJavaScript(wasm, folder) {
  const file = join(folder, "translated.wasm");
  await writeFile(file, wasm);
  const source = `${file}.js`;
  await tool("wasm2js", ["-Oz", file, "-o", source]);
  const module = await readFile(source, "utf8");
  const body = module
    .replace(/^import .*$/gm, "")
    .replace(/^export var .*$/gm, "")
    .replace(/var retasmFunc = asmFunc\(\{[\s\S]*?\}\);/, "");
  if (/^\s*(import|export)\b|retasmFunc/m.test(body))
    throw new Error("The output of wasm2js has changed: update scripts/build/wasm-opt.mjs.");
  return `${body}\nexport const instantiate = asmFunc;\n`;
}

async function pass(wasm, folder, passes, onOutput = () => {}) {
  const file = join(folder, "pass.wasm");
  await writeFile(file, wasm);
  onOutput(await tool("wasm-opt", [...FEATURES, ...passes, file, "-o", file]));
  return readFile(file);
}

function tool(name, args) {
  return run(process.execPath, [join(root, "node_modules", "binaryen", "bin", name), ...args], { cwd: root });
}
