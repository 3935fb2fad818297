// One hash of all sources of a build, so that unchanged sources are not built again.
import { createHash } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";

/** A hash of the given files and of all files in the given folders. */
export async function fingerprint(root, names) {
  const hash = createHash("sha256");
  for (const name of names) {
    for (const file of await files(root, name)) {
      hash.update(`${file}\0`);
      hash.update(
        createHash("sha256")
          .update(await readFile(join(root, file)))
          .digest(),
      );
    }
  }
  return hash.digest("hex");
}

async function files(root, name) {
  if ((await stat(join(root, name))).isFile()) return [name];
  const entries = await readdir(join(root, name), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort();
}
