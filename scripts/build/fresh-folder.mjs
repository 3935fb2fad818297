// Builds into a new folder that replaces the old one only on success, and only if the contents differ.
import { mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import { join, relative } from "node:path";

/** An empty folder that will replace `target`. */
export async function freshFolder(target) {
  const fresh = `${target}.fresh`;
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { recursive: true });
  return fresh;
}

/** Replaces `target`, unless the contents are equal: the server embeds such folders and would be recompiled. */
export async function replaceFolder(target, fresh) {
  if ((await contents(fresh)) === (await contents(target))) return rm(fresh, { recursive: true });
  await rm(target, { recursive: true, force: true });
  await rename(fresh, target);
}

/** All files of a folder with their contents, as one string. */
async function contents(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = await Promise.all(files.sort().map((file) => readFile(file, "utf8")));
  return JSON.stringify(files.map((file, index) => [relative(folder, file), texts[index]]));
}
