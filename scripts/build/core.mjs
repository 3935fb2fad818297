// The core, from Rust to what the shell imports: its glue, its wasm as a text, and the same core without wasm.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { run } from "../processes.mjs";
import { step } from "../progress.mjs";
import { ensureWasmBindgen, ensureWasmTarget, root, targetFolder } from "../setup.mjs";
import { blankPanicData } from "./data.mjs";
import { encode } from "./encode.mjs";
import { dropUnusedExports } from "./exports.mjs";
import { joinNames, shorten } from "./glue.mjs";
import { fingerprint } from "./inputs.mjs";
import { silencePanics } from "./panics.mjs";
import { dropFeatures } from "./sections.mjs";
import { lower, optimise, shortenNames, toJavaScript } from "./wasm-opt.mjs";

const TARGET = "wasm32-unknown-unknown";
const CRATE = "flagservice-client";
const NAME = "flagservice_client";

/** Enough for calls that never nest deep; the usual megabyte would be every page's. */
const STACK = "-Clink-arg=-zstack-size=65536";

/** Everything that the core is made of. */
const INPUTS = [
  ...["Cargo.lock", "Cargo.toml", "rust-toolchain.toml", "package-lock.json"],
  ...["src", "crates/core", "scripts/build"],
];

/** Builds the core into a folder, unless that folder holds what these sources make. */
export async function buildCore(folder, { force }) {
  const stamp = join(folder, "made-of");
  const wanted = await fingerprint(root, INPUTS);
  if (!force && (await readFile(stamp, "utf8").catch(() => "")) === wanted) return;
  await mkdir(folder, { recursive: true });
  await ensureWasmTarget();
  const wasmBindgen = await ensureWasmBindgen();
  await withWasm(folder, wasmBindgen);
  await withoutWasm(folder, wasmBindgen);
  await writeFile(stamp, wanted);
}

/** core.js, core.wasm and core-text.js. */
async function withWasm(folder, wasmBindgen) {
  const compiled = await step("browser core: compile", (note) => compile([STACK], "", note));
  const { glue, whole, types } = await step("browser core: glue", () =>
    bind(compiled, join(folder, "wasm"), wasmBindgen),
  );
  await step("browser core: optimise", async () => {
    const small = await optimise(dropUnusedExports(silencePanics(whole), glue), folder);
    const { renamed, names } = await shortenNames(small, folder);
    const wasm = blankPanicData(renamed, whole);
    await writeFile(join(folder, "core.wasm"), wasm);
    await writeFile(join(folder, "core.js"), joinNames(glue, names));
    await writeFile(join(folder, "core.d.ts"), `${types}\n${LOADER_TYPES}`);
    await writeFile(join(folder, "core-text.js"), `export const text = ${JSON.stringify(encode(wasm))};\n`);
    await writeFile(
      join(folder, "core-text.d.ts"),
      `/** The wasm, for js/browser/decode.ts. */\nexport const text: string;\n`,
    );
  });
}

/** no-wasm-core.js: the same core as JavaScript, for hosts that refuse wasm. */
async function withoutWasm(folder, wasmBindgen) {
  // JavaScript has no tables of references: the glue keeps the host's objects in an array of its own.
  const flags = [STACK, "-Ctarget-feature=-reference-types,-multivalue"];
  const compiled = await step("browser core without wasm: compile", (note) => compile(flags, "no-wasm", note));
  await step("browser core without wasm: translate", async () => {
    const plain = join(folder, "plain.wasm");
    await writeFile(plain, dropFeatures(await readFile(compiled)));
    const { glue, whole, types } = await bind(plain, join(folder, "no-wasm"), wasmBindgen);
    const small = await lower(await optimise(dropUnusedExports(silencePanics(whole), glue), folder), folder);
    const { renamed, names } = await shortenNames(small, folder);
    const translated = await toJavaScript(blankPanicData(renamed, whole), folder);
    await writeFile(join(folder, "no-wasm-core.js"), `${joinNames(glue, names)}\n${translated}`);
    await writeFile(join(folder, "no-wasm-core.d.ts"), `${types}\n${LOADER_TYPES}\n${INSTANTIATE_TYPE}`);
  });
}

/** Compiles the core; answers with the path of the wasm. */
async function compile(flags, subfolder, note) {
  const target = join(await targetFolder(), subfolder);
  // As a cdylib alone: cargo leaves link-time optimisation out when an rlib is made in the same go.
  const rustc = ["rustc", "-p", CRATE, "--lib", "--crate-type", "cdylib", "--profile", "wasm", "--target", TARGET];
  rustc.push("--target-dir", target, "--config", `target.${TARGET}.rustflags=${JSON.stringify(flags)}`);
  await run("cargo", rustc, { cwd: root, note });
  return join(target, TARGET, "wasm", `${NAME}.wasm`);
}

/** What wasm-bindgen makes of a wasm: glue, types, and the wasm that they belong to. */
async function bind(wasm, folder, wasmBindgen) {
  await run(wasmBindgen, [wasm, "--target", "bundler", "--out-dir", folder, "--out-name", "core"], { cwd: root });
  return {
    glue: shorten(await readFile(join(folder, "core_bg.js"), "utf8")),
    whole: await readFile(join(folder, "core_bg.wasm")),
    types: await readFile(join(folder, "core.d.ts"), "utf8"),
  };
}

const LOADER_TYPES = `/** What the wasm imports. */
export const imports: WebAssembly.Imports;
/** Brings the classes above to life. */
export function setExports(exports: WebAssembly.Exports): void;
`;
const INSTANTIATE_TYPE = `/** As an instance of the wasm has them. */
export function instantiate(imports: WebAssembly.Imports): WebAssembly.Exports;
`;
