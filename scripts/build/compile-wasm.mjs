// Compiles a crate to wasm, in the same way whatever the environment says about incremental compilation.
import { join } from "node:path";
import { run } from "../processes.mjs";
import { ensureWasmTarget, root, targetFolder } from "../setup.mjs";
import { rustFlags } from "../supply/source-paths.mjs";

const TARGET = "wasm32-unknown-unknown";

/** Compiles the library of a workspace crate, and returns the path of its wasm. `flags` are further flags of rustc. */
export async function compileWasm({ crate, profile, flags = [], note }) {
  await ensureWasmTarget();
  const folder = await targetFolder();
  const allFlags = [...flags, ...(await rustFlags())];
  // As a cdylib alone: cargo leaves link-time optimisation out when an rlib is made in the same go.
  const args = ["rustc", "-p", crate, "--lib", "--crate-type", "cdylib", "--profile", profile, "--target", TARGET];
  args.push("--target-dir", folder, "--config", `target.${TARGET}.rustflags=${JSON.stringify(allFlags)}`);
  // Incremental compilation splits a crate into many units: the browser client gets 43 bytes (gzip) larger.
  const env = { ...process.env, CARGO_INCREMENTAL: "0" };
  await run("cargo", args, { cwd: root, env, note });
  return join(folder, TARGET, profile, `${crate.replaceAll("-", "_")}.wasm`);
}
