// Dependencies between the crates of the workspace, and the crates that are compiled for the browser.
import { run } from "../processes.mjs";
import { listed } from "./sources.mjs";

/** Each crate → the crates of this workspace that it may use. */
const CRATES = {
  "flagservice-core": [],
  "flagservice-rules": ["flagservice-core"],
  "flagservice-node": ["flagservice-core", "flagservice-rules"],
  "flagservice-server": ["flagservice-core", "flagservice-rules", "flagservice-statistics"],
  "flagservice-statistics": [],
  "flagservice-client": ["flagservice-core"],
  // Programs that campaigns build and run.
  "flagservice-campaigns": ["flagservice-rules", "flagservice-server"],
  // Histories of the server with faults.
  "flagservice-simulation": ["flagservice-rules", "flagservice-server"],
  // Histories of edges and clients.
  "flagservice-edges-simulation": ["flagservice-client", "flagservice-core", "flagservice-server"],
  // Fuzz targets of all of them.
  "flagservice-fuzz": ["flagservice-client", "flagservice-core", "flagservice-rules", "flagservice-server"],
};

/** Every crate that is compiled into the browser's wasm or runs at compile time for it. The size of each has been measured. */
const BROWSER = [
  ...["flagservice-client", "flagservice-core"],
  ...["wasm-bindgen", "wasm-bindgen-macro", "wasm-bindgen-macro-support", "wasm-bindgen-shared"],
  ...["js-sys", "web-sys", "futures-core", "futures-task", "futures-util", "pin-project-lite", "slab"],
  ...["lol_alloc", "spin", "lock_api", "scopeguard"],
  ...["bumpalo", "cfg-if", "once_cell", "proc-macro2", "quote", "syn", "unicode-ident"],
];

/** One sentence for each dependency between crates that the table does not allow. */
export async function crateViolations(folder) {
  const metadata = await run("cargo", ["metadata", "--format-version", "1", "--no-deps", "--quiet"], { cwd: folder });
  const { packages } = JSON.parse(metadata.trim().split("\n").at(-1));
  const found = [];
  for (const { name, dependencies } of packages) {
    const allowed = CRATES[name];
    if (!allowed) {
      found.push(`Crate ${name} is missing from the table of crates.`);
      continue;
    }
    for (const dependency of dependencies) {
      if (dependency.path && dependency.kind !== "dev" && !allowed.includes(dependency.name)) {
        found.push(`Crate ${name} uses ${dependency.name}; it may use ${listed(allowed)}.`);
      }
    }
  }
  return found;
}

/** One sentence for each crate in the browser's wasm that is not on the list. */
export async function browserCrateViolations(folder) {
  const target = ["-p", "flagservice-client", "--target", "wasm32-unknown-unknown", "-e", "normal", "--prefix", "none"];
  const tree = await run("cargo", ["tree", "--quiet", "--format", "{lib}\t{p}", ...target], {
    cwd: folder,
  });
  const names = new Set(tree.split("\n").map((line) => line.split("\t")[1]?.split(" ")[0]));
  names.delete(undefined);
  return [...names]
    .filter((name) => !BROWSER.includes(name))
    .map((name) => `The browser's wasm includes ${name}, which is not on the list. Measure its size first.`);
}
