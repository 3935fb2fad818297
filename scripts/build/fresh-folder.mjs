// A folder made beside the one it replaces: a build that fails leaves what was there, and one that changes nothing touches nothing.
import { mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import { join, relative } from "node:path";

/** An empty folder for what is to be in the place of `target`. */
export async function freshFolder(target) {
  const fresh = `${target}.fresh`;
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { recursive: true });
  return fresh;
}

/** Puts it there, unless it is the same: the server, which carries such folders, would be compiled again for nothing. */
export async function replaceFolder(target, fresh) {
  if ((await contents(fresh)) === (await contents(target))) return rm(fresh, { recursive: true });
  await rm(target, { recursive: true, force: true });
  await rename(fresh, target);
}

/** All files of a folder with their texts, as one text. */
async function contents(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = await Promise.all(files.sort().map((file) => readFile(file, "utf8")));
  return JSON.stringify(files.map((file, index) => [relative(folder, file), texts[index]]));
}
