// Whether every file that names a version of ours names the same, and whether the changelog has it.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../setup.mjs";
import { NPM_PACKAGES, readJson, workspaceVersion } from "./artefacts.mjs";

/** Packages with the version of the server and its client; the others have one of their own, which is the same for all of them. */
const WITH_SERVER = ["flagservice-client", "react-flagservice-client"];

const PACKED_CLIENT = /flagservice-client-(\d+\.\d+\.\d+)\.tgz/g;
const PACKED_NODE_SDK = /flagservice-node-sdk-(\d+\.\d+\.\d+)\.tgz/g;
const CLIENT = "flagservice-client";

/** Files that name a version, where they name it, and whose it is. */
const NAMING = [
  ["contrib/helm/flagservice/Chart.yaml", /^(?:version|appVersion): (\S+)$/gm, CLIENT],
  ["README.md", PACKED_CLIENT, CLIENT],
  ["docs/guide/quick-start.md", PACKED_CLIENT, CLIENT],
  ["docs/guide/quick-start.md", PACKED_NODE_SDK, "flagservice-node-sdk"],
  ["pkg-template/flagservice-client/README.md", /flagservice-client@(\d+\.\d+\.\d+)/g, CLIENT],
];

/** One sentence for each version that differs, in the repository or a copy of it. */
export async function versionViolations(folder = root) {
  const version = await workspaceVersion(folder);
  const manifests = await Promise.all(
    Object.keys(NPM_PACKAGES).map((name) => readJson(`pkg-template/${name}/package.json`, folder)),
  );
  const sdks = manifests.filter(({ name }) => !WITH_SERVER.includes(name));
  const found = manifests
    .filter((one) => WITH_SERVER.includes(one.name) && one.version !== version)
    .map((one) => `pkg-template/${one.name}/package.json has ${one.version}; Cargo.toml has ${version}.`);
  if (new Set(sdks.map((one) => one.version)).size > 1) {
    found.push(`These have different versions: ${sdks.map((one) => `${one.name} ${one.version}`).join(", ")}.`);
  }
  const { info } = await readJson("docs/openapi.json", folder);
  if (info.version !== version) found.push(`docs/openapi.json has ${info.version}; Cargo.toml has ${version}.`);
  const packages = new Map(manifests.map((one) => [one.name, one.version]));
  for (const [file, pattern, name] of NAMING) {
    const named = Array.from((await text(folder, file)).matchAll(pattern), ([, one]) => one);
    if (named.length === 0) found.push(`${file} names no version of ${name}: update scripts/release/versions.mjs.`);
    for (const one of named.filter((one) => one !== packages.get(name))) {
      found.push(`${file} names ${one}; ${name} has ${packages.get(name)}.`);
    }
  }
  return [...found, ...(await lockedVersions(folder, version, packages))];
}

/** Our own crates and packages in lock files. */
async function lockedVersions(folder, version, packages) {
  const crates = Array.from(
    (await text(folder, "Cargo.lock")).matchAll(/^name = "(flagservice-[\w-]+)"\nversion = "([^"]+)"$/gm),
  );
  const found = crates
    .filter(([, , one]) => one !== version)
    .map(([, name, one]) => `Cargo.lock has ${name} ${one}; Cargo.toml has ${version}. Run cargo update --workspace.`);
  for (const example of ["amplitude", "express", "openfeature-web", "react-ssr", "vite"]) {
    const lock = await readJson(`examples/${example}/package-lock.json`, folder);
    for (const [path, one] of Object.entries(lock.packages)) {
      const expected = packages.get(path.replace("node_modules/", ""));
      if (expected === undefined || one.version === expected) continue;
      found.push(`examples/${example}/package-lock.json has ${path} ${one.version}; the package has ${expected}.`);
    }
  }
  return found;
}

/** The changelog starts with the version; `released`: with a date. */
export async function changelogViolations({ released }, folder = root) {
  const version = await workspaceVersion(folder);
  const changelog = await text(folder, "CHANGELOG.md");
  const [heading, named, state] = changelog.match(/^## (\S+)(?: \((.*)\))?$/m) ?? [];
  if (named !== version) return [`CHANGELOG.md starts with "${heading}"; it has to start with ${version}.`];
  const [, body] = changelog.split(/^## .*$/m);
  if (!body.includes("\n- ")) return [`CHANGELOG.md says nothing about ${version}.`];
  if (released && !/^\d{4}-\d{2}-\d{2}$/.test(state ?? "")) {
    return [`CHANGELOG.md has no date of release in "${heading}".`];
  }
  return [];
}

function text(folder, file) {
  return readFile(join(folder, file), "utf8");
}
