// The release built twice from the last commit, in two folders: every file has to have the same bytes.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "../../scripts/processes.mjs";
import { step } from "../../scripts/progress.mjs";
import { root } from "../../scripts/setup.mjs";

const RESULT = join(root, "docs", "campaigns", "reproducible.md");
/** Of different length and depth, because lengths of paths change the layout of programs. */
const FOLDERS = ["one", join("another", "deeper", "clone-of-the-same-commit")];
/** Files inside packages that are worth a row of their own. */
const INSIDE = [
  ["wasm of the browser client", join("dist", "flagservice-client", "dist", "core.wasm")],
  ["wasm of the Node SDK", join("dist", ".work", "node", "flagservice_node_bg.wasm")],
  ["script of the browser client", join("dist", "flagservice-client", "dist", "flagservice.min.js")],
];

/** Builds twice, compares all hashes, and writes them to docs/campaigns/reproducible.md. */
export async function campaign() {
  const folder = await mkdtemp(join(tmpdir(), "flagservice-reproducible-"));
  try {
    const commit = (await git("rev-parse", "HEAD")).trim();
    const time = (await git("log", "-1", "--format=%ct")).trim();
    const builds = [];
    for (const name of FOLDERS)
      builds.push(await step(`release in ${name}`, (note) => build(join(folder, name), commit, time, note)));
    const text = report(commit, builds);
    process.stdout.write(text);
    await writeFile(RESULT, text);
    const [one, other] = builds.map(({ hashes }) => Object.fromEntries(hashes));
    assert.deepEqual(other, one);
  } catch (error) {
    process.stdout.write(`The files of the builds stay in ${folder}\n`);
    throw error;
  }
  await rm(folder, { recursive: true, force: true });
}

async function build(clone, commit, time, note) {
  await mkdir(clone, { recursive: true });
  const archive = `${clone}.tar`;
  await git("archive", "--output", archive, commit);
  await run("tar", ["--extract", "--file", archive, "--directory", clone]);
  const began = Date.now();
  const env = {
    CARGO_TARGET_DIR: join(clone, "target"),
    SOURCE_DATE_EPOCH: time,
    FLAGSERVICE_SHARE_MODULES: "1",
  };
  await run("node", ["scripts/release.mjs", "--build", "--unchecked"], { cwd: clone, env, note, minutes: 60 });
  const minutes = (Date.now() - began) / 60_000;
  const sums = await readFile(join(clone, "dist", "release", "SHA256SUMS"), "utf8");
  const hashes = Array.from(sums.matchAll(/^([0-9a-f]{64}) {2}(.+)$/gm), ([, hash, name]) => [name, hash]);
  for (const [name, file] of INSIDE) hashes.push([name, await hashOf(join(clone, file))]);
  const binary = hashes.map(([name]) => name).find((name) => /^flagservice-server-.*-linux-gnu$/.test(name));
  const release = join(clone, "dist", "release");
  const { size } = await stat(join(release, binary));
  await cp(release, `${clone}-release`, { recursive: true });
  await rm(clone, { recursive: true });
  return { hashes, minutes, size };
}

async function hashOf(file) {
  return createHash("sha256")
    .update(await readFile(file))
    .digest("hex");
}

function git(...args) {
  return run("git", args, { cwd: root, minutes: 1 });
}

function report(commit, [one, other]) {
  const second = new Map(other.hashes);
  const rows = one.hashes.map(([name, hash]) => {
    const again = second.get(name) ?? "missing";
    const same = again === hash ? "yes" : "**no**";
    return `| ${name} | \`${hash.slice(0, 16)}…\` | \`${again.slice(0, 16)}…\` | ${same} |`;
  });
  return `# The release built twice

\`npm run campaign -- reproducible\`. It exports commit \`${commit.slice(0, 12)}\` into two folders of different length and depth, and runs
the release build in each, with its own target folder: \`node scripts/release.mjs --build\`. SHA-256 of every file of the release, the first
16 digits. The server has ${(one.size / 1e6).toFixed(1)} MB. The builds took ${one.minutes.toFixed(1)} and ${other.minutes.toFixed(1)} \
minutes, each with everything compiled, on ${cpus().length} cores that other work shared.

| File | first folder | second folder | same |
|---|---|---|---|
${rows.join("\n")}
`;
}
