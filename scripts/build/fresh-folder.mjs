// Builds into a new folder that replaces the old one only on success, and only if the contents differ. Builds may run side by side.
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";

/** An empty folder that will replace `target`. Only this process uses it. */
export async function freshFolder(target) {
  await deleteRemains(target);
  const fresh = `${target}.fresh-${process.pid}`;
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { recursive: true });
  return fresh;
}

/**
 * Replaces `target`, unless the contents are equal: the server embeds such folders and would be recompiled, and running tests may be
 * reading them.
 */
export async function replaceFolder(target, fresh) {
  if ((await contents(fresh)) === (await contents(target))) return rm(fresh, { recursive: true });
  // Renamed and then deleted, so that no reader sees it half deleted.
  const old = `${target}.old-${process.pid}`;
  await rename(target, old).catch(ignore("ENOENT"));
  await rename(fresh, target).catch(ignore("ENOTEMPTY"));
  await rm(old, { recursive: true, force: true });
  // Otherwise another build has just put its own there.
  if (existsSync(fresh)) await replaceFolder(target, fresh);
}

/** Ignores an error with this code. */
function ignore(code) {
  return (error) => {
    if (error.code !== code) throw error;
  };
}

/** All files of a folder with their contents, as one string. */
async function contents(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  // In UTF-8, different bytes of wasm or a picture can become the same text.
  const texts = await Promise.all(files.sort().map((file) => readFile(file, "latin1").catch(() => undefined)));
  return JSON.stringify(files.map((file, index) => [relative(folder, file), texts[index]]));
}

/** Deletes what killed builds of `target` have left. */
async function deleteRemains(target) {
  const folder = dirname(target);
  for (const name of await readdir(folder).catch(() => [])) {
    const pid = name.startsWith(`${basename(target)}.`) && name.match(/\.(?:fresh|old)-(\d+)$/)?.[1];
    if (pid && !isRunning(Number(pid))) await rm(join(folder, name), { recursive: true, force: true });
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user.
    return error.code === "EPERM";
  }
}
