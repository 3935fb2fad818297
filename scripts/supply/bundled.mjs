// The npm packages whose code or files esbuild put into an artefact, recorded at each build in dist/.work/bundled.
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../setup.mjs";

const FOLDER = join(root, "dist", ".work", "bundled");
/** The innermost folder of a package. */
const PACKAGE = /^(.*\bnode_modules\/(?:@[^/]+\/)?[^/]+)\//;

/** Records the packages of esbuild's metafiles under the artefact's name, and returns them: name, version, licence, folder. */
export async function recordBundled(artefact, metafiles) {
  const inputs = metafiles.flatMap(({ inputs }) => Object.keys(inputs));
  const folders = [...new Set(inputs.map((input) => input.match(PACKAGE)?.[1]))].filter(Boolean).sort();
  const packages = await Promise.all(folders.map(described));
  await mkdir(FOLDER, { recursive: true });
  const file = join(FOLDER, `${artefact}.json`);
  // Renamed, so that a build of the notices at the same time reads the whole record.
  const fresh = `${file}.${process.pid}`;
  await writeFile(fresh, `${JSON.stringify(packages, undefined, 2)}\n`);
  await rename(fresh, file);
  return packages;
}

/** What the last build of an artefact recorded. */
export async function bundledPackages(artefact) {
  const file = join(FOLDER, `${artefact}.json`);
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) throw new Error(`${file} does not exist. Build ${artefact} first: npm run build.`);
  return JSON.parse(text);
}

/** `folder` is relative to the repository, so that the record is the same in every clone. */
async function described(folder) {
  const { name, version, license } = JSON.parse(await readFile(join(root, folder, "package.json"), "utf8"));
  return { name, version, licence: license, folder };
}
