// The steps of npm test: name → title, the steps that it needs, and its work. The first steps are those that others wait for.
import { join } from "node:path";
import { buildForTests, checkLints, LINTED } from "./build/server.mjs";
import { restoreSourceTimes } from "./build/source-times.mjs";
import {
  ensureBrowsers,
  ensureCrates,
  ensureDockerCompose,
  ensureKubernetesValidate,
  ensureNodeModules,
  ensureSchemathesis,
  root,
} from "./setup.mjs";
import { CLIENT, clientSteps, headlessSteps } from "./test/client-steps.mjs";
import { packageChecks } from "./test/packages.mjs";
import { checks, command, counted, nodeTests, testFiles } from "./test/results.mjs";
import { rustTests } from "./test/rust-tests.mjs";

const REACT = join("js", "react");
const OPENFEATURE = join("js", "openfeature");
const ADMIN = join("tests", "e2e", "admin");
const EXAMPLES = join("tests", "e2e", "examples");
const PACKAGING = join(root, "tests", "packaging");
const REACT_18 = join(PACKAGING, "react-18");
/** Single sign-on, with the identity provider that it needs. */
const IDENTITY = join("tests", "identity");
/** The deployment with Compose and Helm, with the tools that read its files. */
const DEPLOY = join(root, "tests", "deploy");
/** The generators of REST clients, with the TypeScript that they need. */
const CLIENTS = join(root, "tests", "clients");
/** The generator of the REST API's types needs an older TypeScript. */
const OPENAPI_TYPES = join(root, "scripts", "openapi-types");

const COUNTS = {
  agreement: { passed: /^agreement, .*: (\d+) cases, 0 differences$/gm, failed: /(\d+) differences$/gm },
  deliveries: { passed: /^webhooks, .*: (\d+) delivered, 0 missing$/gm, failed: /(\d+) missing$/gm },
  schedule: { passed: /^schedule, .*: (\d+) changes made once or stale, 0 wrong$/gm, failed: /(\d+) wrong$/gm },
  participants: { passed: /^participants: (\d+) counted exactly$/gm, failed: /(\d+) wrong$/gm },
  guards: { passed: /^guards, .*: (\d+) trips, each once, 0 wrong$/gm, failed: /(\d+) wrong$/gm },
  throughEdges: { passed: /^\w+ through .*: (\d+) passed/gm, failed: /(\d+) failed$/gm },
  edgeKills: { passed: /^edges, .*: (\d+) goals counted once, 0 missing$/gm, failed: /(\d+) missing$/gm },
  simulation: { passed: /^simulation: (\d+) histories, 0 broken/gm, failed: /(\d+) broken/gm },
  edgesSimulation: { passed: /^edges-simulation: (\d+) histories, 0 broken/gm, failed: /(\d+) broken/gm },
  schemathesis: { passed: /generated, (\d+) passed$/gm, failed: /(\d+) found \d+ unique failures/gm },
};

