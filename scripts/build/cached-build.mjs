// Builds a folder once for the same sources: a later build, also in another clone, copies it from the cache folder.
import { cp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { cache, root } from "../setup.mjs";
import { freshFolder, replaceFolder } from "./fresh-folder.mjs";
import { fingerprint } from "./inputs.mjs";

/** Names the sources that the folder was made of. */
const STAMP = "made-of";
const KEPT_DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Fills `folder` by `build(fresh)`, unless it already holds what `inputs` make. `name` tells folders of different kinds apart.
 * `force` builds anyway.
 */
export async function cachedBuild({ name, folder, inputs, force = false }, build) {
  const key = await fingerprint(root, inputs);
  const isCurrent = async (folder) => (await readFile(join(folder, STAMP), "utf8").catch(() => "")) === key;
  if (!force && (await isCurrent(folder))) return;
  const builds = join(cache, "built");
  const kept = join(builds, `${name}-${key.slice(0, 16)}`);
  const fresh = await freshFolder(folder);
  if (!force && (await isCurrent(kept))) {
    await cp(kept, fresh, { recursive: true });
    await utimes(kept, new Date(), new Date());
  } else {
    await build(fresh);
    await writeFile(join(fresh, STAMP), key);
    const copy = await freshFolder(kept);
    await cp(fresh, copy, { recursive: true });
    await replaceFolder(kept, copy);
    await deleteOld(builds);
  }
  await replaceFolder(folder, fresh);
}

async function deleteOld(builds) {
  for (const name of await readdir(builds)) {
    const { mtimeMs } = await stat(join(builds, name));
    if (Date.now() - mtimeMs > KEPT_DAYS * DAY_MS) await rm(join(builds, name), { recursive: true, force: true });
  }
}
