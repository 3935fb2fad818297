// Commands of the documentation that no test of this folder runs, each with the reason, and with the test that does, if one does.

const BUILDS = "it builds everything from the source, which takes minutes; the tests run on what such a build has made";
const REGISTRY = "nothing is published yet; the packed package is installed by tests/packaging";
const DEMO = "the demo is what tests/e2e/demo.test.mjs runs";

/** Page and first words of the block → why. */
export const NOT_RUN = [
  ["README.md", "npm run demo ", DEMO],
  ["README.md", "npm run build && npm pack", BUILDS],
  ["docs/guide/quick-start.md", "npm run build ", BUILDS],
  ["docs/operation.md", "useradd --system", "it changes the machine: users, /usr/local, systemd"],
  ["docs/operation.md", "podman build", "it takes a container engine, and a build inside it"],
  ["examples/script-tag/README.md", "npm run demo ", DEMO],
  ["pkg-template/flagservice-client/README.md", "npm install flagservice-client", REGISTRY],
  ["pkg-template/flagservice-node-sdk/README.md", "npm install flagservice-node-sdk", REGISTRY],
  ["pkg-template/flagservice-openfeature-server/README.md", "npm install flagservice-openfeature-server", REGISTRY],
  ["pkg-template/flagservice-openfeature-web/README.md", "npm install flagservice-openfeature-web", REGISTRY],
  ["pkg-template/react-flagservice-client/README.md", "npm install react-flagservice-client", REGISTRY],
];

/** The entry of a block, if it has one. */
export function notRun({ page, code }) {
  return NOT_RUN.find(([ofPage, words]) => page === ofPage && code.startsWith(words));
}
