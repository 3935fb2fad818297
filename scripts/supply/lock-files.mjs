// The lock files of npm in this repository.
import { run } from "../processes.mjs";
import { root } from "../setup.mjs";

/** Their paths in the repository, in order. */
export async function lockFiles() {
  const listed = await run("git", ["ls-files", "*package-lock.json"], { cwd: root, minutes: 1 });
  return listed.trim().split("\n").sort();
}
