// The core, from Rust to what the shell imports: its glue, its wasm as a text, and the same core without wasm.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { run } from "../processes.mjs";
import { step } from "../progress.mjs";
import { ensureWasmBindgen, root } from "../setup.mjs";
import { cachedBuild } from "./cached-build.mjs";
import { compileWasm } from "./compile-wasm.mjs";
import { blankPanicData } from "./data.mjs";
import { encode } from "./encode.mjs";
import { dropUnusedExports } from "./exports.mjs";
import { joinNames, shorten } from "./glue.mjs";
import { silencePanics } from "./panics.mjs";
import { dropFeatures } from "./sections.mjs";
import { optimise, optimiseForJavaScript, toJavaScript } from "./wasm-opt.mjs";

/**
 * A stack that is enough for calls that never nest deep; the usual megabyte would be every page's. And no references to
 * the host's objects in tables of wasm: the glue keeps them in an array, which weighs less, and JavaScript has no tables.
 */
const FLAGS = ["-Clink-arg=-zstack-size=65536", "-Ctarget-feature=-reference-types,-multivalue"];

/** Everything that the core is made of. */
const INPUTS = [
  ...["Cargo.lock", "Cargo.toml", "rust-toolchain.toml", "package-lock.json"],
  ...["src", "crates/core", "scripts/build", "scripts/supply/source-paths.mjs"],
];

/** Builds the core into a folder, unless its sources have not changed. */
export function buildCore(folder, { force }) {
  return cachedBuild({ name: "core", folder, inputs: INPUTS, force }, build);
}

async function build(folder) {
  const wasmBindgen = await ensureWasmBindgen();
  const { glue, whole, types } = await compile(folder, wasmBindgen);
  await step("browser core: optimise", async () => {
    const used = dropUnusedExports(silencePanics(whole), glue);
    const write = (name, text) => writeFile(join(folder, name), text);
    const made = async (optimised) => {
      const { wasm, names } = await optimised;
      return { wasm: blankPanicData(wasm, whole), joined: joinNames(glue, names) };
    };

    const { wasm, joined } = await made(optimise(used, folder));
    await write("core.wasm", wasm);
    await write("core.js", joined);
    await write("core.d.ts", `${types}\n${LOADER_TYPES}`);
    await write("core-text.js", `export const text = ${JSON.stringify(encode(wasm))};\n`);
    await write("core-text.d.ts", `/** The wasm, for js/browser/decode.ts. */\nexport const text: string;\n`);

    const plain = await made(optimiseForJavaScript(used, folder));
    await write("no-wasm-core.js", `${plain.joined}\n${await toJavaScript(plain.wasm, folder)}`);
    await write("no-wasm-core.d.ts", `${types}\n${LOADER_TYPES}\n${INSTANTIATE_TYPE}`);
  });
}

/** Compiles the core, and has wasm-bindgen make glue, types, and the wasm that they belong to. */
async function compile(folder, wasmBindgen) {
  const compiled = await step("browser core: compile", (note) =>
    compileWasm({ crate: "flagservice-client", profile: "wasm", flags: FLAGS, note }),
  );
  return step("browser core: glue", async () => {
    const wasm = join(folder, "compiled.wasm");
    await writeFile(wasm, dropFeatures(await readFile(compiled)));
    await run(wasmBindgen, [wasm, "--target", "bundler", "--out-dir", folder, "--out-name", "core"], { cwd: root });
    return {
      glue: shorten(await readFile(join(folder, "core_bg.js"), "utf8")),
      whole: await readFile(join(folder, "core_bg.wasm")),
      types: await readFile(join(folder, "core.d.ts"), "utf8"),
    };
  });
}

const LOADER_TYPES = `/** What the wasm imports. */
export const imports: WebAssembly.Imports;
/** Brings the classes above to life. */
export function setExports(exports: WebAssembly.Exports): void;
`;
const INSTANTIATE_TYPE = `/** As an instance of the wasm has them. */
export function instantiate(imports: WebAssembly.Imports): WebAssembly.Exports;
`;
