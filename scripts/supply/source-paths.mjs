// What compilers write into programs instead of the folders of this machine, so that a program is the same wherever it was built.
import { homedir } from "node:os";
import { join } from "node:path";
import { root, targetFolder } from "../setup.mjs";

/** Folder → its name in programs. A later pair wins where both match. */
async function names() {
  const cargo = process.env.CARGO_HOME || join(homedir(), ".cargo");
  return [
    [root, "flagservice"],
    [await targetFolder(), "target"],
    [cargo, "cargo"],
  ];
}

/** For rustc. */
export async function rustFlags() {
  return (await names()).map(([folder, name]) => `--remap-path-prefix=${folder}=${name}`);
}

/** For the C compiler: SQLite, jemalloc and ring are C. */
export async function cFlags() {
  return (await names()).map(([folder, name]) => `-ffile-prefix-map=${folder}=${name}`);
}
