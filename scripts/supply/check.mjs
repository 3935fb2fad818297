// Checks licences, names and sources of everything in Cargo.lock and in each package-lock.json, by deny.toml and npm-policy.mjs.
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { script } from "../progress.mjs";
import { root } from "../setup.mjs";
import { bundledPackages } from "./bundled.mjs";
import { everyCrate } from "./crates.mjs";
import { lockFiles } from "./lock-files.mjs";
import { bundledViolations, crateViolations, loadPolicy, packageViolations } from "./policy.mjs";
import { selfTest } from "./self-test.mjs";

const HELP = `node scripts/supply/check.mjs [--self-test]

Fails for a crate or an npm package
- whose licence deny.toml does not allow; for npm packages that we do not ship, scripts/supply/npm-policy.mjs allows more;
- that one of the two refuses;
- that does not come from the registry with a checksum, or that runs a script when it is installed;
and for a lock file that is not that of its manifest. Build first: npm run build.
--self-test checks that each rule finds its example.
`;

/** Artefacts that esbuild makes. */
const BUNDLES = ["admin", "docs", "flagservice-client", "react-flagservice-client", "flagservice-node-sdk"];
BUNDLES.push("flagservice-openfeature-web", "flagservice-openfeature-server");

async function main([argument]) {
  if (argument !== undefined && argument !== "--self-test") {
    process.stdout.write(HELP);
    process.exitCode = argument === "--help" ? 0 : 2;
    return;
  }
  const policy = await loadPolicy();
  if (argument) return selfTest(policy);
  const crates = [...(await everyCrate()).values()];
  const found = crateViolations(policy, crates, await readFile(join(root, "Cargo.lock"), "utf8"));
  const locks = await lockFiles();
  let packages = 0;
  for (const file of locks) {
    const [lock, manifest] = await Promise.all([json(file), json(join(dirname(file), "package.json"))]);
    packages += Object.keys(lock.packages).length - 1;
    found.push(...packageViolations(policy, file, lock, manifest));
  }
  for (const name of BUNDLES) found.push(...bundledViolations(policy, name, await bundledPackages(name)));
  for (const sentence of found) process.stdout.write(`  ✗ ${sentence}\n`);
  if (found.length > 0) throw new Error(`${found.length} dependencies break the rules of deny.toml or npm-policy.mjs.`);
  process.stdout.write(
    `  ✓ ${crates.length} crates, and ${packages} npm packages of ${locks.length} lock files, are allowed\n`,
  );
}

async function json(file) {
  return JSON.parse(await readFile(join(root, file), "utf8"));
}

script(main);
