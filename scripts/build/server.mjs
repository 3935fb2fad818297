// Builds the server: alone for the demo, or with everything that the tests use.
import { run } from "../processes.mjs";
import { root } from "../setup.mjs";

/**
 * The environment in which the tests compile our crates: clippy is the compiler with more lints, so tests and lints are one compilation.
 * A build without it would compile these crates again.
 */
export const LINTED = { RUSTC_WORKSPACE_WRAPPER: "clippy-driver" };

/** The server without optimisation, as `cargo build` makes it. FLAGSERVICE_BUILD=tests builds what the tests use instead. */
export function buildServer(note) {
  if (process.env.FLAGSERVICE_BUILD === "tests") return buildForTests(note);
  return run("cargo", ["build", "-p", "flagservice-server"], { cwd: root, note });
}

/**
 * Everything with the profile and the features of `cargo test --workspace`, tests too: afterwards nobody compiles, and nobody waits for
 * somebody else's compilation.
 */
export function buildForTests(note) {
  return run("cargo", ["build", "--profile", "test", "--workspace", "--all-targets"], { cwd: root, env: LINTED, note });
}

/** Fails if the compiler or clippy warns of anything. Cargo repeats the warnings of earlier builds. */
export async function checkLints(note) {
  const output = await buildForTests(note);
  const first = output.search(/^warning: /m);
  if (first >= 0) throw new Error(output.slice(first));
  return output;
}
