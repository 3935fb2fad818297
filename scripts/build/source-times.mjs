// Lets cargo recognise unchanged sources in a fresh clone. Cargo compares times of modification, and a clone has new ones.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { run } from "../processes.mjs";
import { root, targetFolder } from "../setup.mjs";

/** .ci/run sets it. It is right only for a target folder in which every build is preceded by `restoreSourceTimes`. */
const isEnabled = process.env.FLAGSERVICE_RESTORE_TIMES === "1";

/** What a build makes and the server embeds. */
const EMBEDDED = ["dist/admin", "dist/docs", "dist/no-wasm-core", "dist/notices"];

/**
 * Gives each source file whose content is that of the last build in this target folder the time that it had then, and records
 * all of them for the next build. A file with other content keeps its new time, so cargo compiles it.
 */
export async function restoreSourceTimes() {
  if (!isEnabled) return;
  const record = join(await targetFolder(), "source-times.json");
  const before = JSON.parse(await readFile(record, "utf8").catch(() => "{}"));
  // At the start of a run there is no dist/ yet.
  const now = Object.fromEntries(
    Object.entries(before).filter(([file]) => isEmbedded(file) && !existsSync(join(root, file))),
  );
  for (const file of await sources()) {
    const [hash, time] = await contentAndTime(file);
    const known = before[file]?.hash === hash;
    if (known) await utimes(join(root, file), before[file].time, before[file].time);
    now[file] = { hash, time: known ? before[file].time : time };
  }
  await mkdir(dirname(record), { recursive: true });
  await writeFile(record, JSON.stringify(now));
}

/** Tracked files and what the server embeds, with the latter's folders: cargo looks at their times too. */
async function sources() {
  const tracked = (await run("git", ["ls-files", "-z"], { cwd: root })).split("\0").filter(Boolean);
  const embedded = await Promise.all(EMBEDDED.map(withContents));
  return [...tracked.filter((file) => existsSync(join(root, file))), ...embedded.flat()];
}

function isEmbedded(file) {
  return EMBEDDED.some((folder) => file === folder || file.startsWith(`${folder}/`));
}

async function withContents(folder) {
  const names = await readdir(join(root, folder), { recursive: true }).catch(() => undefined);
  return names === undefined ? [] : [folder, ...names.map((name) => join(folder, name))];
}

/** The hash of a file's content, or of a folder's list of names; and the time of modification in seconds. */
async function contentAndTime(file) {
  const path = join(root, file);
  const status = await stat(path);
  const content = status.isDirectory() ? (await readdir(path)).sort().join("\n") : await readFile(path);
  return [createHash("sha256").update(content).digest("hex"), status.mtimeMs / 1000];
}
