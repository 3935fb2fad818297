// Builds a folder once for the same sources: a later build, also in another clone, copies it from the cache folder.
import { cp, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { cache, root } from "../setup.mjs";
import { fingerprint } from "./inputs.mjs";

/** Names the sources that the folder was made of. */
const STAMP = "made-of";
const KEPT_DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Fills `folder` by `build()`, unless it already holds what `inputs` make. `name` tells folders of different kinds apart.
 * `force` builds anyway.
 */
export async function cachedBuild({ name, folder, inputs, force = false }, build) {
  const key = await fingerprint(root, inputs);
  const isCurrent = async (folder) => (await readFile(join(folder, STAMP), "utf8").catch(() => "")) === key;
  if (!force && (await isCurrent(folder))) return;
  const builds = join(cache, "built");
  const kept = join(builds, `${name}-${key.slice(0, 16)}`);
  if (!force && (await isCurrent(kept))) {
    await rm(folder, { recursive: true, force: true });
    await cp(kept, folder, { recursive: true });
    await utimes(kept, new Date(), new Date());
    return;
  }
  await build();
  await writeFile(join(folder, STAMP), key);
  await keep(folder, kept);
  await deleteOld(builds);
}

/** Another process may do the same at this moment. The first to rename wins. */
async function keep(folder, kept) {
  const fresh = `${kept}.${process.pid}`;
  await cp(folder, fresh, { recursive: true });
  await rm(kept, { recursive: true, force: true });
  await rename(fresh, kept).catch(() => rm(fresh, { recursive: true, force: true }));
}

async function deleteOld(builds) {
  for (const name of await readdir(builds)) {
    const { mtimeMs } = await stat(join(builds, name));
    if (Date.now() - mtimeMs > KEPT_DAYS * DAY_MS) await rm(join(builds, name), { recursive: true, force: true });
  }
}
