// The crates that a program contains, from Cargo.lock: their names, versions, licences and folders.
import { dirname } from "node:path";
import { run } from "../processes.mjs";
import { once } from "../setup/once.mjs";
import { ensureCrates, root } from "../setup.mjs";

/** What a crate of ours is compiled for. */
export const TARGETS = { server: "x86_64-unknown-linux-gnu", wasm: "wasm32-unknown-unknown" };

/** All crates of Cargo.lock that are not ours: `name version` → `{ name, version, licence, authors, folder, source }`. */
export const everyCrate = once(async () => {
  await ensureCrates();
  const output = await cargo("metadata", "--format-version", "1", "--locked", "--quiet");
  const { packages } = JSON.parse(output.slice(output.indexOf("{")));
  const others = packages.filter(({ source }) => source !== null);
  return new Map(others.map((crate) => [`${crate.name} ${crate.version}`, described(crate)]));
});

function described({ name, version, license, authors, manifest_path, source }) {
  // Cargo accepts the slash of old manifests, SPDX does not.
  return { name, version, licence: license?.replaceAll("/", " OR "), authors, folder: dirname(manifest_path), source };
}

/**
 * The crates that a package of this workspace contains when it is compiled for a target: no macros, no build scripts, no
 * dependencies of tests. In the order of their names.
 */
export function containedCrates(name, target) {
  return listed(`${name} ${target}`);
}

const listed = once(async (key) => {
  const [name, target] = key.split(" ");
  const all = await everyCrate();
  const edges = ["--edges", "normal,no-proc-macro", "--prefix", "none", "--format", "{p}"];
  const output = await cargo("tree", "--package", name, "--target", target, "--locked", "--quiet", ...edges);
  const keys = new Set(Array.from(output.matchAll(/^(\S+) v(\S+)/gm), ([, crate, version]) => `${crate} ${version}`));
  return [...keys].sort().flatMap((key) => all.get(key) ?? []);
});

function cargo(...args) {
  return run("cargo", args, { cwd: root, minutes: 2 });
}
