// Builds everything that a release consists of into dist/release, the same bytes for the same commit in any folder.
import { createHash } from "node:crypto";
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { run } from "../processes.mjs";
import { step } from "../progress.mjs";
import { ensureCargoAuditable, root, targetFolder, toolsEnvironment } from "../setup.mjs";
import { TARGETS } from "../supply/crates.mjs";
import { NOTICES } from "../supply/notices.mjs";
import { cFlags, rustFlags } from "../supply/source-paths.mjs";
import { NPM_PACKAGES, workspaceVersion } from "./artefacts.mjs";
import { writeSboms } from "./sboms.mjs";

export const FOLDER = join(root, "dist", "release");

/** In this order: each embeds or measures what the ones before it have built. */
const BUILDS = [
  ["administration pages", ["scripts/build-admin.mjs"]],
  ["browser client", ["scripts/build.mjs", "--force"]],
  ["documentation", ["scripts/build-docs.mjs"]],
  ["licence notices", ["scripts/build-notices.mjs"]],
  ["Node SDK", ["scripts/build-node.mjs", "--force"]],
];

/**
 * `baseImage` is what the container starts from, for its SBOM. `repository` is the address of the repository, which the manifests have
 * to name where npm checks the provenance.
 */
export async function buildRelease({ baseImage, repository } = {}) {
  for (const [title, args] of BUILDS) {
    await step(title, (note) => run("node", args, { cwd: root, note, minutes: 20 }));
  }
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  await step("npm packages", (note) => packAll(repository, note));
  await step("server, optimised", buildServer);
  await step("SBOMs", (note) => writeSboms(FOLDER, { note, baseImage }));
  await writeSums();
  return FOLDER;
}

async function packAll(repository, note) {
  for (const name of Object.keys(NPM_PACKAGES)) {
    const folder = join(root, "dist", name);
    if (repository) {
      const file = join(folder, "package.json");
      const manifest = JSON.parse(await readFile(file, "utf8"));
      manifest.repository = { type: "git", url: `git+${repository}.git`, directory: `pkg-template/${name}` };
      await writeFile(file, `${JSON.stringify(manifest, undefined, 2)}\n`);
    }
    await run("npm", ["pack", "--silent", "--pack-destination", FOLDER, folder], { cwd: root, note, minutes: 2 });
  }
}

/** The binary with the list of its crates inside, and without the names of folders and times of this build. */
async function buildServer(note) {
  await ensureCargoAuditable();
  const env = {
    ...toolsEnvironment(),
    CARGO_ENCODED_RUSTFLAGS: (await rustFlags()).join("\x1f"),
    CFLAGS: (await cFlags()).join(" "),
    SOURCE_DATE_EPOCH: await timeOfCommit(),
    CARGO_INCREMENTAL: "0",
    // ThinLTO numbers the symbols that crates share, and the numbers differ between folders. Nothing else of the binary does.
    CARGO_PROFILE_RELEASE_STRIP: "symbols",
  };
  const args = ["auditable", "build", "--locked", "--release", "--package", "flagservice-server", "--bins"];
  await run("cargo", args, { cwd: root, note, env, minutes: 40 });
  const version = await workspaceVersion();
  const name = `flagservice-server-${version}-${TARGETS.server}`;
  await copyFile(join(await targetFolder(), "release", "flagservice-server"), join(FOLDER, name));
  await copyFile(join(root, "dist", "notices", NOTICES), join(FOLDER, `flagservice-server-${version}-${NOTICES}`));
}

/** Seconds since 1970. An exported tree has no commit, so the variable may be given. */
async function timeOfCommit() {
  return process.env.SOURCE_DATE_EPOCH ?? (await run("git", ["log", "-1", "--format=%ct"], { cwd: root })).trim();
}

/** SHA256SUMS, as `sha256sum --check` reads it. */
async function writeSums() {
  const names = (await readdir(FOLDER)).sort();
  const lines = await Promise.all(
    names.map(
      async (name) =>
        `${createHash("sha256")
          .update(await readFile(join(FOLDER, name)))
          .digest("hex")}  ${name}\n`,
    ),
  );
  await writeFile(join(FOLDER, "SHA256SUMS"), lines.join(""));
}
