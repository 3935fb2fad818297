// What comes through cargo and rustup: crates, the wasm target, and command-line tools at pinned versions.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { run } from "../processes.mjs";
import { step } from "../progress.mjs";
import { once } from "./once.mjs";
import { cache, root, toolsBin } from "./paths.mjs";
import { onPath } from "./system.mjs";

const CARGO_AUDITABLE = "0.7.7";
const CARGO_CYCLONEDX = "0.5.9";
const CARGO_DENY = "0.20.2";
const WASM_TARGET = "wasm32-unknown-unknown";

/** The sources of all crates in Cargo.lock, also those for other targets, so that cargo can work offline. */
export const ensureCrates = once(() => run("cargo", ["fetch", "--locked", "--quiet"], { cwd: root }));

/** Rust's standard library for wasm. */
export const ensureWasmTarget = once(async () => {
  const libraries = (await run("rustc", ["--print", "target-libdir", "--target", WASM_TARGET], { cwd: root })).trim();
  if (existsSync(libraries.split("\n").at(-1))) return;
  if (!onPath("rustup")) {
    throw new Error(`Missing: Rust's libraries for ${WASM_TARGET}. Install Rust through rustup (https://rustup.rs).`);
  }
  await step(`Rust libraries for ${WASM_TARGET}`, (note) =>
    run("rustup", ["target", "add", WASM_TARGET], { cwd: root, note }),
  );
});

/** wasm-bindgen's command line and test runner, at exactly the crate's version in Cargo.lock; returns the path of the former. */
export const ensureWasmBindgen = once(async () =>
  cargoTool("wasm-bindgen-cli", "wasm-bindgen", await lockedVersion("wasm-bindgen")),
);

/** cargo-deny, which checks licences, sources, duplicates and advisories of crates. */
export const ensureCargoDeny = once(() => cargoTool("cargo-deny", "cargo-deny", CARGO_DENY));

/** cargo-cyclonedx, which lists the crates of a package as a CycloneDX SBOM. */
export const ensureCargoCyclonedx = once(() => cargoTool("cargo-cyclonedx", "cargo-cyclonedx", CARGO_CYCLONEDX));

/** cargo-auditable, which writes the list of crates into the binary. */
export const ensureCargoAuditable = once(() => cargoTool("cargo-auditable", "cargo-auditable", CARGO_AUDITABLE));

async function lockedVersion(crate) {
  const lock = await readFile(join(root, "Cargo.lock"), "utf8");
  const version = lock.match(new RegExp(`^name = "${crate}"\nversion = "([^"]+)"$`, "m"))?.[1];
  if (!version) throw new Error(`Cargo.lock has no version of ${crate}. Run cargo update -p ${crate}.`);
  return version;
}

async function cargoTool(crate, binary, version) {
  const file = join(toolsBin, process.platform === "win32" ? `${binary}.exe` : binary);
  if (existsSync(file) && (await installedVersion(crate)) === version) return file;
  const args = ["install", "--debug", "--locked", "--version", `=${version}`, "--root", dirname(toolsBin), crate];
  // Unoptimised and without debug information: these tools run for seconds, and so they build in one minute instead of five.
  const env = { CARGO_PROFILE_DEV_DEBUG: "0", CARGO_TARGET_DIR: join(cache, "tools-target") };
  await step(`${crate} ${version}, built once into ${dirname(toolsBin)}`, (note) =>
    run("cargo", args, { cwd: root, env, note }),
  );
  const installed = await installedVersion(crate);
  if (installed !== version) {
    throw new Error(`Cargo has installed ${crate} ${installed} instead of ${version}. Remove ${file} and try again.`);
  }
  return file;
}

/** The version that cargo has recorded. Not every tool prints its own. */
async function installedVersion(crate) {
  const record = await readFile(join(dirname(toolsBin), ".crates.toml"), "utf8").catch(() => "");
  return record.match(new RegExp(`^"${crate} (\\S+) `, "m"))?.[1];
}
