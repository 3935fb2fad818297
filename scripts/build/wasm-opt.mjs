// binaryen's tools: small code, short names between wasm and glue, and JavaScript in the place of wasm.
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

/** What JavaScript has no words for. */
const LOWERINGS = ["--llvm-memory-copy-fill-lowering", "--llvm-nontrapping-fptoint-lowering", "--signext-lowering"];

/** The wasm made small. */
export function optimise(wasm, folder) {
  return pass(wasm, folder, [...PASSES, ...STRIPS]);
}

/** The same code with the names of its functions. */
export function optimiseWithNames(wasm, folder) {
  return pass(wasm, folder, [...PASSES, "-g"]);
}

/** The wasm in the first version of its language. */
export function lower(wasm, folder) {
  return pass(wasm, folder, [...LOWERINGS, "-Oz"]);
}

/** The wasm under short names, and each name of its imports (by module) and exports with its new one. */
export async function shortenNames(wasm, folder) {
  let output = "";
  const renamed = await pass(wasm, folder, ["--minify-imports-and-exports-and-modules"], (said) => {
    output = said;
  });
  return { renamed, names: JSON.parse(output.slice(output.indexOf("{"))) };
}

/** The wasm as JavaScript with one export, `instantiate`, which takes imports and returns exports as a wasm instance has them. */
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
  if (/^\s*(import|export)\b|retasmFunc/m.test(body)) throw new Error("wasm2js writes its module in another way now.");
  return `${body}\nexport const instantiate = asmFunc;\n`;
}

async function pass(wasm, folder, passes, hear = () => {}) {
  const file = join(folder, "pass.wasm");
  await writeFile(file, wasm);
  hear(await tool("wasm-opt", [...FEATURES, ...passes, file, "-o", file]));
  return readFile(file);
}

function tool(name, args) {
  return run(process.execPath, [join(root, "node_modules", "binaryen", "bin", name), ...args], { cwd: root });
}
