// Which differences between versions the check of a release finds, in a copy of the files that name them.
import assert from "node:assert/strict";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, test } from "node:test";
import { changelogViolations, versionViolations } from "../../scripts/release/versions.mjs";
import { root } from "../../scripts/setup.mjs";

const NAMED = [
  "Cargo.toml",
  "Cargo.lock",
  "README.md",
  "CHANGELOG.md",
  "docs/openapi.json",
  "docs/guide/quick-start.md",
  "contrib/helm/flagservice/Chart.yaml",
  "pkg-template",
];
NAMED.push(
  ...["amplitude", "express", "openfeature-web", "react-ssr", "vite"].map(
    (name) => `examples/${name}/package-lock.json`,
  ),
);

let folder;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "flagservice-versions-"));
});

beforeEach(() => Promise.all(NAMED.map((name) => cp(join(root, name), join(folder, name), { recursive: true }))));

after(() => rm(folder, { recursive: true, force: true }));

/** Replaces a text that the file has to contain. */
async function replace(file, pattern, text) {
  const before = await readFile(join(folder, file), "utf8");
  const changed = before.replace(pattern, text);
  assert.notEqual(changed, before, `${file} has ${pattern}`);
  await writeFile(join(folder, file), changed);
}

test("the versions of the repository agree", async () => {
  assert.deepEqual(await versionViolations(folder), []);
});

for (const [file, pattern] of [
  ["pkg-template/react-flagservice-client/package.json", /"version": "\d+\.\d+\.\d+"/],
  ["docs/openapi.json", /"version": "\d+\.\d+\.\d+"/],
  ["README.md", /flagservice-client-\d+\.\d+\.\d+\.tgz/],
  ["docs/guide/quick-start.md", /flagservice-client-\d+\.\d+\.\d+\.tgz/],
  ["docs/guide/quick-start.md", /flagservice-node-sdk-\d+\.\d+\.\d+\.tgz/],
  ["contrib/helm/flagservice/Chart.yaml", /^version: \d+\.\d+\.\d+/m],
  ["contrib/helm/flagservice/Chart.yaml", /^appVersion: \d+\.\d+\.\d+/m],
  ["pkg-template/flagservice-client/README.md", /flagservice-client@\d+\.\d+\.\d+/],
  ["Cargo.lock", /(?<=name = "flagservice-rules"\n)version = "\d+\.\d+\.\d+"/],
]) {
  test(`another version in ${file} is found: ${pattern.source}`, async () => {
    await replace(file, pattern, (found) => found.replace(/\d+\.\d+\.\d+/, "99.0.0"));
    const found = await versionViolations(folder);
    assert.ok(
      found.some((sentence) => sentence.startsWith(file.replace("/package.json", "")) && sentence.includes("99.0.0")),
      found.join(),
    );
  });
}

test("SDKs with different versions are found", async () => {
  await replace("pkg-template/flagservice-node-sdk/package.json", /"version": "[^"]+"/, '"version": "99.0.0"');
  const found = await versionViolations(folder);
  assert.ok(
    found.some((sentence) => sentence.includes("flagservice-node-sdk 99.0.0")),
    found.join("\n"),
  );
  assert.ok(
    found.some((sentence) => sentence.startsWith("examples/express/package-lock.json")),
    found.join("\n"),
  );
});

test("the changelog starts with the version, and with a date in a release", async () => {
  const heading = /^## (\S+) .*$/m;
  await replace("CHANGELOG.md", heading, "## $1 (2030-01-31)");
  assert.deepEqual(await changelogViolations({ released: true }, folder), []);
  await replace("CHANGELOG.md", heading, "## $1 (unreleased)");
  assert.deepEqual(await changelogViolations({ released: false }, folder), []);
  assert.match((await changelogViolations({ released: true }, folder)).join(), /no date of release/);
  await replace("CHANGELOG.md", heading, "## 99.0.0 (2030-01-31)");
  assert.match((await changelogViolations({ released: true }, folder)).join(), /has to start with \d/);
});
