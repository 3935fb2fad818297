// Examples for each rule about dependencies: what it has to find, and what it has to leave alone.
import { bundledViolations, crateViolations, packageViolations } from "./policy.mjs";

const crate = (more) => ({ name: "one", version: "1.0.0", licence: "MIT", ...more });
const locked = (more) => `[[package]]\nname = "one"\nversion = "1.0.0"\n${more}\n`;
const REGISTRY = 'source = "registry+https://example.com/index"\nchecksum = "00"';
const npm = (more, manifest = { dependencies: { one: "1.0.0" } }) => {
  const one = { version: "1.0.0", license: "MIT", integrity: "sha512-00", ...more };
  return [{ packages: { "": { dependencies: { one: "1.0.0" } }, "node_modules/one": one } }, manifest];
};

/** The sentences that a rule finds, and a part of the only one; nothing when it is undefined. */
const PLANTS = (policy) => {
  const crates = (more, lock = locked(REGISTRY)) => crateViolations(policy, [crate(more)], lock);
  const packages = (...args) => packageViolations(policy, "package-lock.json", ...npm(...args));
  const bundled = (more) => bundledViolations(policy, "admin", [crate(more)]);
  return [
    [crates({}), undefined],
    [crates({ licence: "GPL-3.0-only OR MIT" }), undefined],
    [crates({ licence: "GPL-3.0-only" }), "under GPL-3.0-only"],
    [crates({ licence: "MIT AND GPL-3.0-only" }), "under MIT AND GPL"],
    [crates({ licence: undefined }), "no licence"],
    [crates({ name: "openssl-sys" }), "openssl-sys 1.0.0 is refused: TLS"],
    [crates({}, locked('source = "git+https://example.com/one"')), "comes from git+"],
    [crates({}, locked("")), "has no source"],
    [crates({}, locked('source = "registry+https://example.com/index"')), "no checksum"],
    [packages({}), undefined],
    [packages({ license: "MPL-2.0" }), undefined],
    [packages({ license: "GPL-3.0-only" }), "under GPL-3.0-only"],
    [packages({ license: undefined }), "no licence"],
    [packages({ integrity: undefined }), "no integrity hash"],
    [packages({ resolved: "https://example.com/one.tgz" }), "comes from https"],
    [packages({ resolved: "file:../../dist/one", integrity: undefined }), undefined],
    [packages({ hasInstallScript: true }), "runs a script"],
    [packages({ name: "node-fetch" }), "node-fetch is refused"],
    [packages({}, { dependencies: { one: "1.0.1" } }), "1.0.1 in package.json"],
    [packages({}, {}), "not in package.json"],
    [bundled({}), undefined],
    [bundled({ licence: "MPL-2.0" }), "contains one 1.0.0 under MPL-2.0"],
    [bundled({ name: "wouter", licence: "Unlicense" }), undefined],
  ];
};

export function selfTest(policy) {
  const plants = PLANTS(policy);
  for (const [found, expected] of plants) {
    const isRight = expected === undefined ? found.length === 0 : found.length === 1 && found[0].includes(expected);
    if (!isRight) throw new Error(`Expected ${expected ?? "nothing"}, found: ${found.join("\n") || "nothing"}`);
  }
  process.stdout.write(`  ✓ each of ${plants.length} examples is judged right\n`);
}
