// npm packages at the versions of a package-lock.json.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { link, lstat, mkdir, readdir, readFile, readlink, rename, rm, symlink } from "node:fs/promises";
import { join, relative } from "node:path";
import { run } from "../processes.mjs";
import { step } from "../progress.mjs";
import { once } from "./once.mjs";
import { cache, root } from "./paths.mjs";

/**
 * .ci/run sets it: clones share installed packages, as hard links into the cache folder. Not for a developer's clone, where somebody
 * may edit an installed file.
 */
const isShared = process.env.FLAGSERVICE_SHARE_MODULES === "1";

const installOnce = once(install);

/** The packages that a folder's package-lock.json names, at its versions. */
export function ensureNodeModules(folder = root) {
  return installOnce(folder);
}

async function install(folder) {
  const lock = await readFile(join(folder, "package-lock.json"), "utf8");
  if (await isInstalled(folder, JSON.parse(lock).packages)) return;
  const title = folder === root ? "npm packages" : `npm packages of ${relative(root, folder)}`;
  const modules = join(folder, "node_modules");
  // npm ci would empty the folder that a link leads to.
  if ((await lstat(modules).catch(() => undefined))?.isSymbolicLink()) await rm(modules);
  const key = createHash("sha256")
    .update(`${process.version} ${process.platform} ${process.arch}\n${lock}`)
    .digest("hex");
  const shared = join(cache, "node-modules", key.slice(0, 16));
  await step(title, async (note) => {
    if (isShared && existsSync(shared)) {
      await rm(modules, { recursive: true, force: true });
      return linkTree(shared, modules);
    }
    await run("npm", ["ci", "--no-audit", "--no-fund"], { cwd: folder, note });
    if (isShared) await share(modules, shared);
  });
}

async function isInstalled(folder, wanted) {
  const installed = await installedPackages(folder);
  const versionOf = (name) => installed[name]?.version ?? (wanted[name].optional && wanted[name].version);
  const names = Object.keys(wanted).filter((name) => name !== "");
  return (
    names.every((name) => versionOf(name) === wanted[name].version) &&
    Object.keys(installed).every((name) => name in wanted)
  );
}

async function installedPackages(folder) {
  try {
    return JSON.parse(await readFile(join(folder, "node_modules", ".package-lock.json"), "utf8")).packages;
  } catch {
    return {};
  }
}

/** Keeps installed packages for other clones. If the cache is on another file system, nothing is kept. */
async function share(modules, shared) {
  const fresh = `${shared}.${process.pid}`;
  try {
    await linkTree(modules, fresh);
    await rename(fresh, shared);
  } catch {
    await rm(fresh, { recursive: true, force: true });
  }
}

/** The same folders and symbolic links, with hard links to the files. */
async function linkTree(from, to) {
  await mkdir(to, { recursive: true });
  for (const name of await readdir(from)) {
    const [source, target] = [join(from, name), join(to, name)];
    const entry = await lstat(source);
    if (entry.isDirectory()) await linkTree(source, target);
    else if (entry.isSymbolicLink()) await symlink(await readlink(source), target);
    else await link(source, target);
  }
}
