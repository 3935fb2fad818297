// Commands of the documentation that no test of this folder runs, with the reason or the test that runs them.

const BUILDS = "it builds everything, which takes minutes; the tests use the result of such a build";
const REGISTRY = "nothing is published yet; tests/packaging installs the packed package";
const PACKED = "tests/packaging installs the packed package";
const RELEASE = "nothing is published yet; npm run campaign -- reproducible builds these files";
const DEMO = "tests/e2e/demo.test.mjs runs the demo";

const DEPLOY =
  "it needs a container engine or a cluster; tests/deploy/running.test.mjs types them and starts processes instead";
const TWO_POSTGRES = "it needs two PostgreSQL servers on two machines; tests/e2e/failover.test.mjs has two on one";

/** Page, first words of the block, reason. */
export const NOT_RUN = [
  ["README.md", "npm run demo ", DEMO],
  ["README.md", "npm run build && npm pack", BUILDS],
  [
    "docs/contract.md",
    "node tests/contract/harness.mjs",
    "tests/contract/contract.test.mjs and self-test.test.mjs run them",
  ],
  ["docs/guide/quick-start.md", "npm run build ", BUILDS],
  ["docs/guide/quick-start.md", 'npm install "$HOME/react-', PACKED],
  ["docs/guide/quick-start.md", 'npm install "$HOME/flagservice-node-sdk', PACKED],
  [
    "docs/operation.md",
    "flagservice-server edge-key create",
    "the page has no project; crates/server/tests/command/edge_keys.rs runs them",
  ],
  [
    "docs/operation.md",
    "FLAGSERVICE_EDGE_KEY=edge-…",
    "it follows another machine; tests/e2e/edge.test.mjs runs edges",
  ],
  ["docs/operation.md", "useradd --system", "it changes the machine: users, /usr/local, systemd"],
  ["docs/operation.md", "sha256sum --check", RELEASE],
  ["docs/operation.md", "jq --raw-output", RELEASE],
  ["docs/operation.md", 'psql --command "ALTER SYSTEM SET', TWO_POSTGRES],
  ["docs/operation.md", 'psql --command "ALTER SYSTEM RESET', TWO_POSTGRES],
  ["docs/operation.md", "pg_ctl promote", TWO_POSTGRES],
  ["docs/operation.md", "pg_rewind", TWO_POSTGRES],
  ["docs/release.md", "npm run build\n", BUILDS],
  ["docs/release.md", "podman pull", "it needs a container engine and a registry of images"],
  ["docs/operation.md", "podman build", "it needs a container engine, and a build inside it"],
  ["docs/operation.md", "(umask 077 && printf 'FLAGSERVICE_IMAGE", DEPLOY],
  ["docs/operation.md", "printf 'FLAGSERVICE_EDGE_KEY", DEPLOY],
  ["docs/operation.md", "openssl rand -base64 32 > flagservice.key", DEPLOY],
  ["docs/operation.md", "cat > flags.yaml", DEPLOY],
  ["docs/operation.md", "kubectl create secret generic flagservice-edge", DEPLOY],
  [
    "docs/testing.md",
    "FLAGSERVICE_TEST_THROUGH=",
    "it runs a test file; npm run campaign -- through-edges runs them so",
  ],
  ["examples/script-tag/README.md", "npm run demo ", DEMO],
  ["pkg-template/flagservice-client/README.md", "npm install flagservice-client", REGISTRY],
  ["pkg-template/flagservice-node-sdk/README.md", "npm install flagservice-node-sdk", REGISTRY],
  ["pkg-template/flagservice-openfeature-server/README.md", "npm install flagservice-openfeature-server", REGISTRY],
  ["pkg-template/flagservice-openfeature-web/README.md", "npm install flagservice-openfeature-web", REGISTRY],
  ["pkg-template/react-flagservice-client/README.md", "npm install react-flagservice-client", REGISTRY],
];

/** The entry for a block, if there is one. */
export function notRun({ page, code }) {
  return NOT_RUN.find(([ofPage, words]) => page === ofPage && code.startsWith(words));
}
