// Builds what the demo serves: the browser packages, the administration pages, the documentation and the licence notices.
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fingerprint } from "../build/inputs.mjs";
import { run } from "../processes.mjs";
import { step } from "../progress.mjs";
import { root } from "../setup.mjs";

/** In this order: the notices name what the others contain. */
const BUILDS = {
  "browser packages": "scripts/build.mjs",
  "administration pages": "scripts/build-admin.mjs",
  documentation: "scripts/build-docs.mjs",
  "licence notices": "scripts/build-notices.mjs",
};
const FOLDERS = ["flagservice-client", "react-flagservice-client", "no-wasm-core", "admin", "docs", "notices"];
/** Names the sources of the last builds, and the folders that they made. */
const STAMP = join(root, "dist", ".work", "demo", "made-of");

/** Builds, unless the last builds had the same sources and nobody has built since: a second start takes no time for it. */
export async function buildPages() {
  const sources = await sourcesOf();
  const isCurrent = async () => (await readFile(STAMP, "utf8")) === `${sources} ${await foldersOf()}`;
  if (sources !== undefined && (await isCurrent().catch(() => false))) return;
  for (const [what, program] of Object.entries(BUILDS)) {
    await step(what, (note) => run("node", [program], { cwd: root, note }));
  }
  await mkdir(dirname(STAMP), { recursive: true });
  await writeFile(STAMP, `${sources} ${await foldersOf()}`);
}

/** A hash of all files that git does not ignore; undefined without git. */
async function sourcesOf() {
  try {
    const files = await run("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: root });
    return await fingerprint(root, files.split("\0").filter(Boolean));
  } catch {
    return undefined;
  }
}

/** A build that changes something replaces its folder. */
async function foldersOf() {
  const all = await Promise.all(FOLDERS.map((name) => stat(join(root, "dist", name))));
  return all.map(({ ino, mtimeMs }) => `${ino}:${mtimeMs}`).join(" ");
}
