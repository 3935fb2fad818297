// What breaks the rules about dependencies, one sentence each: licences, refused packages, sources.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ensureNodeModules, root } from "../setup.mjs";
import { INSTALL_SCRIPTS, REFUSED, SHIPPED_EXCEPTIONS, TOOL_LICENCES, UNNAMED } from "./npm-policy.mjs";

const FOLDER = join(root, "scripts", "supply");

/** deny.toml, and whether an SPDX expression can be met with licences of a list. */
export async function loadPolicy() {
  await ensureNodeModules(FOLDER);
  const [{ parse }, { default: satisfies }] = await Promise.all([import("smol-toml"), import("spdx-satisfies")]);
  const deny = parse(await readFile(join(root, "deny.toml"), "utf8"));
  const isMet = (expression, allowed) => {
    try {
      return satisfies(expression, allowed);
    } catch {
      return false;
    }
  };
  return {
    allowed: deny.licenses.allow,
    refused: new Map(deny.bans.deny.map((ban) => [ban.crate, ban.reason])),
    isMet,
  };
}

/** `crates` as `everyCrate` gives them; `lock` is the text of Cargo.lock. */
export function crateViolations({ allowed, refused, isMet }, crates, lock) {
  const byLicence = crates
    .filter(({ licence }) => !licence || !isMet(licence, allowed))
    .map(
      ({ name, version, licence }) =>
        `Cargo.lock: ${name} ${version} is under ${licence ?? "no licence"}; deny.toml allows ${allowed.join(", ")}.`,
    );
  const byName = crates
    .filter(({ name }) => refused.has(name))
    .map(({ name, version }) => `Cargo.lock: ${name} ${version} is refused: ${refused.get(name)}.`);
  return [...byLicence, ...byName, ...sourceViolations(lock)];
}

/** Each crate comes from the registry, with a checksum, or is in this repository. */
function sourceViolations(lock) {
  const crates = lock.split("[[package]]\n").slice(1);
  return crates.flatMap((text) => {
    const field = (name) => text.match(new RegExp(`^${name} = "([^"]+)"$`, "m"))?.[1];
    const [name, source] = [field("name"), field("source")];
    if (source === undefined && /^flagservice-/.test(name)) return [];
    if (source === undefined) return [`Cargo.lock: ${name} has no source and is not ours.`];
    if (!source.startsWith("registry+")) return [`Cargo.lock: ${name} comes from ${source}, not from the registry.`];
    return field("checksum") ? [] : [`Cargo.lock: ${name} has no checksum.`];
  });
}

/** `file` names the lock file; `lock` and `manifest` are the contents of package-lock.json and package.json. */
export function packageViolations({ allowed, isMet }, file, lock, manifest) {
  const known = [...allowed, ...TOOL_LICENCES, ...Object.values(SHIPPED_EXCEPTIONS).map(([licence]) => licence)];
  const found = Object.entries(lock.packages)
    .filter(([path]) => path !== "")
    .flatMap(([path, one]) => {
      const name = one.name ?? path.replace(/^.*node_modules\//, "");
      if (isOurs(path, one)) return [];
      const licence = one.license ?? UNNAMED[name];
      const sentences = [];
      if (!licence || !isMet(licence, known))
        sentences.push(`${name} ${one.version} is under ${licence ?? "no licence"}, which is not allowed.`);
      if (REFUSED[name]) sentences.push(`${name} is refused; use ${REFUSED[name]}.`);
      if (!one.integrity) sentences.push(`${name} ${one.version} has no integrity hash.`);
      if (one.resolved)
        sentences.push(`${name} comes from ${one.resolved}; packages come from the registry, without an address.`);
      if (one.hasInstallScript && !INSTALL_SCRIPTS[name])
        sentences.push(`${name} ${one.version} runs a script when it is installed.`);
      return sentences;
    });
  return [...found, ...staleEntries(lock.packages[""], manifest)].map((sentence) => `${file}: ${sentence}`);
}

/** A package of this repository, which an example installs from dist. */
function isOurs(path, { resolved, link }) {
  return link === true || resolved?.startsWith("file:") || !path.includes("node_modules/");
}

/** The lock file is that of its manifest, and the manifest names exact versions. */
function staleEntries(locked, manifest) {
  const kinds = ["dependencies", "devDependencies", "optionalDependencies"];
  return kinds.flatMap((kind) => {
    const [inLock, named] = [locked[kind] ?? {}, manifest[kind] ?? {}];
    const differing = [...new Set([...Object.keys(inLock), ...Object.keys(named)])].filter(
      (name) => inLock[name] !== named[name],
    );
    const loose = Object.entries(named).filter(([, version]) => !/^(\d|file:|npm:[^@]+@\d)/.test(version));
    return [
      ...differing.map(
        (name) => `${name} is ${named[name] ?? "not"} in package.json and ${inLock[name] ?? "not"} in the lock file.`,
      ),
      ...loose.map(([name, version]) => `package.json names ${name} ${version}; name one version.`),
    ];
  });
}

/** The npm packages inside an artefact, as `bundledPackages` gives them. */
export function bundledViolations({ allowed, isMet }, artefact, packages) {
  return packages
    .filter(
      ({ name, licence }) =>
        !isMet(licence ?? UNNAMED[name], [...allowed, SHIPPED_EXCEPTIONS[name]?.[0]].filter(Boolean)),
    )
    .map(
      ({ name, version, licence }) =>
        `${artefact} contains ${name} ${version} under ${licence}; deny.toml allows ${allowed.join(", ")}.`,
    );
}
