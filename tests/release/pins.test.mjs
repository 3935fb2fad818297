// What the checks of the release workflow and of the container find.
import assert from "node:assert/strict";
import { test } from "node:test";
import { containerViolations, imageViolations, workflowViolations } from "../../scripts/release/pins.mjs";

const COMMIT = "0123456789abcdef0123456789abcdef01234567";
const workflow = (uses, more = "") => `permissions: {}\njobs:\n  one:\n    steps:\n      - uses: ${uses}\n${more}`;

test("an action has to be pinned to a commit", () => {
  assert.deepEqual(workflowViolations("a.yml", workflow(`actions/checkout@${COMMIT} # v1.0.0`)), []);
  for (const action of [
    "actions/checkout@v4",
    "actions/checkout@main",
    "actions/checkout",
    `actions/checkout@${COMMIT.slice(1)}`,
  ]) {
    const found = workflowViolations("a.yml", workflow(action));
    assert.deepEqual(found, [`a.yml: ${action} is not pinned to a commit.`]);
  }
});

test("a workflow uses no secret, and gives its jobs no permissions but those that they name", () => {
  const secret = `${"$"}{{ secrets.NPM_TOKEN }}`;
  assert.match(
    workflowViolations("a.yml", workflow(`a/b@${COMMIT}`, `        env: ${secret}\n`)).join(),
    /uses a secret/,
  );
  const open = workflow(`a/b@${COMMIT}`).replace("permissions: {}", "permissions: write-all");
  assert.match(workflowViolations("a.yml", open).join(), /does not start with "permissions: {}"/);
});

test("the container is built from build arguments without defaults", () => {
  const images = ["NODE_IMAGE", "RUST_IMAGE", "BASE_IMAGE"];
  const file = [
    ...images.map((name) => `ARG ${name}`),
    ...images.map((name) => `FROM \${${name}} AS ${name.toLowerCase()}`),
  ];
  assert.deepEqual(containerViolations(file.join("\n")), []);
  assert.match(
    containerViolations(file.join("\n").replace(`\${BASE_IMAGE}`, "debian:bookworm-slim")).join(),
    /debian:bookworm-slim/,
  );
  assert.match(
    containerViolations(file.join("\n").replace("ARG NODE_IMAGE", "ARG NODE_IMAGE=node:20")).join(),
    /no "ARG NODE_IMAGE"/,
  );
});

test("each image of a release has its digest", () => {
  const digest = `sha256:${"0".repeat(64)}`;
  const images = {
    NODE_IMAGE: `docker.io/library/node:20@${digest}`,
    RUST_IMAGE: `rust@${digest}`,
    BASE_IMAGE: `debian@${digest}`,
  };
  assert.deepEqual(imageViolations(images), []);
  assert.match(
    imageViolations({ ...images, BASE_IMAGE: "debian:bookworm-slim" }).join(),
    /BASE_IMAGE is "debian:bookworm-slim"/,
  );
  assert.match(imageViolations({ ...images, RUST_IMAGE: undefined }).join(), /RUST_IMAGE is not set/);
});
