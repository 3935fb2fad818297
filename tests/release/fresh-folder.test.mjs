// Builds that run at the same time and fill the same folder.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { freshFolder, replaceFolder } from "../../scripts/build/fresh-folder.mjs";
import { run } from "../../scripts/processes.mjs";

const BUILDS = 4;
const TIMES = 50;
const HELPERS = new URL("../../scripts/build/fresh-folder.mjs", import.meta.url).href;
/** Fills the folder again and again, in turn with two contents. */
const BUILD = `
  import { writeFile } from "node:fs/promises";
  import { freshFolder, replaceFolder } from "${HELPERS}";
  for (let time = 0; time < ${TIMES}; time += 1) {
    const fresh = await freshFolder(process.argv[1]);
    for (const name of ["a", "b", "c"]) await writeFile(fresh + "/" + name, String(time % 2));
    await replaceFolder(process.argv[1], fresh);
  }`;

test("builds of the same folder at the same time all succeed, and it is complete", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "flagservice-fresh-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const target = join(folder, "package");
  const builds = Array.from({ length: BUILDS }, () =>
    run(process.execPath, ["--input-type=module", "--eval", BUILD, target]),
  );
  await Promise.all(builds);
  assert.deepEqual(await readdir(folder), ["package"], "nothing else is left");
  const [first, ...others] = await Promise.all(["a", "b", "c"].map((name) => readFile(join(target, name), "utf8")));
  assert.match(first, /^[01]$/);
  assert.deepEqual(others, [first, first], "files of one build");
});

test("a build deletes what a killed build of the same folder has left", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "flagservice-fresh-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const { pid } = spawnSync(process.execPath, ["--version"]);
  const names = [`package.fresh-${pid}`, `package.old-${pid}`, `other.fresh-${pid}`, `package.fresh-${process.ppid}`];
  for (const name of names) await mkdir(join(folder, name, "dist"), { recursive: true });
  const target = join(folder, "package");
  const fresh = await freshFolder(target);
  await writeFile(join(fresh, "a"), "");
  await replaceFolder(target, fresh);
  const left = [names[2], names[3], "package"].sort();
  assert.deepEqual((await readdir(folder)).sort(), left, "another folder's, and those of a build that runs, stay");
});
