// What a release consists of: each artefact with what it is made of. Everything else about releases follows from this list.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../setup.mjs";
import { TARGETS } from "../supply/crates.mjs";

const CLIENT_CRATE = { name: "flagservice-client", target: TARGETS.wasm };
const NODE_CRATE = { name: "flagservice-node", target: TARGETS.wasm };
const SERVER_CRATE = { name: "flagservice-server", target: TARGETS.server };

/** The packages for npm, and the crate inside each. */
export const NPM_PACKAGES = {
  "flagservice-client": [CLIENT_CRATE],
  "react-flagservice-client": [],
  "flagservice-node-sdk": [NODE_CRATE],
  "flagservice-openfeature-web": [],
  "flagservice-openfeature-server": [],
};

const SERVER = { crates: [SERVER_CRATE, CLIENT_CRATE], bundles: ["admin", "docs", "flagservice-client"] };

/**
 * All artefacts: `name`, `version`, `type` of CycloneDX, `crates` with their targets, and `bundles`, the names under which a build
 * has recorded npm packages.
 */
export async function artefacts() {
  const version = await workspaceVersion();
  const packages = Object.entries(NPM_PACKAGES).map(async ([name, crates]) => {
    const manifest = await readJson(`pkg-template/${name}/package.json`);
    return {
      name,
      version: manifest.version,
      type: "library",
      purl: `pkg:npm/${name}@${manifest.version}`,
      crates,
      bundles: [name],
    };
  });
  return [
    { name: "flagservice-server", version, type: "application", ...SERVER },
    { name: "flagservice-server-container", version, type: "container", ...SERVER },
    { name: "flagservice-browser-wasm", version, type: "library", crates: [CLIENT_CRATE], bundles: [] },
    { name: "flagservice-node-wasm", version, type: "library", crates: [NODE_CRATE], bundles: [] },
    { name: "flagservice-admin-pages", version, type: "application", crates: [], bundles: ["admin"] },
    ...(await Promise.all(packages)),
  ];
}

/** The version of the server and of all crates. */
export async function workspaceVersion(folder = root) {
  const [, version] = (await readFile(join(folder, "Cargo.toml"), "utf8")).match(/^version = "([^"]+)"$/m) ?? [];
  if (!version) throw new Error("Cargo.toml has no version in [workspace.package].");
  return version;
}

export async function readJson(file, folder = root) {
  return JSON.parse(await readFile(join(folder, file), "utf8"));
}
