// The core, from Rust to what the shell imports: its glue, and its wasm as a text.
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
import { optimise } from "./wasm-opt.mjs";

const TARGET = "wasm32-unknown-unknown";
const CRATE = "flagservice-client";
const NAME = "flagservice_client";

/** Everything that the wasm is made of. */
const INPUTS = [
  "Cargo.lock",
  "Cargo.toml",
  "rust-toolchain.toml",
  "package-lock.json",
  "src",
  "crates/core",
  "scripts/build",
];

/** Builds the core into a folder, unless that folder holds what these sources make. */
export async function buildCore(folder, { force }) {
  const stamp = join(folder, "made-of");
  const wanted = await fingerprint(root, INPUTS);
  if (!force && (await readFile(stamp, "utf8").catch(() => "")) === wanted) return;
  await mkdir(folder, { recursive: true });
  await ensureWasmTarget();
  const wasmBindgen = await ensureWasmBindgen();
  // As a cdylib alone: cargo leaves link-time optimisation out when an rlib is made in the same go.
  const rustc = ["rustc", "-p", CRATE, "--lib", "--crate-type", "cdylib", "--profile", "wasm", "--target", TARGET];
  await step("browser core: compile", (note) => run("cargo", rustc, { cwd: root, note }));
  await step("browser core: glue", async (note) => {
    const compiled = join(await targetFolder(), TARGET, "wasm", `${NAME}.wasm`);
    await run(wasmBindgen, [compiled, "--target", "bundler", "--out-dir", folder], { cwd: root, note });
  });
  await step("browser core: optimise", async () => {
    const glue = shorten(await readFile(join(folder, `${NAME}_bg.js`), "utf8"));
    const whole = await readFile(join(folder, `${NAME}_bg.wasm`));
    const { optimised, names } = await optimise(dropUnusedExports(silencePanics(whole), glue), folder);
    const wasm = blankPanicData(optimised, whole);
    const types = await readFile(join(folder, `${NAME}.d.ts`), "utf8");
    await writeFile(join(folder, "core.wasm"), wasm);
    await writeFile(join(folder, "core.js"), joinNames(glue, names));
    await writeFile(join(folder, "core.d.ts"), `${types}\n${LOADER_TYPES}`);
    await writeFile(join(folder, "core-text.js"), `export const text = ${JSON.stringify(encode(wasm))};\n`);
    await writeFile(
      join(folder, "core-text.d.ts"),
      "/** The wasm, for js/browser/decode.ts. */\nexport const text: string;\n",
    );
  });
  await writeFile(stamp, wanted);
}

const LOADER_TYPES = `/** What the wasm imports. */
export const imports: WebAssembly.Imports;
/** Brings the classes above to life. */
export function setExports(exports: WebAssembly.Exports): void;
`;
