// Software in other languages that crates carry in their sources, and that a program with these crates therefore contains.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { everyCrate } from "./crates.mjs";

/** Crate → what it carries. `version` reads its version from the crate. */
const VENDORED = {
  "libsqlite3-sys": {
    name: "SQLite",
    licence: "blessing",
    text: "SQLite is in the public domain: https://sqlite.org/copyright.html",
    version: ({ folder }) => matched(join(folder, "sqlite3", "sqlite3.h"), /#define SQLITE_VERSION\s+"([^"]+)"/),
  },
  "tikv-jemalloc-sys": {
    name: "jemalloc",
    licence: "BSD-2-Clause",
    // The crate has it in its own version: 0.6.1+5.3.0-….
    version: ({ version }) => version.match(/\+(\d+\.\d+\.\d+)/)?.[1],
  },
  // Its build script copies the files of another crate, which is no part of the program otherwise.
  "utoipa-swagger-ui": {
    name: "swagger-ui",
    licence: "Apache-2.0",
    version: async () => {
      const crates = [...(await everyCrate()).values()];
      const { folder } = crates.find(({ name }) => name === "utoipa-swagger-ui-vendored");
      const archive = (await readdir(join(folder, "res"))).find((name) => name.endsWith(".zip"));
      return archive?.match(/^v(.*)\.zip$/)?.[1];
    },
  },
};

/** What a crate carries, if the table names it: `{ name, version, licence, text, within }`. */
export async function vendoredIn(crate) {
  const found = VENDORED[crate.name];
  if (!found) return [];
  const version = await found.version(crate);
  if (!version) throw new Error(`${crate.name} ${crate.version} has changed: update scripts/supply/vendored.mjs.`);
  return [{ name: found.name, version, licence: found.licence, text: found.text, within: crate.name }];
}

async function matched(file, pattern) {
  return (await readFile(file, "utf8")).match(pattern)?.[1];
}
