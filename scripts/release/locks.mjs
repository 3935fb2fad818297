// Whether the lock files are those of the last commit, and complete.
import { run } from "../processes.mjs";
import { root } from "../setup.mjs";

/** One sentence for each lock file that differs from the last commit, if `committed`, and if cargo would change Cargo.lock. */
export async function lockViolations({ committed }) {
  const found = committed ? await changedFiles() : [];
  try {
    await run("cargo", ["metadata", "--locked", "--format-version", "1", "--quiet"], { cwd: root, minutes: 2 });
  } catch (error) {
    found.push(`Cargo.lock is not that of the manifests: ${error.output.trim().split("\n").at(-1)}`);
  }
  return found;
}

async function changedFiles() {
  const patterns = ["*package-lock.json", "Cargo.lock"];
  const changed = await run("git", ["status", "--porcelain", "--", ...patterns], { cwd: root, minutes: 1 });
  const lines = changed.split("\n").filter(Boolean);
  return lines.map((line) => `${line.slice(3)} differs from the last commit. Commit it, or restore it.`);
}