export const STEPS = {
  format: {
    title: "Formatting: rustfmt and biome",
    work: checks(
      (note) => command("cargo", ["fmt", "--all", "--check"], { note }),
      (note) =>
        command(bin("biome"), ["ci", "--colors=off", "--max-diagnostics=20", "--error-on-warnings", "."], { note }),
    ),
  },
  "build-admin": {
    title: "Build the administration pages",
    work: checks((note) => command("node", ["scripts/build-admin.mjs"], { note })),
  },
  "build-docs": {
    title: "Build the documentation and check its links",
    // It has the integrity hashes of the browser client.
    needs: ["build"],
    work: checks((note) => command("node", ["scripts/build-docs.mjs"], { note })),
  },
  "build-notices": {
    title: "Licence notices of the server",
    needs: ["build-admin", "build-docs", "build"],
    work: checks((note) => command("node", ["scripts/build-notices.mjs"], { note })),
  },
  server: {
    title: "Build the server",
    needs: ["build-notices"],
    work: checks(async (note) => {
      await restoreSourceTimes();
      return buildForTests(note);
    }),
  },
  build: {
    title: "Build the browser client",
    work: checks((note) => command("node", ["scripts/build.mjs"], { note })),
  },
  node: {
    title: "Build the rules for Node and the Node SDK",
    // On a new machine the browser client's build installs wasm-bindgen, and two processes cannot install it at the same time.
    needs: ["build"],
    work: checks((note) => command("node", ["scripts/build-node.mjs"], { note })),
  },
  rust: {
    title: "Rust tests, with SQLite and PostgreSQL",
    needs: ["server"],
    work: rustTests(),
  },
  admin: {
    title: "Administration pages in Chromium",
    needs: ["build", "node", "server"],
    work: browserTests(ADMIN, { workers: 3 }),
  },
  e2e: {
    title: "Server, browser and Node SDK together",
    needs: ["build", "node", "server"],
    work: browserTests(join("tests", "e2e"), { except: [ADMIN, EXAMPLES] }),
  },
  identity: {
    title: "Single sign-on with a real provider, in Chromium",
    needs: ["build", "server"],
    work: browserTests(IDENTITY),
  },
  ...clientSteps(),
  react: {
    title: "React client in Chromium, with React 18 and 19",
    needs: ["build", "server"],
    work: nodeTests({
      files: () => testFiles(REACT),
      before: async () => {
        await ensureBrowsers();
        await ensureNodeModules(REACT_18);
      },
      // It replaces the process's fetch.
      alone: [join(REACT, "hydration.test.mjs")],
    }),
  },
  openfeature: {
    title: "OpenFeature's SDKs with our providers, in Chromium and Node",
    needs: ["build", "node", "server"],
    work: browserTests(OPENFEATURE),
  },
  contract: {
    title: "Contract of the SDKs: every SDK against a faulty and the real service",
    needs: ["build", "node", "server"],
    work: browserTests(join("tests", "contract"), { workers: 2 }),
  },
  examples: {
    title: "Examples, run by the commands of their READMEs",
    needs: ["build", "node", "server"],
    work: browserTests(EXAMPLES, { workers: 2 }),
  },
  docs: {
    title: "Documentation: every code block, and a first feature",
    needs: ["build", "node", "server"],
    work: browserTests(join("tests", "docs")),
  },
  packaging: {
    title: "The packed packages: bundlers, Node, TypeScript",
    needs: ["build", "node"],
    work: nodeTests({
      files: () => testFiles(join("tests", "packaging")),
      before: async () => {
        await ensureBrowsers();
        await ensureNodeModules(PACKAGING);
        await ensureNodeModules(REACT_18);
      },
      workers: 2,
    }),
  },
  clients: {
    title: "Generated REST clients compile and work",
    needs: ["server"],
    work: nodeTests({ files: () => testFiles(join("tests", "clients")), before: () => ensureNodeModules(CLIENTS) }),
  },
  agreement: {
    title: "Service, Node SDK and browser serve the same variants",
    needs: ["build", "node", "server"],
    work: counted(COUNTS.agreement, async (note) => {
      await ensureBrowsers();
      return campaign("agreement", note);
    }),
    showOutput: true,
  },
  deliveries: {
    title: "Webhooks while the server is killed",
    needs: ["server"],
    work: counted(COUNTS.deliveries, (note) => campaign("deliveries", note)),
  },
  schedule: {
    title: "Scheduled changes while the server is killed",
    needs: ["server"],
    work: counted(COUNTS.schedule, (note) => campaign("schedule", note)),
  },
  participants: {
    title: "Participants of an experiment",
    needs: ["server"],
    work: counted(COUNTS.participants, (note) => campaign("participants", note)),
  },
  guards: {
    title: "Guards while the server is killed",
    needs: ["server"],
    work: counted(COUNTS.guards, (note) => campaign("guards", note)),
  },
  "through-edges": {
    title: "Clients and SDKs through an edge of an edge",
    needs: ["build", "node", "server"],
    work: counted(COUNTS.throughEdges, async (note) => {
      await ensureBrowsers();
      return campaign("through-edges", note);
    }),
  },
  "edge-kills": {
    title: "Changes and goals while a server and its edges are killed",
    needs: ["server"],
    work: counted(COUNTS.edgeKills, (note) => campaign("edge-kills", note)),
  },
  "power-cuts": {
    title: "Writes while the power is cut",
    needs: ["server"],
    work: checks((note) => campaign("power-cuts", note)),
  },
  simulation: {
    title: "Simulated histories of the server, with faults",
    needs: ["server"],
    work: counted(COUNTS.simulation, (note) => campaign("simulation", note)),
  },
  "edges-simulation": {
    title: "Simulated histories of edges and clients",
    needs: ["server"],
    work: counted(COUNTS.edgesSimulation, (note) => campaign("edges-simulation", note)),
  },
  api: {
    title: "REST API against its OpenAPI document",
    needs: ["server"],
    work: counted(COUNTS.schemathesis, async (note) => {
      await ensureSchemathesis();
      return campaign("schemathesis", note);
    }),
  },
  deploy: {
    title: "Compose file and Helm chart: rendered, validated, and run as processes",
    needs: ["server"],
    work: nodeTests({
      files: () => testFiles(join("tests", "deploy")),
      before: async () => {
        await ensureNodeModules(DEPLOY);
        await ensureKubernetesValidate();
        await ensureDockerCompose();
      },
    }),
  },
  destination: {
    title: "Analytics destination: API, failures, page",
    work: browserTests(join("examples", "analytics-destination")),
  },
  javascript: {
    title: "JavaScript tests: conformance in Node, the Node SDK",
    needs: ["build", "node", "server"],
    work: nodeTests({
      files: () => testFiles("js", { except: [CLIENT, REACT, OPENFEATURE] }),
      // It writes what the rules answer natively, for comparison.
      before: () => command("cargo", ["test", "--workspace", "--test", "conformance"], { env: LINTED }),
      // It measures the memory of its process.
      alone: [join("js", "node", "memory.test.mjs")],
    }),
  },
  ...headlessSteps(),
  types: {
    title: "Types, and those of the REST API as its document has them",
    needs: ["build"],
    work: checks(
      ...["tsconfig.json", "js/admin", "js/node", "js/openfeature"].map(
        (settings) => (note) => command(bin("tsc"), ["--noEmit", "-p", settings], { note }),
      ),
      async (note) => {
        await ensureNodeModules(OPENAPI_TYPES);
        return command("node", [join(OPENAPI_TYPES, "generate.mjs"), "--check"], { note });
      },
    ),
  },
  package: {
    title: "Manifests and types of the packages: publint and attw",
    needs: ["build", "node"],
    work: packageChecks(),
  },
  lints: {
    title: "Lints: clippy",
    needs: ["server"],
    work: checks(checkLints),
  },
  dependencies: {
    title: "Dependency rules",
    work: checks(
      async (note) => {
        await ensureCrates();
        return command("node", ["scripts/check-dependencies.mjs"], { note });
      },
      (note) => command("node", ["scripts/check-dependencies.mjs", "--self-test"], { note }),
    ),
  },
  supply: {
    title: "Supply chain: licences, sources, versions, notices, hashes",
    needs: ["build-notices", "node"],
    work: checks(
      (note) => command("node", ["scripts/release.mjs", "--check", "--short"], { note }),
      (note) => command("node", ["scripts/supply/check.mjs", "--self-test"], { note }),
      async (note) => command("node", ["--test", ...(await testFiles(join("tests", "release")))], { note }),
    ),
  },
  proofs: {
    title: "Tables of proofs: every test that they name",
    work: checks(
      (note) => command("node", ["scripts/check-proofs.mjs"], { note }),
      (note) => command("node", ["scripts/check-proofs.mjs", "--self-test"], { note }),
    ),
  },
  words: {
    title: "Words that the glossary rules out",
    work: checks(
      (note) => command("node", ["scripts/lint/words.mjs"], { note }),
      (note) => command("node", ["scripts/lint/words.mjs", "--self-test"], { note }),
    ),
  },
  shape: {
    title: "Shape: sizes of folders, files, functions and lines",
    work: checks(
      (note) => command("node", ["scripts/lint/shape.mjs"], { note }),
      (note) => command("node", ["scripts/lint/shape.mjs", "--self-test"], { note }),
    ),
  },
  size: {
    title: "Size of what a page downloads",
    needs: ["build"],
    work: checks((note) => command("node", ["scripts/size.mjs"], { note })),
    showOutput: true,
  },
};

/** The tests of a folder that open a browser. */
function browserTests(folder, { except, ...options } = {}) {
  return nodeTests({ files: () => testFiles(folder, { except }), before: ensureBrowsers, ...options });
}

/** The short form of a campaign. */
function campaign(name, note) {
  return command("node", [join("tests", "campaign.mjs"), name, "--short"], { note });
}

function bin(name) {
  return join(root, "node_modules", ".bin", name);
}
