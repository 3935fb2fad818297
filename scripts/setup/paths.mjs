// Where things are: the repository, the cache folder, cargo's target folder.
import { homedir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "../processes.mjs";

/** The repository's folder. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Keeps tools and build results from one clone to the next. FLAGSERVICE_CACHE names another folder. */
export const cache = process.env.FLAGSERVICE_CACHE || join(userCache(), "flagservice");

export const toolsBin = join(cache, "tools", "bin");

/** Environment variables with which the installed tools come first. */
export function toolsEnvironment() {
  return { PATH: `${toolsBin}${delimiter}${process.env.PATH ?? ""}` };
}

let target;

/** Cargo's target folder, wherever a setting has moved it. */
export function targetFolder() {
  target ??= findTargetFolder();
  return target;
}

async function findTargetFolder() {
  if (process.env.CARGO_TARGET_DIR) return resolve(root, process.env.CARGO_TARGET_DIR);
  const metadata = await run("cargo", ["metadata", "--format-version", "1", "--no-deps", "--quiet"], { cwd: root });
  return JSON.parse(metadata.trim().split("\n").at(-1)).target_directory;
}

function userCache() {
  if (process.env.XDG_CACHE_HOME) return process.env.XDG_CACHE_HOME;
  if (process.platform === "darwin") return join(homedir(), "Library", "Caches");
  if (process.platform === "win32") return process.env.LOCALAPPDATA ?? join(homedir(), "AppData", "Local");
  return join(homedir(), ".cache");
}
