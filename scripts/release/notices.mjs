// Whether each artefact has licence notices that name everything it contains, and the pages the hashes of the scripts.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { integrityOf } from "../build/integrity.mjs";
import { root } from "../setup.mjs";
import { bundledPackages } from "../supply/bundled.mjs";
import { containedCrates } from "../supply/crates.mjs";
import { NOTICES } from "../supply/notices.mjs";
import { artefacts, NPM_PACKAGES } from "./artefacts.mjs";

/** Where each artefact has its notices, below dist; the wasm's are those of the package that it is in. */
const PLACES = {
  "flagservice-server": join("notices", NOTICES),
  "flagservice-server-container": join("notices", NOTICES),
  "flagservice-browser-wasm": join("flagservice-client", "dist", NOTICES),
  "flagservice-node-wasm": join("flagservice-node-sdk", "dist", NOTICES),
  "flagservice-admin-pages": join("admin", "assets", NOTICES),
  ...Object.fromEntries(Object.keys(NPM_PACKAGES).map((name) => [name, join(name, "dist", NOTICES)])),
};

/** What an artefact contains: crates and npm packages, each once. */
export async function contentsOf({ crates, bundles }) {
  const contained = (await Promise.all(crates.map(({ name, target }) => containedCrates(name, target)))).flat();
  const bundled = (await Promise.all(bundles.map(bundledPackages))).flat();
  return { crates: unique(contained), packages: unique(bundled) };
}

export async function noticeViolations() {
  const found = [];
  for (const artefact of await artefacts()) {
    const { crates, packages } = await contentsOf(artefact);
    const file = join(root, "dist", PLACES[artefact.name]);
    const text = existsSync(file) ? await readFile(file, "utf8") : "";
    const missing = [...crates, ...packages].filter(({ name, version }) => !text.includes(`\n${name} ${version}: `));
    found.push(
      ...missing.map(
        ({ name, version }) => `${file}: it does not name ${name} ${version}, which ${artefact.name} contains.`,
      ),
    );
  }
  return found;
}

/** Where people read the hash of each script. */
const HASHED = ["flagservice.min.js", "flagservice.no-wasm.min.js"];
const PAGES = [
  join("flagservice-client", "README.md"),
  join("docs", "browser", "index.html"),
  join("docs", "browser.md"),
];

export async function integrityViolations() {
  const scripts = HASHED.map((name) => [name, join(root, "dist", "flagservice-client", "dist", name)]);
  const hashes = await Promise.all(scripts.map(async ([name, file]) => [name, integrityOf(await readFile(file))]));
  const found = [];
  for (const page of PAGES) {
    const text = await readFile(join(root, "dist", page), "utf8");
    for (const [name, hash] of hashes) {
      if (!text.includes(hash))
        found.push(`dist/${page} has not the hash of ${name}, ${hash}. Build again: npm run build.`);
    }
  }
  return found;
}

function unique(list) {
  return [...new Map(list.map((one) => [`${one.name} ${one.version}`, one])).values()];
}
