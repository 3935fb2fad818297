// A folder in memory for the temporary files of tests: databases, profiles of browsers, projects. Nothing waits for a disk there.

import { rmSync } from "node:fs";
import { access, chmod, mkdtemp, rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { run } from "../processes.mjs";

const MEMORY = "/dev/shm";
/** Installed packages of the examples, and a PostgreSQL cluster, need the most. */
const WANTED_BYTES = 4 * 2 ** 30;

/** Makes the folder and names it in TMPDIR. Where memory is scarce, or no program may run from it, TMPDIR stays as it is. */
export async function prepareScratchFolder() {
  if (!(await hasSpace())) return;
  const folder = await mkdtemp(join(MEMORY, "flagservice-test-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  if (await canExecute(folder)) {
    // PostgreSQL runs as a user of its own.
    await chmod(folder, 0o755);
    process.env.TMPDIR = folder;
  } else await rm(folder, { recursive: true });
}

async function hasSpace() {
  try {
    await access(MEMORY);
    const { bavail, bsize } = await statfs(MEMORY);
    return bavail * bsize >= WANTED_BYTES;
  } catch {
    return false;
  }
}

async function canExecute(folder) {
  const program = join(folder, "true");
  try {
    await writeFile(program, "#!/bin/sh\nexit 0\n", { mode: 0o755 });
    await run(program, []);
    return true;
  } catch {
    return false;
  } finally {
    await rm(program, { force: true });
  }
}
