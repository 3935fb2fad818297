// Builds the server: alone for the demo, or with everything that the tests use.
import { run } from "../processes.mjs";
import { root } from "../setup.mjs";

/** The server without optimisation, as `cargo build` makes it. FLAGSERVICE_BUILD=tests builds what the tests use instead. */
export function buildServer(note) {
  if (process.env.FLAGSERVICE_BUILD === "tests") return buildForTests(note);
  return run("cargo", ["build", "-p", "flagservice-server"], { cwd: root, note });
}

/**
 * All programs with the profile and the features of `cargo test --workspace`: neither this build nor the tests compile anything that
 * the other has compiled.
 */
export function buildForTests(note) {
  const args = ["build", "--profile", "test", "--workspace", "--bins", "--examples"];
  return run("cargo", args, { cwd: root, note });
}
